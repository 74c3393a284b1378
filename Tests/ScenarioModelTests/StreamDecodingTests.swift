import Foundations
import ScenarioModel
import Testing

@Suite struct StreamDecodingTests {
  private func reply(_ text: String) throws -> Reply {
    let file = try #require(
      parse("version: 2\nresponses:\n  - GET https://a.example/x: \(text)\n").file)
    return try #require(file.defaults.responses.first?.replies.first)
  }

  @Test("A stream sends pieces and ends")
  func stream() throws {
    let reply = try reply(
      "{ stream: [ { send: hi }, { after: 15s, send: { base64: AQID } }, { close: reset } ] }")

    guard case .stream(let steps) = reply.body, steps.count == 3,
      case .send(.text) = steps[0].action, case .send(.bytes(let bytes)) = steps[1].action,
      case .close(.reset) = steps[2].action
    else {
      Issue.record("wrong shape")
      return
    }
    #expect(bytes == [1, 2, 3])
    #expect(steps.map(\.delay) == [.length(.zero), .length(.seconds(15)), .length(.zero)])
  }

  @Test("A WebSocket speaks, listens and says goodbye")
  func webSocket() throws {
    let reply = try reply(
      """
      { websocket: [ { expect: hi }, { expect: { base64: AQ== } }, { ping: }, { send: { json: 1 } },
            { after: 1s, close: { code: 4001, reason: done } } ] }
      """)

    guard case .webSocket(let steps) = reply.body, steps.count == 5,
      case .expect = steps[0].action, case .expectBytes(let bytes) = steps[1].action,
      case .ping("") = steps[2].action, case .send(.json) = steps[3].action,
      case .close(let code, let reason) = steps[4].action
    else {
      Issue.record("wrong shape")
      return
    }
    #expect(bytes == [1])
    #expect(code == 4001)
    #expect(reason == "done")
  }

  @Test(
    "gRPC has messages and a status, by number or name",
    arguments: [
      ("{ messages: a }", 1, 0), ("{ status: NOT_FOUND, error: none }", 0, 5),
      ("{ messages: [ a, { after: 1s, base64: AQ== } ], status: 8 }", 2, 8),
    ])
  func grpc(text: String, messages: Int, status: Int) throws {
    let reply = try reply("{ grpc: \(text), trailers: { x: y }, encoding: auto }")

    guard case .grpc(let grpc) = reply.body else {
      Issue.record("wrong shape")
      return
    }
    #expect(grpc.messages.count == messages)
    #expect(grpc.status == status)
    #expect(reply.trailers.map(\.key.value) == ["x"])
    #expect(reply.encoding == .auto)
  }

  @Test(
    "What a stream cannot say is an error",
    arguments: [
      ("{ stream: [] }", "\"stream\" is empty"),
      ("{ stream: [ { after: 1s } ] }", "a step of \"stream\" does nothing"),
      ("{ stream: [ { close: end }, { send: a } ] }", "nothing can follow \"close\" in a stream"),
      ("{ stream: [ { send: a, close: end } ] }", "\"close\" cannot be combined with \"send\""),
      ("{ stream: [ { send: { base64: '*' } } ] }", "\"*\" is not Base64"),
      ("{ stream: [ { send: { } } ] }", "\"send\" has no content"),
      ("{ stream: [ { close: gently } ] }", "unknown value \"gently\" for \"close\""),
      ("{ stream: [ { after: -1s, send: a } ] }", "\"after\" must not be negative"),
      ("{ stream: [ { send: a } ], text: b }", "\"text\" cannot be combined with \"stream\""),
      ("{ websocket: [ { after: 1s, expect: a } ] }", "\"expect\" cannot be combined with"),
      ("{ websocket: [ { close: 1006 } ] }", "the code 1006 is never sent"),
      ("{ websocket: [ { close: 99 } ] }", "\"close\" must be from 1000 to 4999, not 99"),
      ("{ websocket: [ { close: 1000 }, { send: a } ] }", "nothing can follow \"close\""),
      ("{ websocket: [ { say: a } ] }", "unknown key \"say\" in a step of \"websocket\""),
      ("{ grpc: { status: NOPE } }", "unknown value \"NOPE\" for \"status\""),
      (
        "{ grpc: { message: a, messages: [] } }",
        "\"message\" cannot be combined with \"messages\", its current name"
      ),
      ("{ text: a, encoding: rar }", "unknown value \"rar\" for \"encoding\""),
      ("{ text: a, trailers: { 'a b': c } }", "\"a b\" is not a header name"),
    ])
  func mistakes(text: String, message: String) throws {
    let result = parse("version: 2\nresponses:\n  - GET https://a.example/x: \(text)\n")

    #expect(result.messages.contains(message), "\(result.messages)")
  }
}
