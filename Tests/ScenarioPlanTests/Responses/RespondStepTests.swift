import MockEngine
import Patterns
import ScenarioPlan
import Testing

@Suite("Responses that steps bring")
struct RespondStepTests {
  private let scope = CaseScope(directory: "/case")
  private let text = """
    target: { command: [./program] }
    responses:
      - GET https://h/x: { text: first }
    steps:
      - start:
      - responses: [{ request: GET https://h/x, reply: [{ text: second }] }]
      - jump: { by: 1s, steps: [{ responses: [{ GET https://h/x: { text: third } }] }] }
    """

  private func queue() throws -> StubQueue {
    StubQueue(responses: try #require(try Samples.onlyCase(text).network).responses)
  }

  private func reply(_ queue: inout StubQueue) throws -> PlannedReply.Body? {
    let request = IncomingRequest(
      method: "GET", target: try RequestTarget(scheme: "https", authority: "h", target: "/x"),
      headers: [], body: [])
    guard case .reply(let claimed) = queue.claim(request, scope: scope) else { return nil }
    return claimed.reply.body
  }

  private func body(_ text: String) -> PlannedReply.Body { .text(PlannedText(text)) }

  @Test("They answer from their step on, before all others, until they are used up")
  func order() throws {
    var queue = try queue()
    #expect(try reply(&queue) == body("first"))
    queue.open(step: 0)
    #expect(try reply(&queue) == body("second"))
    #expect(try reply(&queue) == body("first"))
  }

  @Test("Those of a later step come before those of an earlier one")
  func later() throws {
    var queue = try queue()
    queue.open(step: 0)
    queue.open(step: 1)
    #expect(try reply(&queue) == body("third"))
  }

  @Test("What no step has brought is not missed; what one brought and nobody asked for is")
  func unused() throws {
    var queue = try queue()
    _ = try reply(&queue)
    #expect(queue.unused().isEmpty)
    queue.open(step: 0)
    #expect(queue.unused().map(\.name) == ["GET https://h/x"])
  }

  @Test("A step that brings a fault of connections is a mistake")
  func connections() throws {
    let mistakes = Samples.mistakes(
      try Samples.file(
        """
        target: { command: [./program] }
        steps:
          - start:
          - responses: [{ host: h, fault: refuse }]
        """))
    #expect(mistakes == ["a step cannot break connections, but \"h: refuse\" does"])
  }
}
