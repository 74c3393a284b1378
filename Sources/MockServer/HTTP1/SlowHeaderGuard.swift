internal import NIOCore

/// Refuses heads of requests that a client sends too slowly, a byte now and then (Slowloris).
///
/// The time is virtual time. Bodies may take as long as they like: there are clients that stream for hours.
final class SlowHeaderGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let conversation: HTTP1Handler
  private let service: ConnectionContext
  /// Cancels the timer of the head that is under way; `nil` without one.
  private var cancel: (() -> Void)?

  /// Watches for a conversation that is behind this in the pipeline.
  init(conversation: HTTP1Handler, service: ConnectionContext) {
    self.conversation = conversation
    self.service = service
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let count = conversation.partCount
    context.fireChannelRead(data)
    guard conversation.partCount == count, conversation.expectsHead else { return end() }
    guard cancel == nil else { return }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    cancel = service.scheduleCancellable(after: HTTPLimits.maximumHeadTime) { [weak self] in
      guard let self, cancel != nil else { return }
      cancel = nil
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
    cancel?()
    cancel = nil
  }
}
