internal import Foundations
internal import MockEngine
internal import NIOCore
internal import ScenarioModel
internal import ScenarioPlan

/// Sends webhooks to targets, when they are due in virtual time.
///
/// A webhook that is due is one of the world's timers: time goes up to it, and not past it. While its answer is awaited
/// time goes on, as it does for any client.
///
/// Lives on the event loop.
final class WebhookSender {
  /// A webhook on its way.
  private final class Delivery {
    let call: WebhookCall
    /// The times that it has been sent.
    var count = 0
    /// When it is sent next; `nil` while its answer is awaited.
    var due: Nanoseconds?
    var began = Nanoseconds.zero
    /// True once the attempt under way has ended.
    var isSettled = true
    var cancelPatience: () -> Void = {}
    var channel: (any Channel)?

    init(_ call: WebhookCall) { self.call = call }
  }

  private let loop: EventLoopHandle
  private let clock: VirtualClock
  private let calls: PendingUpstreamCalls
  private let findEntrance: FindTargetEntrance?
  private let reporter: EventReporter
  /// The webhooks that no target has taken yet, in order.
  private var deliveries: [Delivery] = []

  init(
    loop: EventLoopHandle, clock: VirtualClock, calls: PendingUpstreamCalls,
    findEntrance: FindTargetEntrance?, reporter: EventReporter
  ) {
    self.loop = loop
    self.clock = clock
    self.calls = calls
    self.findEntrance = findEntrance
    self.reporter = reporter
  }

  /// The pending webhooks.
  var pending: [PendingWebhook] {
    deliveries.map {
      PendingWebhook(
        entry: $0.call.entry, request: "\($0.call.method) \($0.call.text)", due: $0.due,
        planned: $0.call.planned)
    }
  }

  /// Files the webhooks of a reply that is due after a delay.
  ///
  /// - Parameters:
  ///   - planned: the webhooks of the reply.
  ///   - entry: the name of the entry that answers.
  ///   - use: the number of the request among those that the entry answers.
  ///   - instant: when the request was complete, by the wall clock.
  ///   - scope: what expressions may ask.
  func file(
    _ planned: [PlannedWebhook], of entry: String, use: Int, at instant: WallInstant?,
    after delay: Nanoseconds, in scope: some RunScope
  ) {
    for webhook in planned {
      do throws(RunScopeError) {
        let call = try webhook.call(
          of: entry, use: use, behind: instant.map { $0 + delay }, in: scope)
        let delivery = Delivery(call)
        deliveries.append(delivery)
        wait(delay + call.delay, for: delivery)
      } catch {
        reporter.report(
          .webhook(
            WebhookAttempt(
              entry: entry, method: webhook.method, url: webhook.url.sourceText, number: 1,
              time: clock.elapsed, duration: .zero, result: .broken(error.message),
              unanswered: .fail, range: error.range ?? webhook.range)))
      }
    }
  }

  private func wait(_ delay: Nanoseconds, for delivery: Delivery) {
    delivery.due = clock.elapsed + delay
    clock.schedule(after: delay) { [self] in send(delivery) }
  }

  // MARK: - An attempt

  private func send(_ delivery: Delivery) {
    delivery.count += 1
    delivery.due = nil
    delivery.began = clock.elapsed
    delivery.isSettled = false
    guard let findEntrance else { return end(delivery, Self.outside(delivery)) }
    // Time stands still until the request is with the target.
    let call = NIOLoopBound((self, delivery, calls.open(toTarget: true)), eventLoop: loop.loop)
    findEntrance(delivery.call.url.host, delivery.call.url.port) { [loop] entrance in
      loop.execute {
        let (sender, delivery, hold) = call.value
        switch entrance {
        case .outside:
          sender.end(delivery, Self.outside(delivery))
        case .closed:
          sender.end(
            delivery, .failed("no target listens at port \(delivery.call.url.port)"))
        case .open(let address, let port):
          if let place = try? SocketAddress(ipAddress: address, port: Int(port)) {
            return sender.connect(delivery, to: place, hold)
          }
          sender.end(delivery, .broken("\"\(address)\" is not an address"))
        }
        hold.close()
      }
    }
  }

  private static func outside(_ delivery: Delivery) -> WebhookAttempt.Result {
    .broken(
      "\"\(delivery.call.url.host)\" is not a target of the case, and webhooks go only to targets")
  }

  private func connect(
    _ delivery: Delivery, to address: SocketAddress, _ hold: PendingUpstreamCall
  ) {
    delivery.cancelPatience = clock.scheduleCancellable(after: delivery.call.planned.patience) {
      [self, count = delivery.count] in
      guard delivery.count == count else { return }
      end(delivery, .failed("no answer came within \(delivery.call.planned.patience)"))
    }
    let bound = NIOLoopBound((self, delivery, hold), eventLoop: loop.loop)
    let count = delivery.count
    WebhookConnection.open(
      to: address, loop: loop.loop, for: delivery.call,
      whenSent: { bound.value.2.close() },
      completion: { result in
        let (sender, delivery, hold) = bound.value
        if delivery.count == count { sender.end(delivery, result) }
        hold.close()
      }
    ).whenSuccess { channel in bound.value.1.channel = channel }
  }

  private func end(_ delivery: Delivery, _ result: WebhookAttempt.Result) {
    guard !delivery.isSettled else { return }
    delivery.isSettled = true
    delivery.cancelPatience()
    delivery.channel?.close(promise: nil)
    delivery.channel = nil
    let planned = delivery.call.planned
    var attempt = WebhookAttempt(
      entry: delivery.call.entry, method: delivery.call.method, url: delivery.call.text,
      number: delivery.count, time: delivery.began, duration: clock.elapsed - delivery.began,
      result: result, unanswered: planned.unanswered, range: planned.range)
    if !attempt.isTaken, !attempt.isBroken, delivery.count <= planned.retries {
      attempt.retry = Self.doubled(planned.retryDelay, times: delivery.count - 1)
    }
    if let retry = attempt.retry {
      wait(retry, for: delivery)
    } else {
      deliveries.removeAll { $0 === delivery }
    }
    reporter.reportWhileServing(.webhook(attempt))
  }

  /// Twice as long each time, up to a day, or to the first wait if that is longer.
  private static func doubled(_ delay: Nanoseconds, times: Int) -> Nanoseconds {
    let longest = max(delay, .seconds(86_400))
    var result = delay
    for _ in 0..<times where result < longest { result = min(result + result, longest) }
    return result
  }
}
