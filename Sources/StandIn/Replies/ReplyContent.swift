internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel

/// What follows the head of a reply.
///
/// How requests and replies pass through the stand-in, whatever the protocol:
///
/// 1. A connection (`ConversationHandler` for HTTP/1, `StreamHandler` for each stream of HTTP/2) gathers a
///    request until it is complete: head, body and trailers, as `ReceivedRequest`. Its `head.version` and
///    `stream` tell the protocol. Content codings are taken off the body before anybody matches.
/// 2. It hands the request to `Reception.answer(_:on:completion:)`, which calls back exactly once, on the
///    event loop, at once or later, with an `Answer`: a `PreparedReply` and the record of the request.
///    Where several requests are under way on one connection, the connection keeps the order of replies
///    that its protocol asks for.
/// 3. When the record's delay has passed in virtual time, a `ReplyWriter` puts the reply on the wire:
///    - `.body`: a body of known length, read piece by piece as the client takes it;
///    - `.script`: what is fixed beforehand, over virtual time: pieces, pauses, and ends of every kind.
///      Server-sent events, `multipart/mixed` and faults below HTTP's meaning are scripts;
///    - `.feed`: pieces as they come, from an upstream for instance;
///    - `.webSocket`: the connection becomes a WebSocket (RFC 6455), which talks to a `WebSocketSession`.
///
/// None of it blocks, and nothing waits in real time: the thread sleeps only when nothing is left to do,
/// which is how the supervisor sees that time may move on.
enum ReplyContent {
  /// A body that is there.
  case body(BodySource)
  /// What happens, one step after the other.
  case script(ReplyScript)
  /// Pieces as they come.
  case feed(BodyStream)
  /// Messages of gRPC in turn with the client's.
  case conversation(GRPCConversation)
  /// Another protocol, if the client asked for it; 426 otherwise.
  case webSocket(WebSocketOffer)
  /// The connection goes on to a real host that speaks another protocol.
  case tunnel(UpstreamTunnel)

  /// Nothing.
  static var empty: ReplyContent { .body(.bytes(ByteBuffer())) }
}

/// A reply over virtual time.
struct ReplyScript {
  /// Something that happens to the connection.
  enum Action {
    /// A piece of the body.
    case send(ByteBuffer)
    /// Bytes that go onto the connection as they are, past every framing.
    case sendRaw(ByteBuffer)
    /// The proper end of the message.
    case finish(trailers: HTTPHeaders)
    /// An end that is none.
    case abandon(AbortMode)
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

  /// Whether the head is sent at the beginning.
  ///
  /// Without it only `sendRaw`, `abandon` and `hang` mean anything.
  var beginsWithHead = true
  /// The `content-length` that is announced, true or not; `nil` where the end marks itself.
  var length: Int?
  /// The steps in order; behind the last the message is finished, unless one has ended it before.
  var steps: [Step]
}

/// Ways to leave a message without its end.
enum AbortMode: Hashable {
  /// The connection is closed in order.
  case close
  /// The connection is reset: the client reads ECONNRESET.
  case reset
  /// The stream ends with an error code of RFC 9113, section 7; HTTP/1 resets the connection.
  case resetStream(code: Int)
  /// No stream of the connection goes on, GOAWAY (RFC 9113, section 6.8); HTTP/1 closes the connection.
  case goAway(code: Int)
  /// What is no chunk comes where one should, then the connection is closed. HTTP/2 has no chunks: its
  /// stream ends with PROTOCOL_ERROR, as where somebody between has met such a chunk (RFC 9113, section
  /// 8.1.1).
  case malformedChunk
}
