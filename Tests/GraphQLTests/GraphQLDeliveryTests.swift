import Foundations
import GraphQL
import OrderedCollections
import Testing

@Suite("GraphQL streams")
struct GraphQLDeliveryTests {
  private static func tick(_ number: Int64) -> GraphQLStreamEvent {
    .next(.map(["data": .map(["tick": .integer(number)])]))
  }

  private func text(
    _ acceptance: GraphQLAcceptance, _ events: [GraphQLTimedEvent]
  ) -> (text: String, delays: [Nanoseconds], isComplete: Bool) {
    let (pieces, end) = GraphQLStreamEncoder(acceptance).pieces(events)
    return (pieces.map(\.text).joined(), pieces.map(\.delay), end == .complete)
  }

  @Test("Server-sent events carry results and the end, each in its time")
  func eventStream() {
    let (text, delays, isComplete) = text(
      .eventStream,
      [
        .init(after: .zero, Self.tick(1)), .init(after: .seconds(60), Self.tick(2)),
        .init(after: .zero, .complete),
      ])

    #expect(
      text == """
        event: next
        data: {"data":{"tick":1}}

        event: next
        data: {"data":{"tick":2}}

        event: complete
        data:


        """)
    #expect(delays == [.zero, .seconds(60), .zero])
    #expect(isComplete)
  }

  @Test("A stream without an end stays open, an error ends it")
  func ends() {
    let open = text(.eventStream, [.init(after: .zero, Self.tick(1))])
    let failed = text(
      .subscriptionParts,
      [.init(after: .zero, .errors(.list([.map(["message": .string("boom")])])))])

    #expect(!open.isComplete)
    #expect(failed.isComplete)
    #expect(failed.text.contains(#"{"payload":null,"errors":[{"message":"boom"}]}"#))
    #expect(failed.text.hasSuffix("\r\n--graphql--\r\n"))
  }

  @Test("Parts of a subscription are wrapped, and end with their delimiter")
  func subscriptionParts() {
    let (text, _, isComplete) = text(
      .subscriptionParts, [.init(after: .zero, Self.tick(1)), .init(after: .zero, .complete)])

    #expect(
      text == "--graphql\r\ncontent-type: application/json\r\n\r\n"
        + #"{"payload":{"data":{"tick":1}}}"# + "\r\n--graphql--\r\n")
    #expect(isComplete)
  }

  @Test("Deferred parts are increments, and the last one says so")
  func deferParts() {
    let first = GraphQLStreamEvent.next(.map(["data": .map(["a": .integer(1)])]))
    let later = GraphQLStreamEvent.next(
      .map(["path": .list([]), "label": .string("slow"), "data": .map(["b": .integer(2)])]))
    let together = text(
      .deferParts,
      [.init(after: .zero, first), .init(after: .zero, later), .init(after: .zero, .complete)])
    let apart = text(
      .deferParts, [.init(after: .zero, first), .init(after: .seconds(1), .complete)])

    #expect(together.text.contains(#"{"data":{"a":1},"hasNext":true}"#))
    #expect(
      together.text.contains(
        #"{"incremental":[{"path":[],"label":"slow","data":{"b":2}}],"hasNext":false}"#))
    #expect(apart.text.contains(#"{"data":{"a":1},"hasNext":true}"#))
    #expect(apart.text.contains(#"{"hasNext":false}"#))
  }

  // MARK: - WebSockets

  private func talk(_ socket: inout GraphQLSocket, _ lines: String...) -> [String] {
    lines.flatMap { line in
      socket.receive(line).flatMap { action in
        if case .greet = action { return socket.admit(nil) }
        return [action]
      }
    }.map(Self.line)
  }

  private static func line(_ action: GraphQLSocket.Action) -> String {
    switch action {
    case .send(let text): text
    case .close(let code, let reason): "close \(code) \(reason)"
    case .leave(let ending): "leave \(ending)"
    case .greet(let payload): "greet \(payload?.jsonText() ?? "-")"
    case .start(let identifier, let request): "start \(identifier) \(request.name ?? "-")"
    case .stop(let identifier): "stop \(identifier)"
    }
  }

  private static let start =
    #"{"id":"1","type":"subscribe","payload":{"query":"subscription S { tick }"}}"#

  @Test("graphql-transport-ws: from the greeting to the end")
  func transport() {
    var socket = GraphQLSocket(.transport)

    let opening = talk(
      &socket, #"{"type":"connection_init"}"#, #"{"type":"ping","payload":{"a":1}}"#, Self.start)
    let next = socket.deliver(Self.tick(1), for: "1")
    let end = socket.deliver(.complete, for: "1")
    let late = socket.deliver(Self.tick(2), for: "1")

    #expect(
      opening == [
        #"{"type":"connection_ack"}"#, #"{"type":"pong","payload":{"a":1}}"#, "start 1 S",
      ])
    #expect(next == [.send(#"{"id":"1","type":"next","payload":{"data":{"tick":1}}}"#)])
    #expect(end == [.send(#"{"id":"1","type":"complete"}"#)])
    #expect(late == [])
    #expect(talk(&socket, Self.start) == ["start 1 S"])
    #expect(talk(&socket, #"{"id":"1","type":"complete"}"#) == ["stop 1"])
  }

  @Test(
    "graphql-transport-ws: whoever breaks the rules is shown the door, with the code for it",
    arguments: [
      ([GraphQLDeliveryTests.start], "close 4401 Unauthorized"),
      (
        [#"{"type":"connection_init"}"#, #"{"type":"connection_init"}"#],
        "close 4429 Too many initialisation requests"
      ),
      (
        [#"{"type":"connection_init"}"#, GraphQLDeliveryTests.start, GraphQLDeliveryTests.start],
        "close 4409 Subscriber for 1 already exists"
      ),
      (["hello"], "close 4400 Invalid message received"),
      (["[]"], "close 4400 Invalid message received"),
      ([#"{"type":"start"}"#], "close 4400 Invalid message: unexpected type \"start\""),
      (
        [#"{"type":"connection_init"}"#, #"{"type":"subscribe","id":"1"}"#],
        "close 4400 Invalid message: \"subscribe\" needs \"id\" and \"payload.query\""
      ),
    ])
  func rules(lines: [String], expected: String) {
    var socket = GraphQLSocket(.transport)

    let answers = lines.flatMap { talk(&socket, $0) }

    #expect(answers.last == expected)
  }

  @Test("graphql-transport-ws: whoever was shown the door is not heard any more")
  func deaf() {
    var socket = GraphQLSocket(.transport)

    let answers = talk(
      &socket, #"{"type":"connection_init"}"#, #"{"type":"connection_init"}"#, Self.start,
      #"{"type":"ping"}"#)

    #expect(
      answers == [#"{"type":"connection_ack"}"#, "close 4429 Too many initialisation requests"])
    #expect(socket.receiveBytes() == [])
    #expect(socket.expectInitialisation() == [])
    #expect(socket.admit(nil) == [])
  }

  @Test("A greeting carries what the client says, and the answer what the server says")
  func greeting() {
    var socket = GraphQLSocket(.transport)
    var other = GraphQLSocket(.transport)
    var legacy = GraphQLSocket(.legacy)
    let hello = #"{"type":"connection_init","payload":{"token":"x"}}"#

    #expect(socket.receive(hello).map(Self.line) == [#"greet {"token":"x"}"#])
    // Who has not been admitted yet may not subscribe.
    #expect(other.receive(hello).count == 1)
    #expect(other.receive(Self.start).map(Self.line) == ["close 4401 Unauthorized"])
    #expect(
      socket.admit(.map(["user": .integer(1)])).map(Self.line)
        == [#"{"type":"connection_ack","payload":{"user":1}}"#])
    #expect(socket.receive(Self.start).map(Self.line) == ["start 1 S"])
    #expect(legacy.receive(hello).count == 1)
    #expect(
      legacy.forbid().map(Self.line)
        == [
          #"{"type":"connection_error","payload":{"message":"Forbidden"}}"#, "close 1011 Forbidden",
        ])
  }

  @Test("graphql-transport-ws: who says nothing in time, or the wrong thing, has to go")
  func codes() {
    var silent = GraphQLSocket(.transport)
    var prompt = GraphQLSocket(.transport)
    var stranger = GraphQLSocket(.transport)
    var binary = GraphQLSocket(.transport)
    _ = talk(&prompt, #"{"type":"connection_init"}"#)
    _ = stranger.receive(#"{"type":"connection_init"}"#)

    #expect(
      silent.expectInitialisation().map(Self.line)
        == ["close 4408 Connection initialisation timeout"])
    #expect(prompt.expectInitialisation() == [])
    #expect(stranger.forbid().map(Self.line) == ["close 4403 Forbidden"])
    #expect(
      binary.receiveBytes().map(Self.line) == ["close 4400 Only text messages are understood"])
  }

  @Test("An author ends a WebSocket with any code, and its operations with it")
  func authorsEnd() {
    var socket = GraphQLSocket(.transport)
    var rude = GraphQLSocket(.transport)
    let second = Self.start.replacingFirst("\"1\"", with: "\"2\"")
    _ = talk(&socket, #"{"type":"connection_init"}"#, Self.start, second)
    _ = talk(&rude, #"{"type":"connection_init"}"#, Self.start)

    #expect(
      socket.deliver(.close(code: 4500, reason: "Internal server error"), for: "1")
        .map(Self.line) == ["stop 1", "stop 2", "close 4500 Internal server error"])
    #expect(socket.deliver(Self.tick(1), for: "2") == [])
    #expect(rude.deliver(.leave(.reset), for: "1").map(Self.line) == ["stop 1", "leave reset"])
  }

  @Test("Other ways of delivery break off where a WebSocket is closed")
  func brokenStream() {
    let (pieces, end) = GraphQLStreamEncoder(.eventStream).pieces([
      .init(after: .zero, Self.tick(1)),
      .init(after: .seconds(2), .close(code: 4403, reason: "Forbidden")),
      .init(after: .zero, Self.tick(2)),
    ])

    #expect(pieces.count == 1)
    #expect(end == .broken(after: .seconds(2), .abrupt))
  }

  @Test("graphql-transport-ws: an error ends an operation, without another word")
  func errors() {
    var socket = GraphQLSocket(.transport)
    _ = talk(&socket, #"{"type":"connection_init"}"#, Self.start)

    let error = socket.deliver(.errors(.list([.map(["message": .string("boom")])])), for: "1")

    #expect(error == [.send(#"{"id":"1","type":"error","payload":[{"message":"boom"}]}"#)])
    #expect(socket.deliver(.complete, for: "1") == [])
  }

  @Test("graphql-ws: from the greeting to the end")
  func legacy() {
    var socket = GraphQLSocket(.legacy)
    let start = #"{"id":"1","type":"start","payload":{"query":"subscription S { tick }"}}"#

    let opening = talk(&socket, #"{"type":"connection_init"}"#, start)
    let next = socket.deliver(Self.tick(1), for: "1")

    #expect(opening == [#"{"type":"connection_ack"}"#, "start 1 S"])
    #expect(next == [.send(#"{"id":"1","type":"data","payload":{"data":{"tick":1}}}"#)])
    #expect(talk(&socket, start) == ["stop 1", "start 1 S"])
    #expect(
      talk(&socket, #"{"id":"1","type":"stop"}"#) == ["stop 1", #"{"id":"1","type":"complete"}"#])
    #expect(
      talk(&socket, #"{"type":"subscribe"}"#)
        == [#"{"type":"error","payload":{"message":"Invalid message type!"}}"#])
    #expect(talk(&socket, #"{"type":"connection_terminate"}"#) == ["close 1000 "])
  }

  @Test("The first subprotocol that is known is chosen")
  func dialects() {
    #expect(GraphQLSocket.dialect(among: ["x", "graphql-ws", "graphql-transport-ws"]) == .legacy)
    #expect(GraphQLSocket.dialect(among: ["graphql-transport-ws"]) == .transport)
    #expect(GraphQLSocket.dialect(among: ["mqtt"]) == nil)
  }
}

extension String {
  fileprivate func replacingFirst(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return String(self[..<range.lowerBound]) + other + self[range.upperBound...]
  }
}
