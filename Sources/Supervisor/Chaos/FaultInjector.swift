internal import CSupervisor
internal import FaultEngine
internal import ScenarioModel
internal import ScenarioPlan

/// Injects the faults that fault rules decide into the target's calls, functions, disks and
/// processes.
final class FaultInjector: Interceptor {
  unowned let kernel: any FaultKernel
  let rules: FaultRules
  /// The replies that have gone out, which rules may wait for.
  let replies: ReplyCounter
  /// The case's directory.
  let directory: String?
  /// The follower of calls on disks; `nil` where no rule is about one.
  private(set) var disks: DiskFollower?
  /// The functions that are watched; `nil` if there are none.
  private(set) var functions: FunctionInjector?
  /// The recorder of a survey's points; `nil` if this is none.
  private(set) var survey: SurveyRecorder?
  private(set) lazy var processes = ProcessFaults(kernel: kernel, faults: self, replies: replies)
  /// The maker of branches of the target; `nil` where none are made.
  var branches: (any BranchMaker)?
  /// The programs that decide for rules.
  var decisions = AskedPrograms()
  /// The rules of which was reported that their programs give no answer.
  var undecided: Set<String> = []
  /// The faults in calls that are not over, by thread.
  private var threads: [ThreadIdentifier: ThreadFaults] = [:]
  /// True if calls may be resumed by their numbers alone.
  private(set) var passesPlainCalls = false

  let calls: Set<Int>? = nil

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - rules: the rules, and what they have counted.
  ///   - configuration: the environment that the scenario declares.
  ///   - disks: the disks that rules are about.
  ///   - hooks: the functions that are watched.
  ///   - vdso: the kernel's, where it has been read.
  init(
    kernel: any FaultKernel, rules: FaultRules, _ configuration: SupervisorConfiguration,
    disks: DiskWatch? = nil, hooks: FunctionHooks?, vdso: KernelVDSO?
  ) {
    self.kernel = kernel
    self.rules = rules
    replies = configuration.replies
    directory = configuration.directory
    self.disks = disks.map { DiskFollower(kernel: kernel, faults: self, watch: $0) }
    survey = configuration.survey.map { SurveyRecorder($0, faults: self) }
    functions = hooks.map {
      FunctionInjector(kernel: kernel, faults: self, configuration, hooks: $0, vdso: vdso)
    }
  }

  var filterRules: [Int: FilterRule] {
    let ofDisks = disks?.watch.filterRules(rules.table.entries) ?? [:]
    return ofDisks.merging(rules.systemCallsOfCalls.map { ($0, .trace) }) { $0.or($1) }
  }

  /// True if calls are to be shown to it.
  var isNeeded: Bool { !rules.isEmpty || disks != nil }

  /// The faults in the call of a thread that is not over.
  subscript(tracee: Tracee) -> ThreadFaults {
    get {
      threads.isEmpty ? ThreadFaults() : threads[tracee.identifier] ?? ThreadFaults()
    }
    set {
      // One that has ended meanwhile leaves nothing to the next thread of its number.
      guard newValue.isEmpty || kernel.tracees[tracee.identifier] === tracee else { return }
      guard !threads.isEmpty || !newValue.isEmpty else { return }
      threads[tracee.identifier] = newValue.isEmpty ? nil : newValue
    }
  }

  /// Returns whether a thread is in a call that was changed.
  func isInCall(of tracee: Tracee) -> Bool {
    !threads.isEmpty && threads[tracee.identifier]?.pending != nil
  }

  var obstacleToFork: String? {
    threads.values.contains { $0.pending != nil }
      ? "the thread is inside a watched call" : nil
  }

  func threadEnded(_ thread: ThreadIdentifier) { forgetCalls(of: thread) }

  func programStarted(in process: ThreadIdentifier) { forgetCalls(of: process) }

  /// Forgets the calls of a thread that are never over, and whose faults therefore have no effect.
  private func forgetCalls(of thread: ThreadIdentifier) {
    guard let faults = threads.removeValue(forKey: thread) else { return }
    for decision in [faults.pending?.decision, faults.settled?.decision] {
      guard let decision else { continue }
      _ = rules.table.settle(decision, hasEffect: false, process: 0)
    }
  }

  /// Evaluates the rules, those of disks too, at the entry of a call.
  func enter(_ call: InterceptedCall) -> CallDisposition {
    let (tracee, registers) = (call.tracee, call.registers)
    disks?.forgetOperation()
    guard tracee.process.hasEntered, !registers.isReportOfSpin else { return .pass }
    if decide(about: registers, of: tracee) {
      disks?.forgetOperation()
      return .taken
    }
    disks?.follow(tracee, registers)
    return .pass
  }

  /// Ends the programs that decide.
  func close() { decisions.close() }

  // MARK: - Rules that hold

  /// The first target is about to be started.
  func begin() {
    processes.fileMoments()
    disks?.chargeQuotas(.all)
  }

  /// Applies rules from their beginning: calls that were made before do not count.
  ///
  /// - Parameter hasLaunched: whether the files of the scenario have all been made.
  func apply(_ selection: ChaosSelection, seed: Int64?, hasLaunched: Bool) {
    functions?.recordCalls()
    rules.table.apply(selection, seed: seed)
    let indices = rules.table.entries.indices
    disks?.watch.spaces.forget(
      Set(indices.filter { selection.contains(rules.table.entries[$0].name) }))
    if hasLaunched { disks?.chargeQuotas(selection) }
    functions?.setDue()
    processes.fireForApplied(selection)
  }

  /// Reverts rules.
  func revert(_ selection: ChaosSelection) {
    functions?.recordCalls()
    rules.table.revert(selection)
    functions?.setDue()
    releaseHeldCalls()
  }

  /// Returns the numbers of times that each rule was met and fired.
  func account() -> [RuleStatistics] {
    functions?.recordCalls()
    var accounts = rules.account()
    functions?.explain(&accounts)
    return accounts
  }

  // MARK: - Plain calls

  /// Finds the plain calls of an environment in which time is the machine's own.
  ///
  /// - Parameter others: the calls that other interceptors want to see.
  func findPlainCalls(beside others: Set<Int>) {
    // What is followed for the sake of a disk is not over with its number, whatever rules make of it.
    let followed = disks?.watch.filterRules([]).keys.map { $0 } ?? []
    rules.findPlainCalls(others: others.union(followed))
    passesPlainCalls = rules.hasPlainCalls
  }

  /// Counts a call whose number alone decides that it is made as it is; false, and nothing is
  /// counted, of others.
  ///
  /// All registers of a thread take a tenth of what a stop costs; the number of its call takes a fourth of that.
  func passPlainCall(of tracee: Tracee) -> Bool {
    guard tracee.process.hasEntered, threads[tracee.identifier]?.settled == nil else {
      return false
    }
    let number = scenario_trace_system_call(tracee.identifier.number)
    guard number >= 0, rules.isPlain(number) else { return false }
    disks?.forgetOperation()
    return rules.passes(number, process: tracee.process.ordinal)
  }
}
