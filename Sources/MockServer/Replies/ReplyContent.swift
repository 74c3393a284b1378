internal import NIOCore
internal import NIOHTTP1

/// The content of a reply behind its head.
///
/// The way of requests and replies through the mock server, whatever the protocol:
///
/// 1. A handler (`HTTP1Handler` for HTTP/1, `HTTP2StreamHandler` for each stream of HTTP/2) gathers a request until
///    it is complete: head, body and trailers, as `ReceivedRequest`.
/// 2. `RequestRouter` takes content codings off the body, and calls back exactly once, on the event loop, at once or
///    later, with an `Answer`: a `PreparedReply` and the record of the request. The handler keeps the order of
///    replies that its protocol asks for.
/// 3. When the record's delay has passed in virtual time, a `ReplyWriter` writes the reply to a `ReplyWire`.
///
/// None of it blocks, and nothing waits in real time: the thread sleeps only when nothing is left to do, which is how
/// the supervisor sees that time may move on.
enum ReplyContent {
  /// A body of known length, read piece by piece as the client takes it.
  case body(BodySource)
  /// A script over virtual time: pieces, pauses, and ends of every kind.
  case script(ReplyScript)
  /// Pieces as they come, from a real host for instance.
  case feed(BodyStream)
  /// Messages of gRPC in turn with the client's.
  case conversation(GRPCConversation)
  /// Another protocol, if the client requested it; 426 otherwise.
  case webSocket(WebSocketOffer)
  /// The connection is relayed to a real host with another protocol.
  case tunnel(any ConnectionTunnel)

  /// An empty body.
  static var empty: ReplyContent { .body(.bytes(ByteBuffer())) }
}

/// A real host's connection that takes over the client's, in another protocol.
///
/// Lives on the event loop.
protocol ConnectionTunnel: AnyObject {
  /// The host's answer to the handshake.
  var head: HTTPResponseHead { get }
  /// The handler for the client's pipeline.
  func makeClientHandler() -> any ChannelHandler
  /// Starts to relay bytes to and from the client.
  func open(_ client: any Channel)
}
