internal import Foundations
internal import GraphQL
internal import NIOCore
internal import NIOHTTP1

extension PreparedReply {
  /// A reply of the mock server's own to a GraphQL client.
  init(json: Value, status: Int, acceptance: GraphQLAcceptance) {
    self.init(status: status)
    setJSON(json, acceptance: acceptance)
  }

  /// Sets the body, and its type where the author says none.
  mutating func setJSON(_ value: Value, acceptance: GraphQLAcceptance) {
    content = .body(.bytes(ByteBuffer(string: value.jsonText())))
    addType(acceptance.contentType)
  }

  /// Makes the body a stream of events in virtual time.
  mutating func setStream(_ events: [GraphQLTimedEvent], _ acceptance: GraphQLAcceptance) {
    let (pieces, end) = GraphQLStreamEncoder(acceptance).pieces(events)
    var steps = pieces.map {
      ReplyScript.Step(delay: $0.delay, action: .send(ByteBuffer(string: $0.text)))
    }
    switch end {
    case .complete: break
    // Without an end the stream stays open until the client leaves.
    case .open: steps.append(ReplyScript.Step(delay: .zero, action: .hang))
    case .broken(let delay, let ending):
      let manner: AbortMode = ending == .reset ? .reset : .close
      steps.append(ReplyScript.Step(delay: delay, action: .abandon(manner)))
    }
    content = .script(ReplyScript(steps: steps))
    addType(acceptance.contentType)
    if !headers.contains(name: "cache-control") {
      headers.add(name: "cache-control", value: "no-cache")
    }
  }

  private mutating func addType(_ type: String) {
    if !headers.contains(name: "content-type") { headers.add(name: "content-type", value: type) }
  }
}
