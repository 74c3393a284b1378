internal import NIOCore
internal import NIOHTTP1

/// A conversation that continues in another protocol.
extension HTTP1Handler {
  /// Leads a client that takes the mock server for a proxy to the mock server (RFC 9110, section 9.3.6).
  func openTunnel(for entry: Entry, context: ChannelHandlerContext) {
    guard let (host, port) = HTTPAuthority.split(entry.head.uri), let port else {
      let message = "\"CONNECT \(entry.head.uri)\" does not name a host and a port"
      service.reportMalformed(message)
      entry.keepsAlive = false
      ending.drain()
      return send(.refusal(400, message), in: entry, context: context)
    }
    let isLiteral = AddressLiteral.bytes(of: host) != nil
    let address = isLiteral ? host : service.connection.destination.address
    let destination = Destination(host: isLiteral ? nil : host, address: address, port: port)
    let head = HTTPResponseHead(
      version: .http1_1, status: .custom(code: 200, reasonPhrase: "Connection established"))
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    replaceSelf(
      with: [service.proxiedHandler(to: destination)], context: context)
  }

  func openWebSocket(
    _ handshake: WebSocketHandshake, _ offer: WebSocketOffer, _ headers: HTTPHeaders,
    context: ChannelHandlerContext
  ) {
    let head = handshake.head(with: service.finalHeaders(headers))
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    let handler = WebSocketHandler(
      session: offer.session, schedule: service.schedule, reportMalformed: service.reportMalformed)
    replaceSelf(with: handler.handlers, context: context) { handler.open() }
  }

  /// Leads the client to a real host that has agreed on another protocol.
  func join(_ tunnel: any ConnectionTunnel, context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(.head(tunnel.head)), promise: nil)
    let channel = context.channel
    replaceSelf(with: [tunnel.makeClientHandler()], context: context) {
      tunnel.open(channel)
    }
  }

  /// Hands the connection over; what has been received already comes behind.
  private func replaceSelf(
    with handlers: [any ChannelHandler], context: ChannelHandlerContext,
    then begin: () -> Void = {}
  ) {
    detach()
    let pipeline = context.pipeline.syncOperations
    do {
      let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
      let decoder = try pipeline.context(
        handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandlers(handlers, position: .after(self))
      pipeline.removeHandler(context: encoder, promise: nil)
      pipeline.removeHandler(context: context, promise: nil)
      begin()
      pipeline.removeHandler(context: decoder, promise: nil)
    } catch {
      service.reportMalformed("cannot serve the connection: \(error)")
      context.close(promise: nil)
    }
  }
}
