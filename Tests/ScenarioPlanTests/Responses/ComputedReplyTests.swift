import Foundations
@testable import MockEngine
@testable import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Statuses and delays that a request decides")
struct ComputedReplyTests {
  private func network(_ reply: String, more: String = "") throws -> PlannedNetwork {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./program] }
      \(more)
      responses: [ { "GET https://h/{code}": \(reply) } ]
      """)
    return try #require(planned.network)
  }

  private func claim(_ path: String, from queue: inout StubQueue) throws -> MatchedReply {
    let request = IncomingRequest(
      method: "GET", target: try RequestTarget(scheme: "https", authority: "h", target: path),
      headers: [], body: [])
    guard case .reply(let claimed) = queue.claim(request, scope: CaseScope(directory: "/case"))
    else { throw Problem.unexpected }
    return claimed
  }

  private enum Problem: Error { case unexpected }

  @Test("A status may be that of the request, as a number or as its digits")
  func status() throws {
    let network = try network(
      #"{ status: "${{ request.path.code }}", after: "${{ request.query.after ?? '2s' }}" }"#)
    var queue = StubQueue(responses: network.responses)

    let first = try claim("/404", from: &queue)
    #expect(first.reply.status == 404)
    #expect(first.reply.delay == .seconds(2))
    #expect(first.problem == nil)
    let second = try claim("/503?after=1h30m", from: &queue)
    #expect(second.reply.status == 503)
    #expect(second.reply.delay == .seconds(5_400))
  }

  @Test(
    "What no reply can have makes none, and says so with its place",
    arguments: [
      ("/700", "\"status\" is \"700\", which is no status of a reply", 50),
      ("/100", "\"status\" is \"100\", which is no status of a reply", 50),
      ("/ok", "\"status\" is \"ok\", which is no status of a reply", 50),
      ("/200?after=3", "the duration \"3\" has no unit", 85),
      ("/200?after=-3s", "\"after\" is \"-3s\", which is negative", 85),
      ("/200?after=soon", "\"soon\" is not a duration", 85),
    ])
  func mistakes(path: String, message: String, column: Int) throws {
    var queue = StubQueue(
      responses: try network(
        #"{ status: "${{ request.path.code }}", after: "${{ request.query.after ?? '0s' }}" }"#
      ).responses)

    let problem = try #require(try claim(path, from: &queue).problem)
    #expect(problem.message == message)
    #expect(problem.range?.column == column)
  }

  @Test("A fault may be one of some requests, and none of others")
  func faults() throws {
    var queue = StubQueue(
      responses: try network(#"{ text: body, fault: "${{ request.query.fault ?? 'none' }}" }"#)
        .responses)

    #expect(try claim("/1", from: &queue).reply.fault == nil)
    #expect(try claim("/1?fault=reset", from: &queue).reply.fault == .reset)
    #expect(
      try claim("/1?fault=truncate:%203B", from: &queue).reply.fault == .truncate(bytes: 3))
    #expect(
      try claim("/1?fault=bandwidth:1KiB/s", from: &queue).reply.fault
        == .slow(bytesPerSecond: 1024))
    let problem = try claim("/1?fault=rest", from: &queue).problem
    #expect(problem?.message == "\"fault\" is \"rest\", which is no fault of a reply")
    #expect(problem?.help?.hasPrefix("did you mean \"reset\"?") == true)
    var empty = StubQueue(
      responses: try network(#"{ status: 200, fault: "${{ request.path.code }}" }"#).responses)
    #expect(
      try claim("/close", from: &empty).problem?.message
        == "\"fault: close\" needs a body, but the reply has none")
  }

  @Test("The delays of steps and the status of a call are those that the request decides")
  func steps() throws {
    var stream = StubQueue(
      responses: try network(
        #"{ stream: [ { send: a }, { after: "${{ request.query.wait }}", send: b } ] }"#
      ).responses)
    guard case .stream(let pieces) = try claim("/1?wait=3s", from: &stream).reply.body else {
      throw Problem.unexpected
    }
    #expect(pieces.map(\.delay) == [.zero, .seconds(3)])
    #expect(
      try claim("/1?wait=soon", from: &stream).problem?.message == "\"soon\" is not a duration")

    var call = StubQueue(
      responses: try network(#"{ grpc: { status: "${{ request.path.code }}" } }"#).responses)
    for (text, status) in [("NOT_FOUND", 5), ("7", 7)] {
      guard case .grpc(let made) = try claim("/" + text, from: &call).reply.body else {
        throw Problem.unexpected
      }
      #expect(made.status == status)
    }
    #expect(
      try claim("/NOT_FOND", from: &call).problem?.help?.hasPrefix("did you mean \"NOT_FOUND\"?")
        == true)
  }

  @Test("A code that closes a WebSocket is one that is sent, and its reason is short enough")
  func closing() throws {
    let network = try network(
      #"{ websocket: [ { close: { code: "${{ request.path.code }}", reason: "${{ request.query.why ?? '' }}" } } ] }"#
    )
    guard case .webSocket(let steps)? = network.responses.first?.replies.first?.body,
      case .computedClose(let code, let reason) = steps[0].action
    else { throw Problem.unexpected }
    func close(_ captures: [String: String], _ path: String) throws -> (code: Int, reason: String) {
      let request = IncomingRequest(
        method: "GET", target: try RequestTarget(scheme: "https", authority: "h", target: path),
        headers: [], body: [])
      return try steps[0].close(
        code, reason,
        in: RequestScope(
          request: request, captures: captures, count: 1, base: CaseScope(directory: "/case")))
    }

    let made = try close(["code": "4001"], "/4001?why=late")
    #expect(made.code == 4001)
    #expect(made.reason == "late")
    #expect(throws: RunScopeError.self) { try close(["code": "1006"], "/1006") }
    #expect(throws: RunScopeError.self) {
      try close(["code": "4001"], "/1?why=" + String(repeating: "x", count: 124))
    }
  }

  @Test("The row of a matrix and variables are judged before the run")
  func known() throws {
    let network = try network(
      "{ status: \"${{ vars.code }}\", after: \"${{ vars.wait }}\" }",
      more: "vars: { code: 503, wait: 3s }")
    let reply = try #require(network.responses.first?.replies.first)
    #expect(reply.status == 503)
    #expect(reply.delay == .seconds(3))
    #expect(reply.computation == nil)

    let errors = try Samples.errors(
      """
      target: { command: [./program] }
      vars: { code: 999, wait: -1s }
      responses:
        - GET https://h/a: { status: "${{ vars.code }}" }
        - GET https://h/b: { after: "${{ vars.wait }}" }
        - GET https://h/c: { status: "${{ request.path.id }}" }
        - GET https://h/d: { after: "${{ request.jsn.wait }}" }
      """)
    #expect(
      errors.map(\.message).prefix(2) == [
        "\"status\" is \"999\", which is no status of a reply",
        "\"after\" is \"-1s\", which is negative",
      ])
    #expect(errors.map { $0.range?.line } == [4, 5, 6, 7])
    #expect(errors.map(\.code).prefix(2) == [.badStatus, .badDuration])
  }

  @Test("A delay by chance is another one for each request, and the same ones from the same seed")
  func draws() throws {
    func delays(_ seed: Int) throws -> [Nanoseconds] {
      var queue = StubQueue(
        responses: try network(
          "{ after: { uniform: { from: 100ms, to: 2s } } }", more: "seed: \(seed)"
        ).responses)
      return try (0..<20).map { _ in try claim("/a", from: &queue).reply.delay }
    }
    let first = try delays(1)

    #expect(first.allSatisfy { $0 >= .milliseconds(100) && $0 <= .seconds(2) })
    #expect(Set(first).count == 20)
    #expect(try delays(1) == first)
    #expect(try delays(2) != first)
    #expect(try network("{ after: { uniform: { from: 0s, to: 2s } } }").dependsOnOrder)
  }

  @Test(
    "Delays lie as their distribution says",
    arguments: [
      DelayDistribution.uniform(from: .seconds(1), to: .seconds(3)),
      .normal(mean: .seconds(2), deviation: .milliseconds(500), limit: nil),
      .lognormal(median: .seconds(2), sigma: 0.4, limit: nil),
    ])
  func distributions(_ distribution: DelayDistribution) {
    let delays = (1...4_000).map { distribution.delay(ofUse: $0, seed: 7) }.sorted()

    // The median of all three; the other quartiles tell them apart.
    #expect(abs((delays[2_000] - .seconds(2)).count) < 60_000_000, "\(delays[2_000])")
    let upper: Int64 =
      switch distribution {
      case .uniform: 2_500
      case .normal: 2_337
      case .lognormal: 2_619
      }
    #expect(abs((delays[3_000] - .milliseconds(upper)).count) < 70_000_000, "\(delays[3_000])")
    #expect(delays.allSatisfy { $0 > .zero && $0.count % 1_000 == 0 })
  }

  @Test("No delay is negative, nor longer than said, nor beyond a year")
  func bounds() {
    let wide = DelayDistribution.normal(mean: .zero, deviation: .seconds(9), limit: .seconds(5))
    let delays = (1...200).map { wide.delay(ofUse: $0, seed: 1) }
    #expect(delays.contains(.zero))
    #expect(delays.max() == .seconds(5))

    let endless = DelayDistribution.lognormal(median: .seconds(3_600), sigma: 10, limit: nil)
    #expect(
      (1...200).map { endless.delay(ofUse: $0, seed: 1) }.max() == .seconds(365 * 86_400))
    let fixed = DelayDistribution.uniform(from: .seconds(3), to: .seconds(3))
    #expect(fixed.delay(ofUse: 1, seed: 1) == .seconds(3))
  }
}
