internal import NIOCore

/// Holds back what a connection says whose maker is not known, until that is so: a stranger gets no answer.
///
/// Whoever of the target's connects is known before it can speak, as a rule; of the rest the surroundings find out.
final class AdmissionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: ClientConnection
  private let reception: Reception
  /// What has come meanwhile, in order; `nil` where the client has closed its side.
  private var held: [ByteBuffer?] = []
  private var isAsking = false

  init(connection: ClientConnection, reception: Reception) {
    self.connection = connection
    self.reception = reception
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isAsking else { return held.append(unwrapInboundIn(data)) }
    guard let admission = reception.environment.admission, let ports = connection.ports,
      reception.origin(of: connection) == nil
    else {
      context.fireChannelRead(data)
      return context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
    held.append(unwrapInboundIn(data))
    isAsking = true
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let gate = reception.gate
    admission(ports.source, ports.local) { stranger in
      gate.execute { bound.value.0.decide(stranger, bound.value.1) }
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if !isAsking { context.fireChannelReadComplete() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if isAsking, case ChannelEvent.inputClosed = event { return held.append(nil) }
    context.fireUserInboundEventTriggered(event)
  }

  private func decide(_ stranger: Stranger?, _ context: ChannelHandlerContext) {
    isAsking = false
    guard context.channel.isActive else { return }
    if let stranger {
      reception.recordStranger(connection, stranger)
      return context.close(promise: nil)
    }
    for item in held {
      if let item {
        context.fireChannelRead(wrapInboundOut(item))
      } else {
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      }
    }
    held = []
    context.fireChannelReadComplete()
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}
