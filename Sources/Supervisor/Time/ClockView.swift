package import Foundations
package import ScenarioPlan
internal import Synchronization

/// The clocks of a scenario, for any thread, without waiting for the supervisor.
///
/// The threads that answer the supervisor's own questions (a mock server that is asked for a port,
/// say) must be able to read the time meanwhile.
package final class ClockView: Sendable {
  private let clock: Mutex<VirtualClock>

  /// Starts the clocks of a scenario.
  ///
  /// - Parameters:
  ///   - settings: what the scenario says; `nil` is the present, flowing.
  ///   - present: the machine's wall clock.
  ///   - deviations: how the wall clocks of targets differ, by their numbers; `nil` is not at all.
  package init(
    _ settings: PlannedClock?, present: WallInstant, deviations: [ClockDeviation?] = []
  ) {
    clock = Mutex(
      VirtualClock(
        wall: settings?.at ?? present, flow: settings?.flow ?? .real, real: RealClock.monotonic(),
        deviations: deviations, leapSecond: settings?.leapSecond))
  }

  /// Shows clocks that have begun elsewhere.
  init(_ clock: VirtualClock) {
    self.clock = Mutex(clock)
  }

  /// Returns what the clocks show now.
  package func reading() -> ClockReading {
    clock.withLock { clock in
      let real = RealClock.monotonic()
      return ClockReading(
        wall: clock.wall(real: real), elapsed: clock.elapsed(real: real), flows: clock.flows)
    }
  }

  func current() -> VirtualClock {
    clock.withLock { $0 }
  }

  /// Changes the clocks; who reads them meanwhile waits, so that nobody sees more than what slower clocks
  /// go on from.
  ///
  /// - Parameter readRealClock: the kernel's CLOCK_MONOTONIC.
  func change(
    reading readRealClock: () -> Nanoseconds,
    _ body: (inout VirtualClock, _ real: Nanoseconds) -> Void
  ) -> VirtualClock {
    clock.withLock { clock in
      body(&clock, readRealClock())
      return clock
    }
  }

  func update(_ value: VirtualClock) {
    clock.withLock { $0 = value }
  }
}

/// The values that a scenario's clocks show at one moment.
package struct ClockReading: Sendable, Hashable {
  /// CLOCK_REALTIME.
  package var wall: WallInstant
  /// Monotonic time since the scenario's start.
  package var elapsed: Nanoseconds
  /// True if time passes by itself.
  package var flows: Bool
}
