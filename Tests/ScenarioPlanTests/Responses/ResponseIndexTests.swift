import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("The index of responses")
struct ResponseIndexTests {
  private let scope = CaseScope(directory: "/case")
  private let anywhere = SourceRange(file: "test.yaml", line: 1, column: 1)

  private func entry(_ method: String?, _ url: URLPattern?, _ name: Int, times: Int)
    -> PlannedResponse
  {
    PlannedResponse(
      name: "\(name)", match: .http(PlannedRequest(methods: method.map { [$0] }, url: url)),
      replies: [
        PlannedReply(
          status: 200, headers: [], body: .empty, delay: .zero, times: times, range: anywhere)
      ], repeats: times == 0, range: anywhere)
  }

  @Test("Two hundred random lists answer as a walk through all entries would")
  func agreesWithWalk() throws {
    var random = SystemlessRandom(state: 77)
    let hosts = ["a.test", "b.test", "*.test", nil]
    let paths = [
      "/", "/x", "/x/y", "/x/{id}", "/{a}/y", "/**", "/x/**", "/*/y", "/x*", "/**/y", "/x/", "//y",
    ]
    for _ in 0..<200 {
      let responses = (0..<12).map { number in
        let host = hosts[random.below(hosts.count)]
        let url = URLPattern(
          scheme: random.below(3) == 0 ? "http" : nil, host: host, port: nil,
          path: paths[random.below(paths.count)])
        return entry(
          random.below(2) == 0 ? "GET" : nil, random.below(12) == 0 ? nil : url, number,
          times: random.below(4))
      }
      var queue = StubQueue(responses: responses)
      var used = [Int](repeating: 0, count: responses.count)
      for _ in 0..<40 {
        let target = try RequestTarget(
          scheme: random.below(2) == 0 ? "http" : "https",
          authority: hosts[random.below(2)] ?? "a.test",
          target: ["/", "/x", "/x/y", "/z/y", "/x/", "//y", "/q/w/y", "*"][random.below(8)])
        let request = IncomingRequest(
          method: random.below(2) == 0 ? "GET" : "PUT", target: target, headers: [], body: [])
        let expected = responses.indices.first { index in
          RequestAssessment(responses[index], request, scope).isMatch
            && (responses[index].repeats || used[index] < responses[index].replyCount)
        }
        if let expected { used[expected] += 1 }

        var actual: Int?
        if case .reply(let claimed) = queue.claim(request, scope: scope) { actual = claimed.entry }

        #expect(actual == expected, "\(request.method) \(target.text)")
      }
      #expect(
        queue.unused().map(\.entry)
          == responses.indices.filter { used[$0] < responses[$0].replyCount })
    }
  }
}

/// Random numbers that are the same in every run (xorshift).
private struct SystemlessRandom {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}
