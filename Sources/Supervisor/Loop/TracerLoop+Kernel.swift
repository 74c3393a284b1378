internal import CSupervisor
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

// What the parts of a run get: this loop's target, and its time.

extension TracerLoop: TargetControl, TreeEnding, FaultKernel, WaitKernel, QuiescenceKernel,
  DebugKernel,
  SituationKernel, LaunchKernel, TerminalKernel, ReporterKernel, PendingKernel, BranchKernel,
  TurnKernel
{
  // MARK: - Parts

  var targets: LaunchedTargets { launcher.targets }
  var tracees: [ThreadIdentifier: Tracee] { tree.tracees }
  var processes: [ThreadIdentifier: TargetProcess] { tree.processes }
  var sockets: SocketTimeouts { waits.sockets }
  var spinners: SpinDetector { waits.spinners }
  var timers: TimerService { clocks.timers }
  var terminals: Terminals { output.terminals }
  var reporter: TraceReporter { output.reporter }

  func processes(of target: TargetNumber) -> [TargetProcess] {
    processes.values.filter { $0.target == target }
  }
  var placement: ProcessorPlacement { stops.placement }
  var destinations: (any ConnectionDestinations)? { interceptors.find(NetworkRedirector.self) }
  var router: (any ConnectionRouter)? { configuration.router }
  var branches: (any BranchMaker)? { faults.branches }

  // MARK: - Processes and threads

  var isSettled: Bool {
    tree.isSettled && stops.unhandled == 0 && !(turns?.isAwaited ?? false)
  }
  var isBranch: Bool { branch != nil }
  var takesTurns: Bool { turns != nil }
  var isLaunching: Bool { launcher.isLaunching }
  var hasLaunched: Bool { launcher.hasLaunched }

  func isOfTarget(_ thread: ThreadIdentifier) -> Bool { tree.holds(thread) }
  func home(of target: TargetNumber) -> TargetNumber { targets[target]?.request?.home ?? target }

  func launch(
    _ request: LaunchRequest, as number: TargetNumber, isRestart: Bool,
    _ result: OneShot<LaunchError?>
  ) {
    launcher.launch(request, as: number, isRestart: isRestart, result)
  }

  func loop(for branch: Branch, _ configuration: SupervisorConfiguration) -> any BranchKernel {
    TracerLoop(of: branch, trunk: self, configuration)
  }

  func interrupt(_ tracee: Tracee) {
    quiescence.resumed(tracee)
    _ = scenario_trace_interrupt(tracee.identifier.number)
  }

  func endHold(of tracee: Tracee, _ active: Tracee.ActiveWait) {
    waits.endHold(of: tracee, active)
  }

  func isCallOfRules(_ number: Int) -> Bool { faults.rules.systemCallsOfCalls.contains(number) }

  // MARK: - Who sleeps

  var isAtRest: Bool { isQuiescent(but: nil) }
  var isIdle: Bool { stops.isIdle }
  var hasJustPlaced: Bool { stops.hasJustPlaced }
  var runCounts: [UInt64] { quiescence.runCounts }
  var watchedThreads: [ThreadIdentifier: Tracee] { quiescence.sleepWatch.watched }
  var isMailboxEmpty: Bool { mailbox.isEmpty || turns?.isChoosing ?? false }
  var awaitsAnswer: Bool { configuration.awaitsAnswer() }
  var relaysOthers: Bool { configuration.relaysOthers }
  var ownFolder: String? { configuration.directory }
  var maySignalsCome: Bool {
    configuration.mayOthersAct || record.control.processesOutOfReach > 0
      || interceptors.find(WakingCalls.self)?.maySignalLater ?? true
  }
  var expectsAnswer: Bool { !clocks.external.isEmpty || awaitsAnswer }
  var hasTerminals: Bool { terminals.areInUse }
  var hasOutputToLookAt: Bool { output.isUnseen }

  func hasUnseenOutput() -> Bool { takeOutput() || output.isUnseen }
  func copyTerminals() -> TerminalEnds { terminals.copyEnds() }
  func holdJoiner() -> Bool { waits.holdJoiner() }
  func isQuiescent(but exception: Tracee?) -> Bool { quiescence.isQuiescent(but: exception) }
  func forgetQuiescence() { quiescence.forget() }
  func sleepBesideTurns() -> Bool { quiescence.isQuiescent() }
  func suspectSleepers(of process: TargetProcess?) { quiescence.suspect(process) }
  func suspectAllSleepers() { quiescence.sleepWatch.suspectAll() }
  func lookAtAllSleepers() { quiescence.sleepWatch.lookAtAll() }

  // MARK: - Those who wait

  var isStopping: Bool { pending.isStopping }
  var isWaitOver: Bool { mailbox.isEnding || pending.isOneOverdue }
  var mayPassTime: Bool { pending.letsTimePass }
  var awaitsTargetOnly: Bool { pending.awaitsTargetOnly }

  func stop() { pending.stop() }
  func begin(_ operation: any PendingWait) { pending.begin(operation) }
  func allowWaits() { pending.allow() }
  func cancelWaits() { pending.cancel() }
  func awaitRest(_ body: @escaping @Sendable () -> Void) { pending.awaitRest(body) }
  func reportAtEndOfTurn(_ body: @escaping () -> Void) { pending.complete(body) }
  func waiterReport() -> WaiterReport { pending.livelock.report(now: virtualNow) }
  func somethingMoved() { pending.somethingMoved() }
  func takeQuestions(of number: TargetNumber) { terminals.takeQuestions(of: number) }
  func typeAnswers() { terminals.typeAnswers() }
  func typeAnswersAtRest() {
    awaitRest { [mailbox] in mailbox.post { $0.typeAnswers() } }
  }

  // MARK: - Processors

  func leaveProcessor() { placement.leave() }
  func leaveProcessorSoon() { stops.leaveProcessorSoon() }
  func leaveAllProcessors() {
    placement.release()
    placement.leave()
  }

  /// Puts a thread that sleeps, and is about to be woken, on this thread's processor, where time waits for it.
  func place(_ tracee: Tracee) {
    if !clock.flows { placement.place(tracee) }
  }

  /// The same for the only thread of the tree.
  func placeLoneThread() {
    if tracees.count == 1, let tracee = tracees.values.first { place(tracee) }
  }

  // MARK: - Reports

  /// The waits and processes that were held, and those that escaped, so far.
  var control: ControlReport {
    var control = record.control
    control.order = turns?.report
    return control
  }

  func report(_ event: SupervisorEvent) {
    pending.livelock.record(event, isSpin: spinners.isOfPrograms)
    configuration.report(event)
  }

  func notice(_ text: String, of process: TargetProcess) { record.notice(text, of: process) }
  func recordCounterReader(_ program: String) { record.recordCounterReader(program) }

  func reportOutOfReach(_ process: TargetProcess, reason: String) {
    record.reportOutOfReach(process, reason: reason)
  }

  func reportSocketWait(of tracee: Tracee, call: Int, length: Nanoseconds) {
    reporter.reportSocketWait(of: tracee, call: call, length: length)
  }

  func recordWait(_ length: Nanoseconds, by owner: @autoclosure () -> WaitDescription) {
    record.recordWait(length, by: owner())
  }

  /// Counts a wait whose time is up.
  func countWake(of owner: WaitDescription, after length: Nanoseconds) {
    let process = owner.process.flatMap { processes[ThreadIdentifier($0)] }
    let starter = process?.parent.flatMap { processes[$0] }
    pending.livelock.count(
      WakeHistogram.Wait(
        program: owner.program, systemCall: owner.systemCallNumber, length: length),
      by: process.map {
        WakeHistogram.Sleeper(
          ordinal: $0.ordinal,
          starter: starter.map { .init(ordinal: $0.ordinal, program: $0.programName) })
      })
  }

  func isCharged(_ thread: ThreadIdentifier) -> Bool { pending.computing.isCharged(thread) }

  func recordCharge(_ length: Nanoseconds, to process: TargetProcess) {
    record.recordCharge(length, to: process)
    turns?.doubt("time was charged for what \(process.programName) computed")
  }

  func countSpin(of process: TargetProcess) {
    pending.livelock.count(
      WakeHistogram.Wait(
        program: process.programName, systemCall: WakeHistogram.Wait.spinning, length: .zero))
  }
}
