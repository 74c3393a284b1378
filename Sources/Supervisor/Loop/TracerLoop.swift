internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc

/// The supervisor's own thread: holds the process tree, moves virtual time, answers the runner.
///
/// Everything here is confined to that thread, which is the tracer of the whole tree (ptrace(2)
/// requests count only from the thread that seized the tracee).
final class TracerLoop {
  let configuration: SupervisorConfiguration
  let mailbox: Mailbox
  let template: InjectedImage.Template?
  private(set) var filter: FilterProgram?
  let refusedCalls: RefusedCalls
  /// What fault rules do to the target.
  private(set) lazy var faults = FaultInjector(
    kernel: self, rules: Self.rules(of: configuration), configuration, hooks: nil, vdso: nil)
  /// What is tried at the points of a survey; `nil` where nothing is.
  let branching: ForkServer?
  /// What this loop holds, if it is a branch of another one's target.
  let branch: Branch?

  /// Keeps the target's time.
  private(set) lazy var scheduler = Scheduler(
    client: self, view: configuration.view, clock: configuration.view.current())
  /// How the target's clocks stand.
  var clock: VirtualClock { scheduler.clock }
  private(set) lazy var timerDescriptors = TimerDescriptors(
    kernel: self, openFiles: Self.descriptorLimit() / (branch == nil ? 8 : 16))
  private(set) lazy var cancelledReads = CancelledReads(
    kernel: self, descriptors: timerDescriptors)
  private(set) lazy var timers = TimerService(
    kernel: self, time: self, descriptors: timerDescriptors, cancelledReads: cancelledReads)
  /// What changes the calls of the target, in the order in which a call is shown.
  private(set) lazy var interceptors = listInterceptors()
  /// The deadlines of those outside the target.
  private(set) lazy var externalDeadlines = ExternalDeadlines(time: self)
  /// Whether any target has been started.
  var hasLaunched = false
  /// How many threads may have their files of /proc open, of which each has five.
  let openSamplerLimit: Int
  /// The pages by which processes read their clocks.
  private(set) lazy var clockPages = ClockPages(
    kernel: self, time: self, isVirtual: configuration.clock != nil)
  var blockStack: [VirtualClock.Displacement] = []
  /// Those who are told when the tree has come to rest.
  var restWaiters = QuiescenceWaiters()
  /// Whether the target has made a pseudo-terminal.
  var hasTerminals = false
  /// Whether answers of a terminal wait until the tree is at rest.
  var awaitsRestForAnswers = false
  /// The timeouts of the target's sockets.
  private(set) lazy var sockets = SocketTimeouts(
    kernel: self, isVirtual: configuration.clock != nil)
  /// What is known of connections of which the target has asked for times.
  private(set) lazy var connectionTimes = ConnectionTimesReporter(
    kernel: self, time: self, isVirtual: configuration.clock != nil)

  /// The processes and threads of the target.
  let tree: ProcessTree
  /// The threads of the target.
  var tracees: [ThreadIdentifier: Tracee] { tree.tracees }
  /// The processes of the target, by their first threads.
  var processes: [ThreadIdentifier: TargetProcess] { tree.processes }

  var targets = LaunchedTargets()
  /// Launches whose programs do not run yet; one, unless a target is being started again.
  var pendingLaunches: [PendingLaunch] = []
  var operations: [any PendingWait] = []
  /// What is told to those who waited, once this turn is over.
  var completions: [() -> Void] = []
  /// Whether output was taken that no operation has looked at.
  private(set) var isOutputUnseen = false
  var isStopping = false
  /// Whether nobody is to wait for the target any more.
  var isCancelled = false
  /// Knows whether everything sleeps.
  private(set) lazy var quiescence = QuiescenceDetector(
    kernel: self,
    externalProbes: configuration.externalThreads.map {
      ThreadStateProbe(process: getpid(), thread: $0)
    }, keepsTime: configuration.clock != nil)
  /// How long everything has slept with nothing to wake it.
  var stillSince: Nanoseconds?
  /// When, by the kernel's CLOCK_MONOTONIC, it is looked next whether everything is stuck.
  var nextStuckLook = Nanoseconds.zero
  /// Who let time pass, and whether anything else happened.
  private(set) lazy var livelock = LivelockWatch(limit: configuration.deadlineLimit)
  /// Holds threads that spin.
  private(set) lazy var spinners = SpinDetector(kernel: self, idleTurn: configuration.idleTurn)
  /// The threads that compute while somebody of their process waits for an instant.
  var computing = ComputingWatch()
  /// On which processors threads run that are waited for.
  let placement = ProcessorPlacement()
  /// When, in real time, something happened last.
  private(set) var lastProgress = Nanoseconds.zero
  private(set) var idleRounds = 0
  /// Whether the loop is to sleep as soon as there is nothing to do.
  var leavesProcessor = false
  /// Whether nothing has happened for longer than threads as a rule run from one wait to the next.
  var isIdle: Bool { idleRounds > Self.spinRounds }
  /// Whether a thread that waits for this one's processor cannot have run yet.
  var hasJustPlaced: Bool { idleRounds == 0 && placement.hasPlaced }
  private var turns: UInt = 0
  private var stops: [scenario_stop] = []
  /// How many threads have been seen to stop, and still wait to be heard.
  private(set) var unhandledStops = 0
  /// What was held, and what escaped.
  private(set) lazy var record = ControlRecorder { [unowned self] in report($0) }
  var leakDetectors = LeakDetectorCache()

  init(configuration: SupervisorConfiguration, mailbox: Mailbox) {
    self.configuration = configuration
    self.mailbox = mailbox
    branch = nil
    tree = ProcessTree()
    branching = configuration.survey?.branches.map(ForkServer.init)
    let needsImage =
      configuration.clock != nil || configuration.router?.redirects ?? false
      || !configuration.fileReplacements.isEmpty || configuration.entropy.isSeeded
    template =
      needsImage
      ? InjectedImage.Template(
        replacementPaths: configuration.fileReplacements.map(\.replacement),
        isSeeded: configuration.entropy.isSeeded) : nil
    let rules = Self.rules(of: configuration)
    refusedCalls =
      configuration.changesWorld
      ? .among(
        Set(rules.systemCallsOfCalls).union(
          configuration.clock == nil ? [] : RefusedCalls.ofClocks)) : .none
    openSamplerLimit = Self.descriptorLimit() / 8
    let disks = DiskWatch(
      configuration.chaos, directory: configuration.directory,
      fileLimit: Self.descriptorLimit() / 4)
    faults = FaultInjector(
      kernel: self, rules: rules, configuration, disks: disks,
      hooks: FunctionHooks(FunctionFaults(configuration, rules.table)), vdso: template?.kernel)
    filter = FilterProgram(
      rules: FilterRules.rules(
        for: configuration, interceptors: interceptors, faults: rules, disks: disks),
      refused: refusedCalls)
    faults.findPlainCalls(in: configuration, interceptors)
    if SignalSources.areInherited { quiescence.sleepWatch.lookAtAll() }
  }

  /// A loop for a branch, which finds all as the trunk's loop has it.
  init(of branch: Branch, trunk: TracerLoop, _ configuration: SupervisorConfiguration) {
    self.configuration = configuration
    self.branch = branch
    branching = nil
    mailbox = branch.mailbox
    template = trunk.template
    filter = trunk.filter
    refusedCalls = trunk.refusedCalls
    openSamplerLimit = trunk.openSamplerLimit
    tree = ProcessTree(processCount: trunk.tree.processCount)
    quiescence = QuiescenceDetector(
      kernel: self, externalProbes: trunk.quiescence.externalProbes,
      keepsTime: configuration.clock != nil)
    spinners = SpinDetector(kernel: self, idleTurn: trunk.spinners.idleTurn)
    clockPages = ClockPages(
      kernel: self, time: self, isVirtual: configuration.clock != nil,
      generation: trunk.clockGeneration)
    // Where rules are about disks, nothing branches.
    faults = FaultInjector(
      kernel: self, rules: FaultRules(copying: trunk.faults.rules), configuration,
      hooks: trunk.faults.functions?.hooks, vdso: template?.kernel)
    inherit(from: trunk)
  }

  /// The rules of a configuration, nothing counted yet.
  private static func rules(of configuration: SupervisorConfiguration) -> FaultRules {
    let rules = FaultRules(
      entries: configuration.chaos, directory: configuration.directory, seed: configuration.seed)
    rules.table.tellsOriginals = configuration.survey != nil
    rules.table.notesOriginals = configuration.survey == nil
    return rules
  }

  /// How many descriptors this process may have (getrlimit(2)).
  private static func descriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: min(limit.rlim_cur, 1 << 20))
  }

  /// Runs until the mailbox says stop and the tree is gone.
  func run() {
    while true {
      let progressed = takeStops()
      let received = takeMail()
      // A tree that makes one call after the other never lets the loop rest.
      if turns % Self.turnsPerOutput == 0 { _ = takeOutput() }
      if isStopping {
        guard !tree.isGone else { break }
        killTree()
      }
      pollOperations()
      let moved = isStopping ? false : moveTime()
      if clock.flows { for interceptor in interceptors.all { interceptor.clocksMoved() } }
      if progressed || received || moved {
        // A companion that has just spoken, or been spoken to, may need this processor.
        idleRounds = leavesProcessor ? Self.spinRounds : 0
        leavesProcessor = false
        lastProgress = RealClock.monotonic()
        continue
      }
      idleRounds += 1
      placement.releaseInTime(since: lastProgress)
      // A thread that has just been let go often stops again within microseconds, which is less than it
      // takes to fall asleep and be woken.
      guard idleRounds > Self.spinRounds || isDeserted else {
        // A thread that was put on this one's processor waits for it.
        if placement.isShared, !placement.yieldProcessor() {
          idleRounds = Self.spinRounds
        }
        continue
      }
      if takeOutput() {
        idleRounds = 0
      } else {
        placement.release()
        placement.leave()
        sleepUntilNews()
      }
    }
    runCompletions()
    targets.removeAll()
    faults.close()
    isCancelled = true
    pollOperations()
    reportRest()
  }

  /// Takes what the targets have written, and gives them what they read; true if there was any.
  func takeOutput() -> Bool {
    guard targets.transfer() else { return false }
    isOutputUnseen = true
    answerTerminalsAtRest()
    if configuration.sight != nil { reportOutput() }
    forgetQuiescence()
    return true
  }

  /// Whether output was taken that no operation has looked at.
  var hasOutputToLookAt: Bool { isOutputUnseen }

  /// Whether there is output that those who wait for it have not looked at; takes what is there.
  ///
  /// Time may not move before they have: it may be what they wait for, and they decide whether it goes on.
  func hasUnseenOutput() -> Bool { takeOutput() || isOutputUnseen }

  /// In how many turns the target's output is taken once at least.
  private static let turnsPerOutput: UInt = 64

  /// How many stops are taken before the loop looks at the clock and at its mail again.
  private static let stopsPerTurn = 256
  /// The same of a thread that stops again at once.
  private static let followedStopsPerTurn = 64

  /// Takes the stops that are there, of each thread at most one before the others had their turn: the
  /// kernel tells of the youngest thread first, and where those call again at once, nobody would ever get
  /// to hear of the oldest.
  private func takeStops() -> Bool {
    turns &+= 1
    var count = 0
    while count < (placement.awaitsStop ? Self.followedStopsPerTurn : Self.stopsPerTurn) {
      guard collectStops() || placement.awaitStop(collectStops) else { return count > 0 }
      count += stops.count
      unhandledStops = stops.count
      for stop in stops {
        unhandledStops -= 1
        handle(stop)
      }
      stops.removeAll(keepingCapacity: true)
    }
    // Such a turn takes as long as many others.
    turns |= Self.turnsPerOutput - 1
    return true
  }

  /// Collects what stops there are, of each thread one at most; false if there is none.
  ///
  /// The kernel tells of the youngest thread first. Were it let go before the others are asked for, one that
  /// stops again at once would keep the oldest from ever being heard.
  func collectStops() -> Bool {
    let others = quiescence.snapshot?.runner == nil && tracees.count > 1
    repeat {
      let stop = nextStop()
      guard stop.kind != SCENARIO_STOP_NONE else { break }
      stops.append(stop)
    } while others && stops.count < Self.stopsPerTurn
    return !stops.isEmpty
  }

  /// The next stop of the thread that alone may run, or of any.
  private func nextStop() -> scenario_stop {
    // A look at one thread is the same work however many there are.
    if let snapshot = quiescence.snapshot, let runner = snapshot.runner, snapshot.leaver == nil,
      !isIdle, turns % Self.turnsPerLook != 0
    {
      return scenario_next_stop_of(runner.identifier.number)
    }
    return scenario_next_stop()
  }

  /// While one thread alone may run, the others are looked at once in so many turns.
  private static let turnsPerLook: UInt = 16

  private func takeMail() -> Bool {
    let messages = mailbox.take()
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

  /// Lets operations look at the world; those that are through leave.
  func pollOperations() {
    isOutputUnseen = false
    guard !operations.isEmpty else { return }
    if isCancelled {
      for operation in operations { operation.cancel() }
      operations = []
    }
    operations.removeAll { $0.poll(self) }
    if !completions.isEmpty, !isDeserted { runCompletions() }
  }

  /// How many empty rounds the loop turns before it sleeps.
  static let spinRounds = 10

  func report(_ event: SupervisorEvent) {
    livelock.record(event, isSpin: spinners.isOfPrograms)
    configuration.report(event)
  }

  // MARK: - The end

  private func killTree() {
    // Parents first: none shall see its child die, and act on that.
    for process in processes.values.sorted(by: { $0.ordinal < $1.ordinal }) {
      kill(process.identifier.number, SIGKILL)
    }
    for thread in tree.unannounced {
      kill(thread.number, SIGKILL)
    }
  }
}
