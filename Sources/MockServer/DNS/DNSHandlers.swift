internal import NIOCore

/// Answers DNS datagrams.
final class DNSDatagramHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>

  private let responder: DNSResponder

  init(responder: DNSResponder) {
    self.responder = responder
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let ports = DNSPorts(
      source: envelope.remoteAddress.port, local: context.channel.localAddress?.port)
    responder.answer(to: Array(envelope.data.readableBytesView), from: ports) { answer in
      guard let answer else { return }
      let reply = AddressedEnvelope(
        remoteAddress: envelope.remoteAddress, data: ByteBuffer(bytes: answer))
      bound.value.writeAndFlush(NIOAny(reply), promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // An ICMP error of a client that is gone arrives here; the socket serves the others on.
  }
}

/// Answers DNS messages on a stream, each behind two bytes of length (RFC 7766, section 8).
final class DNSStreamHandler: HalfCloseHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var responder: DNSResponder
  private var received = ByteBuffer()

  init(responder: DNSResponder) {
    self.responder = responder
    self.responder.isStream = true
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    let ports = DNSPorts(
      source: context.channel.remoteAddress?.port, local: context.channel.localAddress?.port)
    received.writeBuffer(&buffer)
    while let message = received.readLengthPrefixedSlice(as: UInt16.self) {
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      responder.answer(to: Array(message.readableBytesView), from: ports) { answer in
        guard let answer else { return bound.value.close(promise: nil) }
        var reply = ByteBuffer()
        reply.writeInteger(UInt16(answer.count))
        reply.writeBytes(answer)
        bound.value.writeAndFlush(NIOAny(reply), promise: nil)
      }
    }
    received.discardReadBytes()
  }
}

extension DNSPorts {
  /// `nil` where one of them is not known.
  fileprivate init?(source: Int?, local: Int?) {
    guard let source = source.flatMap({ UInt16(exactly: $0) }),
      let local = local.flatMap({ UInt16(exactly: $0) })
    else { return nil }
    self.init(source: source, local: local)
  }
}
