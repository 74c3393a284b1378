import Foundations
@testable import Supervisor

/// A kernel and a clock for interceptors, without any target.
final class FakeKernel: TraceKernel, VirtualTime {
  let tree = ProcessTree()
  var processes: [ThreadIdentifier: TargetProcess] = [:]
  var tracees: [ThreadIdentifier: Tracee] = [:]
  private(set) var events: [SupervisorEvent] = []
  private(set) var notices: [String] = []
  private(set) var suspected: [ThreadIdentifier] = []
  private(set) var waits: [Nanoseconds] = []
  private(set) var wakes: [Nanoseconds] = []
  private(set) var moves: [ClockMoveReason] = []
  var clock: VirtualClock
  private var timeline = Timeline<WaitOwner>()

  init(flow: ClockFlow = .auto) {
    clock = VirtualClock(wall: .epoch, flow: flow, real: .zero)
  }

  /// How long the clock has run.
  var elapsed: Nanoseconds { clock.elapsed(real: .zero) }

  /// The next deadline, which is taken off the timeline.
  func nextDeadline() -> Timeline<WaitOwner>.Item? {
    let item = timeline.earliest(on: clock, now: clock.monotonic(real: .zero))
    timeline.cancel(item?.ticket)
    return item
  }

  var moment: ClockMoment { ClockMoment(clock: clock, real: .zero) }

  func copyDescriptor(_ descriptor: Int32, of tracee: Tracee) -> Int32 { -1 }

  func isOfTarget(_ thread: ThreadIdentifier) -> Bool {
    tracees[thread] != nil || processes[thread] != nil
  }

  func addFilter(
    _ late: LateFilter, before registers: Registers, of tracee: Tracee, failure: String
  ) -> Bool { tracee.process.lateFilters.insert(late).inserted }

  func makeCall(
    _ number: Int, _ arguments: [UInt64], in tracee: Tracee, _ registers: Registers,
    at instruction: UInt64
  ) -> Int? { nil }

  func sendPostponedSignals(to tracee: Tracee) {}

  func resume(_ tracee: Tracee) {}

  func finish(_ tracee: Tracee, with registers: Registers) {}

  func complete(
    _ tracee: Tracee, original: Registers, with changed: Registers,
    _ body: @escaping (inout Registers) -> Void
  ) {}

  func replaceArguments(
    of tracee: Tracee, original: Registers, with changed: Registers, scratchSlot: Int?
  ) {}

  func forgetQuiescence() {}

  func lookAtAllSleepers() {}

  func reportOutOfReach(_ process: TargetProcess, reason: String) {}

  let destinations: (any ConnectionDestinations)? = nil

  var virtualNow: Nanoseconds { clock.monotonic(real: .zero) }

  func recordCounterReader(_ program: String) {}

  func notice(_ text: String, of process: TargetProcess) { notices.append(text) }

  func suspectSleepers(of process: TargetProcess?) {
    if let process { suspected.append(process.identifier) }
  }

  func report(_ event: SupervisorEvent) { events.append(event) }

  func file(
    _ deadline: Deadline, mayBeLate: Bool, for owner: WaitOwner
  ) -> Timeline<WaitOwner>.Ticket? {
    deadline.instant(on: clock) == .forever ? nil : timeline.file(deadline, for: owner)
  }

  func setWall(to instant: WallInstant, of wall: WallNumber) {
    clock.setWall(to: instant, of: wall, real: .zero)
  }

  func cancel(_ ticket: Timeline<WaitOwner>.Ticket?) { timeline.cancel(ticket) }

  func advance(to instant: Nanoseconds, because reason: ClockMoveReason) {
    clock.advance(to: instant, real: .zero)
    moves.append(reason)
  }

  func recordWait(_ length: Nanoseconds, by owner: @autoclosure () -> WaitDescription) {
    waits.append(length)
  }

  func countWake(of owner: WaitDescription, after length: Nanoseconds) { wakes.append(length) }
}
