internal import NIOCore
internal import NIOHTTP1

/// Sends a request and passes the answer on.
final class UpstreamExchangeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: UpstreamRequest
  private let exchange: UpstreamExchange
  private let silence: TimeAmount?
  private let isHTTP2: Bool
  private var bound: Scheduled<Void>?
  /// The host's agreement to go on with another protocol.
  private var switching: HTTPResponseHead?

  /// - Parameter silence: how long the host may send nothing, in real time; `nil` is for ever.
  init(
    request: UpstreamRequest, exchange: UpstreamExchange, silence: TimeAmount?, isHTTP2: Bool
  ) {
    self.request = request
    self.exchange = exchange
    self.silence = silence
    self.isHTTP2 = isHTTP2
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // Where the protocol is agreed upon first, the connection stands already.
    if context.channel.isActive { begin(context) }
  }

  private func begin(_ context: ChannelHandlerContext) {
    expectNews(context)
    context.write(wrapOutboundOut(.head(request.head(isHTTP2: isHTTP2))), promise: nil)
    guard let feed = request.feed else {
      if request.body.readableBytes > 0 {
        context.write(wrapOutboundOut(.body(.byteBuffer(request.body))), promise: nil)
      }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      exchange.onSent()
      return
    }
    context.flush()
    feed.connect { [weak self] part in self?.pass(part, context) }
  }

  private func pass(_ part: RequestFeed.Part, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    exchange.clientSpoke()
    switch part {
    case .bytes(let bytes):
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
    case .end(let trailers):
      context.writeAndFlush(
        wrapOutboundOut(.end(trailers.isEmpty ? nil : trailers)), promise: nil)
    case .lost:
      exchange.abandon()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    expectNews(context)
    let part = unwrapInboundIn(data)
    if case .head(let head) = part, head.status == .switchingProtocols, request.isUpgrade {
      switching = head
      return
    }
    if case .head(let head) = part, head.status == .switchingProtocols {
      exchange.fail(.malformed("it has status 101, and the request asks for no other protocol"))
      return context.close(promise: nil)
    }
    guard let head = switching else { return exchange.receive(part) }
    if case .end = part { giveWay(to: head, context) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    exchange.endReading()
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    request.feed?.setWritable(context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  /// Removes HTTP from the connection's pipeline; bytes received already come behind.
  private func giveWay(to head: HTTPResponseHead, _ context: ChannelHandlerContext) {
    bound?.cancel()
    let pipeline = context.pipeline.syncOperations
    do {
      let encoder = try pipeline.context(handlerType: HTTPRequestEncoder.self)
      let decoder = try pipeline.context(
        handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
      exchange.tunnel(head, on: context.channel)
      pipeline.removeHandler(context: encoder, promise: nil)
      pipeline.removeHandler(context: context, promise: nil)
      pipeline.removeHandler(context: decoder, promise: nil)
    } catch {
      exchange.fail(.malformed("\(error)"))
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    bound?.cancel()
    request.feed?.disconnect()
    exchange.fail(.closed)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    exchange.fail(UpstreamFailure(error))
    context.close(promise: nil)
  }

  /// Real time: who waits for a real host waits in its time.
  private func expectNews(_ context: ChannelHandlerContext) {
    bound?.cancel()
    guard let silence, !exchange.isConversation else { return }
    let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    bound = context.eventLoop.scheduleTask(in: silence) {
      let (handler, context) = loopBound.value
      guard !handler.exchange.isConversation else { return }
      handler.exchange.fail(.silent)
      context.close(promise: nil)
    }
  }
}

/// Handles errors of the connection below the streams of HTTP/2.
final class UpstreamConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = Any

  private let exchange: UpstreamExchange

  init(exchange: UpstreamExchange) {
    self.exchange = exchange
  }

  func channelInactive(context: ChannelHandlerContext) {
    exchange.fail(.closed)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    exchange.fail(UpstreamFailure(error))
    context.close(promise: nil)
  }
}
