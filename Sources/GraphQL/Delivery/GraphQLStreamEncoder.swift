package import Foundations
internal import OrderedCollections

/// Writes a stream of results as an HTTP body.
///
/// `text/event-stream` follows GraphQL over SSE, distinct connections mode; `multipart/mixed` follows
/// Apollo's multipart protocols for subscriptions (`subscriptionSpec=1.0`) and for incremental delivery
/// (`deferSpec=20220824`, and `incrementalSpec=v0.2` with its pending results).
package struct GraphQLStreamEncoder: Sendable {
  /// A piece of the body, and when it is due.
  package struct Piece: Sendable, Hashable {
    /// Virtual time since the piece before.
    package var delay: Nanoseconds
    /// The text.
    package var text: String
  }

  /// The end behind the last piece.
  package enum End: Sendable, Hashable {
    /// The end of the body.
    case complete
    /// No end: the stream stays open.
    case open
    /// The end of the connection, when so much virtual time has passed.
    case broken(after: Nanoseconds, ConnectionEnding)
  }

  private let acceptance: GraphQLAcceptance

  /// Creates an encoder for a streaming acceptance.
  package init(_ acceptance: GraphQLAcceptance) {
    self.acceptance = acceptance
  }

  /// Returns the pieces in order, and the end behind them.
  package func pieces(_ events: [GraphQLTimedEvent]) -> (pieces: [Piece], end: End) {
    var pieces: [Piece] = []
    if acceptance != .eventStream {
      pieces.append(Piece(delay: .zero, text: "--\(GraphQLAcceptance.boundary)"))
    }
    for (index, timed) in events.enumerated() {
      let isLast = index + 1 < events.count && events[index + 1].isImmediateEnd
      let isEnded = isIncremental && isLast
      switch timed.event {
      case .next(let payload):
        pieces.append(Piece(delay: timed.delay, text: next(payload, isFirst: index == 0, isEnded)))
      case .errors(let errors):
        let payload = Value.map(["errors": errors])
        pieces.append(Piece(delay: timed.delay, text: failure(payload, errors) + end))
        return (pieces, .complete)
      case .close:
        return (pieces, .broken(after: timed.delay, .abrupt))
      case .leave(let ending):
        return (pieces, .broken(after: timed.delay, ending))
      case .complete:
        let needsFlag =
          isIncremental && !(timed.isImmediateEnd && index > 0)
        let text = (needsFlag ? part(.map(["hasNext": .bool(false)])) : "") + end
        pieces.append(Piece(delay: timed.delay, text: text))
        return (pieces, .complete)
      }
    }
    return (pieces, .open)
  }

  private func next(_ payload: Value, isFirst: Bool, _ isEnded: Bool) -> String {
    switch acceptance {
    case .eventStream: return event("next", payload)
    case .subscriptionParts: return part(.map(["payload": payload]))
    default:
      guard case .map(var members) = payload else { return part(payload) }
      let isWrapped = ["pending", "incremental", "completed"].contains { members[$0] != nil }
      if !isFirst, !isWrapped, members["path"] != nil || members["label"] != nil {
        members = ["incremental": .list([payload])]
      }
      members["hasNext"] = .bool(!isEnded)
      return part(.map(members))
    }
  }

  private var isIncremental: Bool {
    acceptance == .deferParts || acceptance == .incrementalParts
  }

  private func failure(_ payload: Value, _ errors: Value) -> String {
    switch acceptance {
    case .eventStream: event("next", payload)
    case .subscriptionParts: part(.map(["payload": .null, "errors": errors]))
    default: part(.map(["errors": errors, "hasNext": .bool(false)]))
    }
  }

  private var end: String {
    acceptance == .eventStream ? "event: complete\ndata:\n\n" : "--\r\n"
  }

  private func event(_ name: String, _ payload: Value) -> String {
    "event: \(name)\ndata: \(payload.jsonText())\n\n"
  }

  /// A part, with the delimiter behind it: a client knows of its end at once.
  private func part(_ value: Value) -> String {
    "\r\ncontent-type: application/json\r\n\r\n\(value.jsonText())\r\n--\(GraphQLAcceptance.boundary)"
  }
}

extension GraphQLTimedEvent {
  fileprivate var isImmediateEnd: Bool { event == .complete && delay <= .zero }
}
