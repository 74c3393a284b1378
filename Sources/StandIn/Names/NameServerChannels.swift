internal import NIOCore

/// Answers DNS datagrams.
final class NameDatagramHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>

  private let answerer: NameAnswerer

  init(answerer: NameAnswerer) {
    self.answerer = answerer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let ports = NamePorts(
      source: envelope.remoteAddress.port, local: context.channel.localAddress?.port)
    answerer.answer(to: Array(envelope.data.readableBytesView), from: ports) { answer in
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
final class NameStreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var answerer: NameAnswerer
  private var received = ByteBuffer()

  init(answerer: NameAnswerer) {
    self.answerer = answerer
    self.answerer.isStream = true
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    let ports = NamePorts(
      source: context.channel.remoteAddress?.port, local: context.channel.localAddress?.port)
    received.writeBuffer(&buffer)
    while let message = received.readLengthPrefixedSlice(as: UInt16.self) {
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      answerer.answer(to: Array(message.readableBytesView), from: ports) { answer in
        guard let answer else { return bound.value.close(promise: nil) }
        var reply = ByteBuffer()
        reply.writeInteger(UInt16(answer.count))
        reply.writeBytes(answer)
        bound.value.writeAndFlush(NIOAny(reply), promise: nil)
      }
    }
    received.discardReadBytes()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

extension NamePorts {
  /// `nil` where one of them is not known.
  fileprivate init?(source: Int?, local: Int?) {
    guard let source = source.flatMap({ UInt16(exactly: $0) }),
      let local = local.flatMap({ UInt16(exactly: $0) })
    else { return nil }
    self.init(source: source, local: local)
  }
}
