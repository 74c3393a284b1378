package import Foundations
package import ScenarioPlan

/// The parts of a scenario that its mock server needs.
///
/// The closures are called on the mock server's own thread and must not block.
package struct MockServerEnvironment: Sendable {
  /// The scenario's wall clock; replies carry it as their `date`.
  package var now: @Sendable () -> WallInstant
  /// Virtual time since the scenario's start.
  package var elapsed: @Sendable () -> Nanoseconds
  /// Calls back, on any thread, when that much virtual time has passed.
  package var schedule: @Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> Void
  /// Calls back like `schedule`, unless what it returns is called before; where it is `nil`, calling back
  /// cannot be called off.
  package var appoint:
    (@Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> (@Sendable () -> Void))?
  /// Receives what happened, in order.
  package var record: @Sendable (MockServerEvent) -> Void
  /// True if `exchanged` is wanted, which copies every body.
  package var recordsExchanges = false
  /// Reports when no client can ask anything more at this instant; `nil` where requests are answered as they
  /// come.
  package var rest: QuiescenceSignal?
  /// Finds, on any thread, the stranger that has made the connection from one port of this machine
  /// to another; `nil` if all are admitted.
  package var admission:
    (
      @Sendable (
        _ sourcePort: UInt16, _ port: UInt16, _ completion: @escaping @Sendable (Stranger?) -> Void
      ) -> Void
    )?
  /// The value of `${{ dir }}`.
  package var directory: String
  /// The values that steps have captured, for `${{ capture.NAME }}`.
  package var captures = CapturedValues()
  /// The addresses of names that lead to targets, and not to the mock server.
  package var hosts: [String: String] = [:]
  /// The number of addresses, from the first one on, that lead to targets or to processes outside of the targets.
  package var reservedAddresses = 0
  /// Decides about faults of links; `nil` if no entry is about one.
  package var links: LinkFaults?
  /// The settings of the relay between hosts; `nil` if hosts connect directly.
  package var relay: HostRelaySettings?

  /// Finds where targets take webhooks, and requests that they handle; `nil` if none does.
  package var findTargetEntrance: FindTargetEntrance?
  /// Finds where on this machine real hosts are that are reached at an address of loopback; `nil` leaves them there.
  package var findLoopbackEntrance: FindTargetEntrance?
  /// Asks the programs that handle requests; `nil` if none does.
  package var askHandlerProgram: AskHandlerProgram?

  /// Creates an environment.
  package init(
    now: @escaping @Sendable () -> WallInstant,
    elapsed: @escaping @Sendable () -> Nanoseconds,
    schedule: @escaping @Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> Void,
    record: @escaping @Sendable (MockServerEvent) -> Void,
    directory: String
  ) {
    self.now = now
    self.elapsed = elapsed
    self.schedule = schedule
    self.record = record
    self.directory = directory
  }

  /// The values that expressions may use besides the request.
  var scope: CaseScope { CaseScope(directory: directory, captures: captures) }

  /// The clocks for what lives on the event loop.
  func clock(_ eventLoop: EventLoopHandle) -> VirtualClock {
    VirtualClock(
      eventLoop, now: now, elapsed: elapsed, schedule: schedule, scheduleUnlessCancelled: appoint)
  }
}
