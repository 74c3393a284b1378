internal import CSupervisor
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// What the interceptors of a run get: this loop's target, and its time.
extension TracerLoop: TraceKernel, VirtualTime, TargetControl, FaultKernel, SocketKernel,
  SpinKernel, QuiescenceKernel
{
  var nextDeadline: Nanoseconds? { scheduler.earliest()?.instant }

  var isAtRest: Bool { isQuiescent() }

  var isSettled: Bool { tree.isSettled }

  var awaitsAnswer: Bool { configuration.awaitsAnswer() }

  var isMailboxEmpty: Bool { mailbox.isEmpty }

  var runCounts: [UInt64] { quiescence.runCounts }

  /// Whether everything sleeps, but for a thread that stands in a stop and is not to be asked.
  func isQuiescent(but exception: Tracee? = nil) -> Bool { quiescence.isQuiescent(but: exception) }

  func forgetQuiescence() { quiescence.forget() }

  func suspectSleepers(of process: TargetProcess?) { quiescence.suspect(process) }

  var moment: ClockMoment { scheduler.moment }

  func file(_ deadline: Deadline, for owner: WaitOwner) -> Timeline<WaitOwner>.Ticket? {
    scheduler.file(deadline, for: owner)
  }

  func setWall(to instant: WallInstant) {
    scheduler.change { $0.setWall(to: instant, real: $1) }
  }

  func cancel(_ ticket: Timeline<WaitOwner>.Ticket?) {
    scheduler.cancel(ticket)
  }

  func resume(_ tracee: Tracee) { resume(tracee, signal: 0) }

  var router: (any ConnectionRouter)? { configuration.router }

  var redirector: NetworkRedirector? { interceptors.find(NetworkRedirector.self) }

  var isWaitOver: Bool {
    mailbox.isEnding || operations.contains { $0.deadline <= RealClock.monotonic() }
  }

  func suspectAllSleepers() { quiescence.sleepWatch.suspectAll() }

  var watchedThreads: [ThreadIdentifier: Tracee] { quiescence.sleepWatch.watched }

  func interrupt(_ tracee: Tracee) {
    quiescence.resumed(tracee)
    _ = scenario_trace_interrupt(tracee.identifier.number)
  }

  var mayPassTime: Bool { operations.contains { $0.letsTimePass(self) } }

  func isCallOfRules(_ number: Int) -> Bool { faults.rules.systemCallsOfCalls.contains(number) }

  func letAskForClock(_ process: TargetProcess) { clockPages.letAsk(process) }

  func countSpin(of process: TargetProcess) {
    livelock.count(
      WakeHistogram.Wait(
        program: process.programName, systemCall: WakeHistogram.Wait.spinning, length: .zero))
  }

  func leaveProcessor() { placement.leave() }

  func recordCounterReader(_ program: String) { record.recordCounterReader(program) }

  func isOfTarget(_ thread: ThreadIdentifier) -> Bool { tree.holds(thread) }

  /// The interceptors that this run needs, whoever sees a call first at the front.
  func listInterceptors() -> Interceptors {
    var list: [any Interceptor] = []
    if branching != nil || branch != nil {
      list.append(
        LoopStage("branches") { [unowned self] in looksAfterBranches($0.registers, of: $0.tracee) })
    }
    list.append(ProcessContainment(kernel: self))
    if let bounds = configuration.fileBounds,
      let containment = FileContainment(kernel: self, bounds: bounds)
    {
      list.append(containment)
    }
    guard configuration.changesWorld else { return Interceptors(list) }
    if let functions = faults.functions { list.append(functions) }
    let isSeeded = configuration.entropy.isSeeded
    if isSeeded { list.append(RandomFileOpens(kernel: self)) }
    if configuration.clock != nil {
      list.append(
        LoopStage("packet times", calls: [SystemCallNumber.setsockopt]) { [unowned self] in
          watchPacketTimes(before: $0.registers, of: $0.tracee)
        })
    }
    var counter: TimestampCounterGuard?
    if configuration.clock != nil || isSeeded {
      let guardian = TimestampCounterGuard(
        kernel: self, time: self, isSeeded: isSeeded,
        watchesPrograms: configuration.clock != nil && branch == nil
          && configuration.survey == nil)
      list.append(guardian)
      counter = guardian
    }
    if let watch = configuration.fileWatch { list.append(FileObserver(watch)) }
    if faults.isNeeded { list.append(faults) }
    if let limits = configuration.limits {
      list.append(ResourceLimits(kernel: self, limits: limits))
    }
    if configuration.stampsFiles { list.append(FileStamper(kernel: self, time: self)) }
    if configuration.clock != nil {
      list.append(
        TimerCalls(
          time: self, timers: timers,
          descriptors: TimerDescriptorCalls(
            timers: timers, descriptors: timerDescriptors, cancelledReads: cancelledReads)))
    }
    if isSeeded { list.append(EntropySeeder(configuration.entropy)) }
    if let counter { list.append(TimestampCounterFlags(counter)) }
    if let plan = configuration.clock {
      // Some calls and files tell where a thread may run: sched_getaffinity(2), /proc/self/status.
      list.append(
        LoopStage("placement", calls: Self.placementCalls) { [unowned self] _ in
          placement.release()
          return false
        })
      list.append(ClockSetting(kernel: self, time: self, isSettable: plan.isSettable))
      list.append(ClockFiles(kernel: self, time: self))
    }
    if !configuration.fileReplacements.isEmpty {
      list.append(FileReplacer(configuration.fileReplacements))
    }
    if let router = configuration.router {
      list.append(
        NetworkRedirector(
          kernel: self, router: router, trustVariables: configuration.trustVariables))
    }
    return Interceptors(list)
  }

  private static let placementCalls = SystemCallNumber.opens.union([
    SystemCallNumber.schedSetaffinity, SystemCallNumber.schedGetaffinity,
  ])

  /// A call is over that interceptors watch, or will not be seen to end: `exit` is `nil` then.
  func endWatches(of tracee: Tracee, exit: Registers?) {
    guard !tracee.exitWatches.isEmpty else { return }
    let watches = tracee.exitWatches
    tracee.exitWatches.removeAll(keepingCapacity: true)
    for watch in watches { watch(exit) }
  }

  /// Shows a call to the interceptors that want it; true if one of them has taken it.
  func intercept(_ registers: Registers, of tracee: Tracee) -> Bool {
    switch interceptors.enter(InterceptedCall(tracee: tracee, registers: registers)) {
    case .pass, .watch:
      return false
    case .taken:
      return true
    case .proceed:
      resume(tracee)
    case .skip(let result):
      var registers = registers
      registers.skipSystemCall(returning: result)
      finish(tracee, with: registers)
    case .make(let changed, let exit):
      complete(tracee, original: registers, with: changed, exit)
    case .observe(let exit):
      tracee.state = .completing(CallCompletion(entry: registers, body: exit))
      resume(tracee)
    }
    return true
  }
}
