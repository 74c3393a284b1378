internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOTLS
internal import ScenarioModel
internal import ScenarioPlan

/// A client's connection that follows a script.
final class ConversationHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Begins TLS in front of a handler.
  typealias StartTLS =
    (ChannelPipeline.SynchronousOperations, ConversationHandler) throws -> Void

  private let connection: ClientConnection
  private let conversations: ConversationService
  private let startTLS: StartTLS
  private var session: ConversationSession?
  private var hasBegun = false
  private var isInputClosed = false
  private var isOutputClosed = false

  init(
    _ connection: ClientConnection, _ conversations: ConversationService,
    startTLS: @escaping StartTLS
  ) {
    self.connection = connection
    self.conversations = conversations
    self.startTLS = startTLS
  }

  // MARK: - The connection

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard !hasBegun else { return }
    hasBegun = true
    guard let claim = conversations.claim(for: connection) else {
      // Another connection, at the same instant, was the last one of the entry.
      return context.close(promise: nil)
    }
    let session = conversations.makeSession(claim, for: connection, on: line(context))
    self.session = session
    session.begin(isSecure: claim.conversation.isSecure)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    session?.received(unwrapInboundIn(data))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted: session?.becameSecure()
    case TLSUserEvent.shutdownCompleted, ChannelEvent.inputClosed:
      isInputClosed = true
      session?.clientEnded()
      if isOutputClosed { context.close(promise: nil) }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    session?.lost()
    // It holds the context, which holds this handler.
    session = nil
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  // MARK: - Out

  private func line(_ context: ChannelHandlerContext) -> ConversationSession.Line {
    ConversationSession.Line(
      send: { [self] in context.writeAndFlush(wrapOutboundOut($0), promise: nil) },
      startTLS: { [self] in openTLS(context) },
      close: { [self] in close($0, context) },
      schedule: conversations.schedule)
  }

  private func openTLS(_ context: ChannelHandlerContext) {
    do {
      try startTLS(context.pipeline.syncOperations, self)
    } catch {
      conversations.reportMalformed("cannot begin TLS: \(error)", on: connection)
      context.close(promise: nil)
    }
  }

  /// Closes the connection behind what was sent.
  private func close(_ ending: ConnectionEnding, _ context: ChannelHandlerContext) {
    let written = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound((context: context, handler: self), eventLoop: context.eventLoop)
    written.futureResult.whenComplete { _ in
      let context = bound.value.context
      switch ending {
      case .end: bound.value.handler.closeOutput(context)
      case .reset: context.channel.reset()
      case .abrupt:
        // Past TLS, which would say goodbye.
        let first = try? context.pipeline.syncOperations.context(
          handlerType: AcknowledgingHandler.self)
        (first ?? context).close(promise: nil)
      }
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
  }

  /// Closes this side, and the whole connection once the client has closed its own.
  ///
  /// The kernel would answer what the client has sent, and nothing reads any more, by a reset (RFC 9293, section 3.10.7),
  /// which may overtake what was sent to it.
  private func closeOutput(_ context: ChannelHandlerContext) {
    isOutputClosed = true
    guard !isInputClosed else { return context.close(promise: nil) }
    let closed = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    closed.futureResult.whenFailure { _ in bound.value.close(promise: nil) }
    context.close(mode: .output, promise: closed)
  }
}
