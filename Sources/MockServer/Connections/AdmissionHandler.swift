internal import NIOCore

/// Holds back what a client sends until its process is known: a stranger gets no answer.
///
/// Processes of the target are known before they can send, as a rule; of the rest the environment finds out.
final class AdmissionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Finds out, on any thread, whether a stranger made the connection between two ports, and who.
  typealias Lookup =
    @Sendable (
      _ sourcePort: UInt16, _ port: UInt16, _ completion: @escaping @Sendable (Stranger?) -> Void
    ) -> Void

  private let connection: ClientConnection
  private let reporter: ConnectionReporter
  private let eventLoop: EventLoopHandle
  private let findStranger: Lookup?
  /// The bytes that the client has sent meanwhile, in order; `nil` where it has closed its side.
  private var held: [ByteBuffer?] = []
  private var isAsking = false
  /// True if the next handlers are to learn of the connection only once its process is known: they speak first.
  private let asksAtOnce: Bool

  init(
    connection: ClientConnection, reporter: ConnectionReporter, eventLoop: EventLoopHandle,
    findStranger: Lookup?, asksAtOnce: Bool = false
  ) {
    self.asksAtOnce = asksAtOnce
    self.connection = connection
    self.reporter = reporter
    self.eventLoop = eventLoop
    self.findStranger = findStranger
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isAsking else { return held.append(unwrapInboundIn(data)) }
    guard let findStranger, let ports = connection.ports,
      reporter.origin(of: connection) == nil
    else {
      context.fireChannelRead(data)
      return context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
    held.append(unwrapInboundIn(data))
    ask(findStranger, ports, context)
  }

  func channelActive(context: ChannelHandlerContext) {
    guard asksAtOnce, let findStranger, let ports = connection.ports,
      reporter.origin(of: connection) == nil
    else { return context.fireChannelActive() }
    ask(findStranger, ports, context)
  }

  private func ask(
    _ findStranger: Lookup, _ ports: (source: UInt16, local: UInt16),
    _ context: ChannelHandlerContext
  ) {
    isAsking = true
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    findStranger(ports.source, ports.local) { [eventLoop] stranger in
      eventLoop.execute { bound.value.0.decide(stranger, bound.value.1) }
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
      reporter.reportStranger(connection, stranger)
      return context.close(promise: nil)
    }
    if asksAtOnce { context.fireChannelActive() }
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
