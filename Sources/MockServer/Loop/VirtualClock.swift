internal import Foundations
internal import NIOCore

/// The scenario's clocks and timers, for what lives on the event loop.
final class VirtualClock: Sendable {
  private let eventLoop: EventLoopHandle
  private let readWall: @Sendable () -> WallInstant
  private let readElapsed: @Sendable () -> Nanoseconds
  private let callBack: @Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> Void
  private let callBackUnlessCancelled:
    (@Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> (@Sendable () -> Void))?

  /// Creates a clock whose timers call back on any thread.
  init(
    _ eventLoop: EventLoopHandle, now: @escaping @Sendable () -> WallInstant,
    elapsed: @escaping @Sendable () -> Nanoseconds,
    schedule: @escaping @Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> Void,
    scheduleUnlessCancelled: (
      @Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> (@Sendable () -> Void)
    )?
  ) {
    self.eventLoop = eventLoop
    readWall = now
    readElapsed = elapsed
    callBack = schedule
    callBackUnlessCancelled = scheduleUnlessCancelled
  }

  /// The scenario's wall clock.
  var now: WallInstant { readWall() }

  /// Virtual time since the scenario's start.
  var elapsed: Nanoseconds { readElapsed() }

  /// Runs the work on the event loop once that much virtual time has passed.
  func schedule(after delay: Nanoseconds, _ work: @escaping () -> Void) {
    let bound = NIOLoopBound(work, eventLoop: eventLoop.loop)
    callBack(delay) { [eventLoop] in eventLoop.execute { bound.value() } }
  }

  /// Runs the work on the event loop once that much virtual time has passed, unless it is cancelled.
  ///
  /// - Returns: what cancels it. Where the environment cannot cancel, the work runs all the same.
  func scheduleCancellable(after delay: Nanoseconds, _ work: @escaping () -> Void) -> () -> Void {
    guard let callBackUnlessCancelled else {
      schedule(after: delay, work)
      return {}
    }
    let bound = NIOLoopBound(work, eventLoop: eventLoop.loop)
    return callBackUnlessCancelled(delay) { [eventLoop] in eventLoop.execute { bound.value() } }
  }
}
