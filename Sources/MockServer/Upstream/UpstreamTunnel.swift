internal import NIOCore
internal import NIOHTTP1

/// A WebSocket between a client and a real host: bytes go both ways as they come, and are read on the way.
///
/// Lives on the event loop.
final class UpstreamTunnel: ConnectionTunnel {
  /// A report of the tunnel.
  enum News {
    case utterance(WebSocketObserver.Utterance, isFromClient: Bool)
    /// The connection to the host ended before the client's did.
    case hostLeft(AbortMode)
    /// The tunnel has ended.
    case ended
  }

  /// The host's answer to the handshake.
  let head: HTTPResponseHead
  /// Receives reports.
  var report: (News) -> Void = { _ in }

  private let host: any Channel
  private let patience: UpstreamGracePeriod
  private var client: (any Channel)?
  private var waiting = CircularBuffer<ByteBuffer>()
  private var hostEnding: AbortMode?
  private var fromClient = WebSocketObserver()
  private var fromHost = WebSocketObserver()
  private var isOver = false

  init(head: HTTPResponseHead, host: any Channel, patience: UpstreamGracePeriod) {
    self.head = head
    self.host = host
    self.patience = patience
  }

  // MARK: - The client

  func makeClientHandler() -> any ChannelHandler {
    TunnelHandler(self, isClient: true)
  }

  /// Switches the client's connection to WebSocket.
  func open(_ client: any Channel) {
    self.client = client
    while let bytes = waiting.popFirst() { client.write(bytes, promise: nil) }
    client.flush()
    patience.expectAnswer(within: UpstreamGracePeriod.pause)
    if let hostEnding { leave(hostEnding) }
  }

  fileprivate func receiveFromClient(_ bytes: ByteBuffer) {
    guard !isOver else { return }
    patience.expectAnswer()
    for utterance in fromClient.read(bytes) {
      report(.utterance(utterance, isFromClient: true))
    }
    host.writeAndFlush(bytes, promise: nil)
  }

  /// The client's side is gone.
  func clientEnded(_ manner: AbortMode) {
    guard !isOver else { return }
    end()
    if manner == .reset { host.reset() } else { host.close(promise: nil) }
  }

  /// Reads one side only while the other takes more.
  fileprivate func setClientWritable(_ value: Bool) {
    host.setReading(value)
  }

  // MARK: - The host

  fileprivate func receiveFromHost(_ bytes: ByteBuffer) {
    guard !isOver else { return }
    patience.expectAnswer(within: UpstreamGracePeriod.pause)
    for utterance in fromHost.read(bytes) {
      report(.utterance(utterance, isFromClient: false))
    }
    // What the decoder of HTTP leaves over comes without an end of reading behind it.
    if let client { client.writeAndFlush(bytes, promise: nil) } else { waiting.append(bytes) }
  }

  fileprivate func setHostWritable(_ value: Bool) {
    client?.setReading(value)
  }

  fileprivate func hostEnded(_ manner: AbortMode) {
    guard !isOver else { return }
    if client == nil { hostEnding = manner } else { leave(manner) }
  }

  private func leave(_ manner: AbortMode) {
    report(.hostLeft(manner))
    let client = client
    end()
    if manner == .reset { client?.reset() } else { client?.close(promise: nil) }
  }

  private func end() {
    isOver = true
    patience.stop()
    report(.ended)
    report = { _ in }
    client = nil
  }
}

/// One end of a tunnel.
final class TunnelHandler: HalfCloseHandler {
  typealias InboundIn = ByteBuffer

  private let tunnel: UpstreamTunnel
  private let isClient: Bool
  private var manner = AbortMode.close

  init(_ tunnel: UpstreamTunnel, isClient: Bool) {
    self.tunnel = tunnel
    self.isClient = isClient
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    if isClient { tunnel.receiveFromClient(bytes) } else { tunnel.receiveFromHost(bytes) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    let isWritable = context.channel.isWritable
    if isClient { tunnel.setClientWritable(isWritable) } else { tunnel.setHostWritable(isWritable) }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    if isClient { tunnel.clientEnded(manner) } else { tunnel.hostEnded(manner) }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A host that ends TLS without its goodbye has only left.
    if isClient || UpstreamFailure(error) == .reset { manner = .reset }
    context.close(promise: nil)
  }
}
