internal import Foundations
internal import NIOCore
internal import NIOHTTP1

/// A reply over virtual time.
struct ReplyScript {
  /// An action on the connection.
  enum Action {
    /// A piece of the body.
    case send(ByteBuffer)
    /// Bytes that go onto the connection as they are, past every framing.
    case sendRaw(ByteBuffer)
    /// The proper end of the message.
    case finish(trailers: HTTPHeaders)
    /// An end that is none.
    case abandon(AbortMode)
    /// Sends nothing, until the client leaves.
    case hang
  }

  /// An action and when it is due.
  struct Step {
    /// Virtual time since the step before, or since the reply began.
    var delay: Nanoseconds
    /// The action at that time.
    var action: Action
  }

  /// True if the head is sent at the beginning.
  ///
  /// Without it only `sendRaw`, `abandon` and `hang` mean anything.
  var beginsWithHead = true
  /// The `content-length` that is announced, true or not; `nil` where the end marks itself.
  var length: Int?
  /// The steps in order; behind the last the message is finished, unless one has ended it before.
  var steps: [Step]
}
