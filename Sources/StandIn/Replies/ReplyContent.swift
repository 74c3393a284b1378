internal import NIOCore
internal import ScenarioModel

/// What follows the head of a reply.
enum ReplyContent {
  /// A body that is there.
  case body(BodySource)
  /// What happens, one step after the other.
  case script(ReplyScript)
  /// Another protocol.
  case webSocket(WebSocketOffer)
}

/// A body of known length.
enum BodySource {
  /// Bytes in memory.
  case bytes(ByteBuffer)
}

/// A reply over virtual time.
struct ReplyScript {
  /// Something that happens to the connection.
  enum Action {
    /// A piece of the body.
    case send(ByteBuffer)
    /// Nothing, until the client leaves.
    case hang
  }

  /// An action and when it is due.
  struct Step {
    /// Virtual time since the step before, or since the reply began.
    var delay: Nanoseconds
    /// What happens then.
    var action: Action
  }

  /// The steps in order; behind the last the message is finished.
  var steps: [Step]
}
