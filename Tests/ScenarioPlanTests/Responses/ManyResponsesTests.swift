import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("Many responses")
struct ManyResponsesTests {
  private let scope = CaseScope(directory: "/case")
  private let anywhere = SourceRange(file: "test.yaml", line: 1, column: 1)

  private func queue(_ count: Int) -> StubQueue {
    StubQueue(
      responses: (0..<count).map { number in
        let url = URLPattern(
          scheme: "https", host: "api.test", port: nil,
          path: number % 2 == 0 ? "/v1/items/\(number)" : "/v\(number)/{id}")
        let reply = PlannedReply(
          status: 200, headers: [], body: .empty, delay: .zero, times: 1, range: anywhere)
        return PlannedResponse(
          name: "\(number)", match: .http(PlannedRequest(methods: ["GET"], url: url)),
          replies: [reply], repeats: true, range: anywhere)
      })
  }

  @Test("Of ten thousand entries only those are asked that may answer")
  func scales() throws {
    let index = ResponseIndex(queue(10_000).responses.map(EntryAddress.init))
    for (path, expected) in [("/v1/items/9998", 9_998), ("/v9999/x", 9_999)] {
      let target = try RequestTarget(scheme: "https", authority: "api.test", target: path)
      var asked: [Int] = []

      let found = index.first(for: target) { entry in
        asked.append(entry)
        return entry == expected
      }

      #expect(found == expected)
      #expect(asked.count <= 2)
    }
  }

  @Test("An unmatched request among ten thousand entries still shows the nearest")
  func nearest() throws {
    var queue = queue(10_000)
    let request = IncomingRequest(
      method: "POST",
      target: try RequestTarget(scheme: "https", authority: "api.test", target: "/v1/items/4444"),
      headers: [], body: [])

    guard case .unmatched(let lines, _) = queue.claim(request, scope: scope) else {
      Issue.record("it was answered")
      return
    }

    #expect(lines.first?.hasPrefix("\"4444\"") == true)
    #expect(lines.dropFirst().first == "  method: expected GET, got POST")
  }
}
