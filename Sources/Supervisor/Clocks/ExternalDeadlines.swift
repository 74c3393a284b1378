internal import Foundations
internal import ScenarioModel

/// The deadlines of those outside the target, such as replies that are delayed.
final class ExternalDeadlines {
  private unowned let time: any VirtualTime
  private var bodies: [UInt64: @Sendable () -> Void] = [:]
  private var lastNumber: UInt64 = 0

  /// - Parameter time: whose deadlines they are.
  init(time: any VirtualTime) {
    self.time = time
  }

  /// True if there are none.
  var isEmpty: Bool { bodies.isEmpty }

  /// Files a deadline; `body` runs once it has come.
  func schedule(
    after delay: Nanoseconds, _ body: @escaping @Sendable () -> Void
  ) -> FiledTask {
    lastNumber += 1
    bodies[lastNumber] = body
    let instant = time.clock.monotonic(real: RealClock.monotonic()) + delay
    return FiledTask(
      number: lastNumber,
      ticket: time.file(.monotonic(instant), for: .externalParticipant(lastNumber)))
  }

  /// Cancels a deadline.
  func cancel(_ filed: FiledTask) {
    bodies.removeValue(forKey: filed.number)
    time.cancel(filed.ticket)
  }

  /// A deadline has come.
  func fire(_ number: UInt64) { bodies.removeValue(forKey: number)?() }
}
