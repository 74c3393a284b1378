import Foundations
import Glibc

@testable import Supervisor

/// A kernel and a clock for interceptors, without any target: it records what they ask of it.
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
  /// The threads that were resumed.
  private(set) var resumed: [ThreadIdentifier] = []
  /// The calls that threads were to make, and what each returns.
  private(set) var madeCalls: [(number: Int, arguments: [UInt64])] = []
  var callResult: Int?
  /// The calls that are made with other arguments, and what happens at their exits.
  private(set) var completed: [(changed: Registers, body: (inout Registers) -> Void)] = []
  /// The arguments that calls got in place of their own.
  private(set) var replaced: [Registers] = []
  /// How often all sleepers were to be examined.
  private(set) var looksAtAll = 0
  /// Whether processes get no filter later.
  var refusesFilters = false
  /// Whether the descriptors of this process are the target's.
  var sharesDescriptors = false
  var destinations: (any ConnectionDestinations)?
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

  func copyDescriptor(_ descriptor: Int32, of tracee: Tracee) -> Int32 {
    sharesDescriptors ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1
  }

  func isOfTarget(_ thread: ThreadIdentifier) -> Bool {
    tracees[thread] != nil || processes[thread] != nil
  }

  func addFilter(
    _ late: LateFilter, before registers: Registers, of tracee: Tracee, failure: String
  ) -> Bool { !refusesFilters && tracee.process.lateFilters.insert(late).inserted }

  func makeCall(
    _ number: Int, _ arguments: [UInt64], in tracee: Tracee, _ registers: Registers,
    at instruction: UInt64
  ) -> Int? {
    madeCalls.append((number, arguments))
    return callResult
  }

  func sendPostponedSignals(to tracee: Tracee) {}

  func resume(_ tracee: Tracee) { resumed.append(tracee.identifier) }

  func finish(_ tracee: Tracee, with registers: Registers) {}

  func complete(
    _ tracee: Tracee, original: Registers, with changed: Registers,
    _ body: @escaping (inout Registers) -> Void
  ) { completed.append((changed, body)) }

  func replaceArguments(
    of tracee: Tracee, original: Registers, with changed: Registers, scratchSlot: Int?
  ) { replaced.append(changed) }

  func forgetQuiescence() {}

  func lookAtAllSleepers() { looksAtAll += 1 }

  func reportOutOfReach(_ process: TargetProcess, reason: String) {}

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

// MARK: - What other parts of the supervisor ask

extension FakeKernel: SocketKernel {
  var watchedThreads: [ThreadIdentifier: Tracee] { tracees }

  func interrupt(_ tracee: Tracee) {}

  func reportSocketWait(of tracee: Tracee, call: Int, length: Nanoseconds) {}
}

extension FakeKernel: SpinKernel {
  var clockGeneration: UInt64 { UInt64(moves.count) }
  var runCounts: [UInt64] { [] }
  var mayPassTime: Bool { false }

  func isCharged(_ thread: ThreadIdentifier) -> Bool { false }

  func isCallOfRules(_ number: Int) -> Bool { false }

  func publishClock(to process: TargetProcess) {}

  func letAskForClock(_ process: TargetProcess) {}

  func countSpin(of process: TargetProcess) {}
}

extension FakeKernel: TerminalKernel {
  var targets: LaunchedTargets { LaunchedTargets() }

  func takeOutput() -> Bool { false }

  func typeAnswersAtRest() {}
}
