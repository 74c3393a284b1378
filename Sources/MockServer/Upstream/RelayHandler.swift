internal import NIOCore

/// Relays the bytes of a connection to a real host and back, unread: the mock server is out of the
/// way.
///
/// The meaning of the bytes is unknown, and so is whether an answer is pending: see
/// `UpstreamGracePeriod`.
final class RelayHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let connection: ClientConnection
  private let client: UpstreamClient
  private let faults: UpstreamFaults
  private let place: (host: String, port: UInt16)
  private var peer: (any Channel)?
  private var waiting = CircularBuffer<ByteBuffer>()
  private var hasInputEnded = false
  private let patience: UpstreamGracePeriod

  /// Relays to where the client's host is reached.
  init(
    connection: ClientConnection, client: UpstreamClient, faults: UpstreamFaults,
    to place: (host: String, port: UInt16)
  ) {
    self.connection = connection
    self.client = client
    self.faults = faults
    self.place = place
    patience = client.patience()
  }

  func channelActive(context: ChannelHandlerContext) {
    patience.expectAnswer(within: client.settings.connectTimeout)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    client.connect(to: place.host, port: place.port, named: connection.name) {
      channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(RelayPeerHandler(client: bound.value.0))
        bound.value.0.clientContext = bound.value.1
      }
    }.whenComplete { result in
      let (handler, context) = bound.value
      switch result {
      case .success(let channel): handler.connected(channel, context)
      case .failure(let error): handler.fail(UpstreamFailure(error), context)
      }
    }
    context.fireChannelActive()
  }

  fileprivate var clientContext: ChannelHandlerContext?

  private func connected(_ channel: any Channel, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else {
      channel.close(promise: nil)
      return
    }
    peer = channel
    while let buffer = waiting.popFirst() { channel.write(buffer, promise: nil) }
    channel.flush()
    if hasInputEnded { channel.close(mode: .output, promise: nil) }
    // Many hosts speak first.
    patience.expectAnswer(within: UpstreamGracePeriod.pause)
  }

  private func fail(_ failure: UpstreamFailure, _ context: ChannelHandlerContext) {
    faults.report(connection.name, failure)
    context.channel.reset()
    patience.stop()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    patience.expectAnswer()
    if let peer { peer.write(buffer, promise: nil) } else { waiting.append(buffer) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    peer?.flush()
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      hasInputEnded = true
      peer?.close(mode: .output, promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    patience.stop()
    clientContext = nil
    peer?.close(promise: nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    peer?.reset()
    context.close(promise: nil)
  }

  // MARK: - What the host does

  fileprivate func receive(_ buffer: ByteBuffer) {
    guard let clientContext else { return }
    patience.expectAnswer(within: UpstreamGracePeriod.pause)
    clientContext.write(wrapOutboundOut(buffer), promise: nil)
  }

  fileprivate func flush() {
    clientContext?.flush()
  }

  fileprivate func peerEnded(_ error: (any Error)?) {
    patience.stop()
    guard let clientContext else { return }
    if error == nil {
      clientContext.close(promise: nil)
    } else {
      clientContext.channel.reset()
    }
  }
}

/// The other end of a relay.
private final class RelayPeerHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let client: RelayHandler
  private var error: (any Error)?

  init(client: RelayHandler) {
    self.client = client
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    client.receive(unwrapInboundIn(data))
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    client.flush()
  }

  func channelInactive(context: ChannelHandlerContext) {
    client.peerEnded(error)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    self.error = error
    context.close(promise: nil)
  }
}
