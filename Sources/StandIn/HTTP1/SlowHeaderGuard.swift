internal import NIOCore

/// Sees to it that nobody sends the head of a request for ever, a byte now and then (Slowloris).
///
/// What counts is virtual time. Bodies may take as long as they like: there are clients that stream for hours.
final class SlowHeaderGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let conversation: ConversationHandler
  private let reception: Reception
  /// Calls the end off that is waiting; `nil` while no head is under way.
  private var callOff: (() -> Void)?

  /// Watches for a conversation that stands behind this in the pipeline.
  init(conversation: ConversationHandler, reception: Reception) {
    self.conversation = conversation
    self.reception = reception
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let count = conversation.partCount
    context.fireChannelRead(data)
    guard conversation.partCount == count, conversation.expectsHead else { return end() }
    guard callOff == nil else { return }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    callOff = reception.appoint(HTTPLimits.maximumHeadTime) { [weak self] in
      guard let self, callOff != nil else { return }
      callOff = nil
      conversation.refuseUnfinishedHead()
      bound.value.flush()
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
  }

  private func end() {
    callOff?()
    callOff = nil
  }
}
