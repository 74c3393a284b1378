internal import CSupervisor
internal import Foundations
internal import Glibc

/// The supervisor's own thread: reads the stops of the target's threads, moves virtual time,
/// answers the runner.
///
/// Everything here is confined to that thread, which is the tracer of the whole tree (ptrace(2)
/// requests count only from the thread that seized the tracee).
final class TracerLoop {
  let configuration: SupervisorConfiguration
  /// The mailbox for the runner's messages.
  let mailbox: Mailbox
  /// The state of this loop as a branch of another one's target; `nil` if it is none.
  let branch: Branch?
  /// Runs one thread at a time; `nil` where all run side by side.
  var turns: ThreadTurns? { stops.turns }
  /// The processes and threads of the target.
  let tree: ProcessTree
  /// Reads the stops of threads.
  let stops: StopReader
  /// The pending waits for the target.
  private(set) lazy var pending = PendingWaits(
    kernel: self, stuckAfter: branch == nil ? .seconds(1) : BranchWatch.stuckAfter,
    livelock: LivelockWatch(limit: configuration.deadlineLimit),
    computingCost: configuration.computingCost)
  /// The interceptors of the target's calls, in the order in which they see a call.
  private(set) lazy var interceptors = listInterceptors()
  /// The injector of faults into the target.
  private(set) lazy var faults = makeFaults(template: InjectedImage.Template(configuration))
  /// Holds threads where they stop, for a debugger.
  private(set) lazy var debugger = DebuggerHold(kernel: self)
  /// Starts targets.
  private(set) lazy var launcher = makeLauncher(template: nil)
  /// The output of the targets.
  private(set) lazy var output = TargetOutput(
    kernel: self, terminals: Terminals(kernel: self, isVirtual: configuration.clock != nil),
    reporter: TraceReporter(
      kernel: self, sight: configuration.sight, namesWriters: configuration.namesWriters,
      seesDueWaits: configuration.seesDueWaits))
  /// Keeps the target's time.
  private(set) lazy var scheduler = Scheduler(
    client: self, view: configuration.view, clock: configuration.view.current(),
    slack: configuration.slack, trace: schedulerTrace)
  /// The clocks as others read and set them, and the deadlines of timers and of those outside.
  private(set) lazy var clocks = makeClocks(trunk: nil)
  /// Holds timed waits.
  private(set) lazy var waits = makeWaits(idleTurn: configuration.idleTurn)
  /// Detects whether everything sleeps.
  private(set) lazy var quiescence = makeQuiescence(
    externalProbes: configuration.externalThreads.map {
      ThreadStateProbe(process: getpid(), thread: $0)
    })
  /// The waits and processes that were held, and those that escaped.
  private(set) lazy var record = ControlRecorder { [unowned self] in report($0) }

  init(configuration: SupervisorConfiguration, mailbox: Mailbox) {
    self.configuration = configuration
    self.mailbox = mailbox
    branch = nil
    tree = ProcessTree()
    stops = StopReader(tree: tree)
    let template = InjectedImage.Template(configuration)
    faults = makeFaults(template: template)
    launcher = makeLauncher(template: template)
    if let plan = configuration.survey?.branches {
      faults.branches = ForkServer(kernel: self, plan, configuration)
    }
    findPlainCalls()
    if SignalSources.areInherited { quiescence.sleepWatch.lookAtAll() }
    stops.turns = interceptors.find(ThreadTurns.self)
  }

  /// A loop for a branch, which finds all as the trunk's loop has it.
  init(of branch: Branch, trunk: TracerLoop, _ configuration: SupervisorConfiguration) {
    self.configuration = configuration
    self.branch = branch
    mailbox = branch.mailbox
    tree = ProcessTree(processCount: trunk.tree.processCount)
    stops = StopReader(tree: tree)
    quiescence = makeQuiescence(externalProbes: trunk.quiescence.externalProbes)
    waits = makeWaits(idleTurn: trunk.waits.spinners.idleTurn)
    clocks = makeClocks(trunk: trunk.clocks)
    // Where rules are about disks, nothing branches.
    faults = FaultInjector(
      kernel: self, rules: FaultRules(copying: trunk.faults.rules), configuration,
      hooks: trunk.faults.functions?.hooks, vdso: trunk.launcher.programs.template?.kernel)
    launcher = Launcher(kernel: self, configuration, copying: trunk.launcher)
    interceptors.inherit(from: trunk.interceptors)
    stops.turns = interceptors.find(ThreadTurns.self)
  }

  // MARK: - Parts

  private func makeFaults(template: InjectedImage.Template?) -> FaultInjector {
    let rules = FaultRules(configuration)
    return FaultInjector(
      kernel: self, rules: rules, configuration,
      disks: DiskWatch(
        configuration.chaos, directory: configuration.directory,
        fileLimit: DescriptorShortage.limit / 4),
      hooks: FunctionHooks(FunctionFaults(configuration, rules.table)), vdso: template?.kernel)
  }

  private func makeLauncher(template: InjectedImage.Template?) -> Launcher {
    let refused = RefusedCalls.of(configuration, faults.rules)
    let filter = FilterProgram(rules: interceptors.filterRules, refused: refused)
    return Launcher(
      kernel: self, configuration, filter: filter, refusedCalls: refused, template: template)
  }

  /// Finds the calls that may be resumed by their numbers alone, as only fault rules want to see
  /// them.
  private func findPlainCalls() {
    guard configuration.clock == nil, configuration.survey == nil,
      configuration.fileWatch == nil, !configuration.entropy.isSeeded
    else { return }
    let others = Interceptors(interceptors.all.filter { $0 !== faults })
    faults.findPlainCalls(beside: Set(others.filterRules.keys))
  }

  private func makeClocks(trunk: TargetClocks?) -> TargetClocks {
    TargetClocks(
      kernel: self, time: self, isVirtual: configuration.clock != nil,
      openFiles: DescriptorShortage.limit / (branch == nil ? 8 : 16), trunk: trunk)
  }

  private func makeWaits(idleTurn: Nanoseconds) -> TimedWaits {
    // Another run uses another amount of the processor, and is to go alike.
    let idleTurn =
      configuration.takesTurns ? max(idleTurn, SpinRecord.idleTurnInOrder) : idleTurn
    return TimedWaits(
      kernel: self, isVirtual: configuration.clock != nil, idleTurn: idleTurn,
      mayBranch: branch != nil || configuration.survey?.branches != nil,
      slack: configuration.slack)
  }

  private func makeQuiescence(externalProbes: [ThreadStateProbe]) -> QuiescenceDetector {
    QuiescenceDetector(
      kernel: self, externalProbes: externalProbes, keepsTime: configuration.clock != nil)
  }

  // MARK: - Turns

  /// Runs until the mailbox says stop and the tree is gone.
  func run() {
    while true {
      let progressed = stops.take(quiescence) { handle($0) }
      let received = takeMail()
      // A tree that makes one call after the other never lets the loop rest.
      if stops.isRoundOfOutput { _ = takeOutput() }
      if isStopping {
        turns?.end()
        guard !tree.isGone else { break }
        killTree()
      }
      let given = turns?.give() ?? false
      pollOperations()
      let moved = isStopping ? false : moveTime()
      if clock.flows { for interceptor in interceptors.all { interceptor.clocksMoved() } }
      if progressed || received || moved || given {
        stops.recordProgress()
        continue
      }
      guard stops.mayRest(isDeserted: isDeserted) else { continue }
      if takeOutput() {
        stops.recordOutput()
      } else {
        leaveAllProcessors()
        sleepUntilNews()
      }
    }
    pending.runCompletions()
    targets.removeAll()
    faults.close()
    output.recordLook()
    pending.end()
  }

  private func takeMail() -> Bool {
    let messages = mailbox.take(looksOnly: turns?.keepsMail(in: mailbox) ?? false)
    if !messages.isEmpty {
      forgetQuiescence()
      // It may have signals sent.
      quiescence.sleepWatch.suspectAll()
      // Whom a message starts may run wherever the supervisor may.
      placement.leave()
    }
    for message in messages {
      message(self)
    }
    return !messages.isEmpty
  }

  /// Lets operations check their conditions; those that are done leave.
  private func pollOperations() {
    output.recordLook()
    if pending.poll(), pending.hasCompletions, !isDeserted { pending.runCompletions() }
  }

  /// Transfers the targets' output and input; true if there was any output.
  func takeOutput() -> Bool {
    guard output.take() else { return false }
    forgetQuiescence()
    return true
  }

  // MARK: - Sleep

  /// Sleeps until a tracee stops, a pipe has bytes, a message comes, or a clock says so.
  private func sleepUntilNews() {
    // A transfer may have left a stop to be heard, of which no signal tells any more.
    if DescriptorTransfer.isNeeded, scenario_has_stop() == 1 { return }
    var descriptors = [pollfd(fd: mailbox.bell, events: Int16(POLLIN), revents: 0)]
    for target in targets.all { descriptors += target.pollDescriptors() }
    if let branch { descriptors.append(branch.trunkBell) }
    let length = sleepLength().count
    let isLent = isDeserted
    if isLent { mailbox.resting.lend(self) }
    pending.runCompletions()
    _ = descriptors.withUnsafeMutableBufferPointer {
      scenario_sleep($0.baseAddress, UInt32($0.count), length)
    }
    if isLent { mailbox.resting.takeBack() }
    mailbox.silenceBell()
    // What lies in the trunk's mailbox is taken once the branch has ended.
    branch?.trunk.silenceBell()
  }

  /// True if no process lives that the loop would hold, no output is still to be read, and no wait
  /// is pending: then only messages change its state.
  private var isDeserted: Bool {
    pending.isEmpty && isTreeGone && !isStopping && branch == nil
      && configuration.survey?.branches == nil
      && targets.all.allSatisfy { $0.pollDescriptors().isEmpty }
  }

  /// Returns how long the loop may sleep: to the next deadline in real time, and, while the loop
  /// waits for threads to fall asleep, which no event reports, 20 µs at first, then ever longer up
  /// to 1 ms.
  private func sleepLength() -> Nanoseconds {
    var length = Nanoseconds.milliseconds(200)
    let real = RealClock.monotonic()
    if clock.flows, let due = scheduler.firstDue {
      length = min(length, clock.realTime(until: due, real: real))
    }
    if clock.flows, interceptors.find(ClockFiles.self)?.hasOpenFiles ?? false {
      length = min(length, UptimeFiles.resolution)
    }
    if clock.flows, waits.sockets.areInUse {
      length = min(length, SocketTimeoutAccount.lookInterval)
    }
    if !spinners.isEmpty { length = min(length, SpinDetector.turnLength) }
    for operation in pending.operations {
      length = min(length, operation.deadline - real)
    }
    if pending.awaitsRest || pending.wantsQuiescence || turns?.isAwaited ?? false {
      let rounds = Int64(min(stops.idleRounds - StopReader.spinRounds, 50))
      length = min(length, .microseconds(pending.stillSince == nil ? 20 * rounds : 1_000))
    }
    return max(.zero, length)
  }
}
