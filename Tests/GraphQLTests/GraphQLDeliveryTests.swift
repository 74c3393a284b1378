import GraphQL
import OrderedCollections
import ScenarioModel
import Testing

@Suite("GraphQL streams")
struct GraphQLDeliveryTests {
  private static func tick(_ number: Int64) -> GraphQLStreamEvent {
    .next(.map(["data": .map(["tick": .integer(number)])]))
  }

  private func text(
    _ acceptance: GraphQLAcceptance, _ events: [GraphQLTimedEvent]
  ) -> (text: String, delays: [Nanoseconds], isComplete: Bool) {
    let (pieces, isComplete) = GraphQLStreamEncoder(acceptance).pieces(events)
    return (pieces.map(\.text).joined(), pieces.map(\.delay), isComplete)
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
    lines.flatMap { socket.receive($0) }.map { action in
      switch action {
      case .send(let text): text
      case .close(let code, let reason): "close \(code) \(reason)"
      case .start(let identifier, let request): "start \(identifier) \(request.name ?? "-")"
      case .stop(let identifier): "stop \(identifier)"
      }
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
