internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension SupervisorConfiguration {
  /// True if calls of functions are to be seen.
  var watchesFunctions: Bool { functions != nil || chaos.contains { $0.functions != nil } }
}

extension FunctionFaults {
  /// The points of a configuration, and behind them those of its chaos entries, which the supervisor
  /// decides about itself; `nil` if there are none.
  init?(_ configuration: SupervisorConfiguration, _ table: FaultRuleSet) {
    let own = configuration.functions
    guard configuration.watchesFunctions else { return nil }
    var points = own?.points ?? []
    var due = Array((own?.firstDue ?? []).prefix(points.count))
    while due.count < points.count { due.append(nil) }
    for entry in table.functionEntries {
      guard let functions = table.entries[entry].functions else { continue }
      points.append(functions)
      due.append(table.nextDue(entry).map { UInt64($0) })
    }
    let none: @Sendable (FunctionCall, CallerMemory) -> FunctionVerdict = { _, _ in
      FunctionVerdict(.original, nextDue: nil)
    }
    self.init(points: points, firstDue: due, decide: own?.decide ?? none)
  }
}

/// Injects the faults that fault rules, or a survey, decide into calls of functions.
final class FunctionInjector: Interceptor {
  unowned let kernel: any FaultKernel
  unowned let faults: FaultInjector
  let rules: FaultRules
  let hooks: FunctionHooks
  /// The fault rules that have points, each with its point.
  let points: [(point: Int, entry: Int)]
  /// The kernel's vDSO, by whose `syscall` instruction a thread makes calls of ours.
  let vdso: KernelVDSO?

  /// The stub of a function reports its call by a getpid(2) with arguments.
  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.getpid: .traceIfAmong([
      ArgumentValues(argument: 0, values: [FunctionStub.cookie])
    ])
  ]
  /// Calls that go on later, by their threads, the innermost last.
  private var suspended: [ThreadIdentifier: [SuspendedCall]] = [:]

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - faults: who carries out what is done to calls of any kind.
  ///   - configuration: whose points come before those of the rules.
  ///   - hooks: the functions that are watched.
  ///   - vdso: the kernel's, where it has been read.
  init(
    kernel: any FaultKernel, faults: FaultInjector, _ configuration: SupervisorConfiguration,
    hooks: FunctionHooks, vdso: KernelVDSO?
  ) {
    self.kernel = kernel
    self.faults = faults
    rules = faults.rules
    self.hooks = hooks
    self.vdso = vdso
    let first = configuration.functions?.points.count ?? 0
    points = zip(first..., rules.table.functionEntries).map { (point: $0, entry: $1) }.filter {
      hooks.faults.points.indices.contains($0.point)
    }
  }

  /// The calls of a thread that go on later, the innermost last.
  subscript(tracee: Tracee) -> [SuspendedCall] {
    get { suspended.isEmpty ? [] : suspended[tracee.identifier] ?? [] }
    set {
      // One that has ended meanwhile leaves nothing to the next thread of its number.
      guard newValue.isEmpty || kernel.tracees[tracee.identifier] === tracee else { return }
      guard !suspended.isEmpty || !newValue.isEmpty else { return }
      suspended[tracee.identifier] = newValue.isEmpty ? nil : newValue
    }
  }

  var obstacleToFork: String? {
    suspended.isEmpty ? nil : "the thread is inside a watched call"
  }

  func threadEnded(_ thread: ThreadIdentifier) { abandonCalls(of: thread) }

  func programStarted(in process: ThreadIdentifier) { abandonCalls(of: process) }

  private func abandonCalls(of thread: ThreadIdentifier) {
    guard let calls = suspended.removeValue(forKey: thread) else { return }
    for call in calls.reversed() { call.abandon() }
  }

  /// Returns whether a call that ends at this address is an injected delay, and not a wait of the target.
  func isDelayed(_ tracee: Tracee, at address: UInt64) -> Bool {
    guard !self[tracee].isEmpty, let places = tracee.process.program.functions?.wakingPlaces else {
      return false
    }
    let length = UInt64(Architecture.systemCallInstruction.count)
    return places.values.contains { $0 &+ length == address }
  }

  /// Releases, unchanged, a call that is held by an entry which no longer applies; false if there
  /// is none.
  func dropDelay(of tracee: Tracee, _ active: Tracee.ActiveWait) -> Bool {
    guard case .sleeping(let registers, _, let site)? = self[tracee].last,
      isDelayed(tracee, at: active.wait.entry.instructionPointer),
      !holds(site: site, of: tracee.process)
    else { return false }
    self[tracee].removeLast()
    self[tracee].append(.sleeping(registers, then: .original, site: site))
    return true
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    call.registers.isReportOfFunction && handleReport(of: call.tracee, call.registers)
      ? .taken : .pass
  }

  /// Sets when each entry's functions are asked about next.
  func setDue() {
    for (point, entry) in points {
      let due = faults.survey?.isPaused(entry) ?? false ? nil : rules.table.nextDue(entry)
      hooks.setDue(due.map { UInt64($0) }, of: point)
    }
  }

  func recordCalls() {
    for (point, entry) in points {
      rules.table.recordCalls(Int(clamping: hooks.count(of: point)), of: entry)
    }
  }

  /// Returns whether an entry that watches a function may still decide about its calls.
  func holds(site: Int, of process: TargetProcess) -> Bool {
    let watching = Set(
      (process.program.functions?.traps.values).map { traps in
        traps.filter { $0.site == site }.map(\.trap.point)
      } ?? [])
    let own = points.filter { watching.contains($0.point) }
    return own.isEmpty || own.contains { rules.table.isApplied($0.entry) }
  }

  /// Adds to rules that never fired what came closest to their functions.
  func explain(_ accounts: inout [RuleStatistics]) {
    for (point, entry) in points
    where accounts[entry].fired == 0 && accounts[entry].wasApplied {
      let account = hooks.account(of: point)
      if account.places.isEmpty, let leftOut = hooks.leftOutFunctions(of: point) {
        accounts[entry].nearMisses = [leftOut]
      } else if !account.places.isEmpty {
        guard account.calls == 0, rules.table.entries[entry].calls.isEmpty else { continue }
        accounts[entry].nearMisses = Self.uncalled(account.places)
      } else if !hooks.faults.points[point].isAllocator {
        accounts[entry].nearMisses = [
          Self.unmet(hooks.faults.points[point], nearest: account.nearest)
        ]
      }
    }
  }

  /// The largest number of close names that are listed.
  private static let nearestLimit = 3

  /// Returns near misses that say that functions were never called, of which a pattern may match
  /// many.
  private static func uncalled(_ places: [String]) -> [String] {
    let more = places.count - BoundedList.limit
    let lines = places.prefix(BoundedList.limit).map { "\($0) was never called" }
    return more > 0 ? lines + ["nor was any of \(more) more"] : lines
  }

  private static func unmet(_ point: FunctionPoint, nearest: [String]) -> String {
    let names = point.names.map { "\"\($0)\"" }.joined(separator: ", ")
    let place =
      switch point.place {
      case .anywhere: ""
      case .program: " in the executable"
      case .library(let name): " in \"\(name)\""
      }
    let near = nearest.prefix(nearestLimit).joined(separator: ", ")
    let excepted = point.exceptions.map { "\"\($0)\"" }
    let rest = excepted.isEmpty ? "" : " except \(BoundedList.text(excepted))"
    return "no function \(names)\(rest)\(place) was found"
      + (near.isEmpty ? "" : "; nearest: \(near)")
  }

  /// Returns the activity of a thread that waits before a function; `nil` if it does not.
  func heldActivity(of tracee: Tracee, _ active: Tracee.ActiveWait) -> String? {
    guard case .sleeping(_, _, let site)? = self[tracee].last,
      isDelayed(tracee, at: active.wait.entry.instructionPointer),
      let sites = tracee.process.program.functions?.sites, sites.indices.contains(site)
    else { return nil }
    let isForEver = active.wait.deadline.instant(on: kernel.clock) == .forever
    let length =
      isForEver ? "forever" : "with \(kernel.rest(of: active.wait)) of virtual time left"
    return "is held before \(sites[site].name) by a chaos entry, \(length)"
  }

  // MARK: - Calls

  /// Evaluates fault rules at a function's call; `nil` if the point is no entry's.
  ///
  /// - Returns: the verdict, and whether it holds for the points behind as well, so that the call is to
  ///   pass them by.
  func decide(
    of tracee: Tracee, _ registers: Registers, _ call: FunctionCall, _ trap: Breakpoints.Trap,
    _ memory: CallerMemory
  ) -> (verdict: FunctionVerdict, isSettled: Bool)? {
    guard let entry = points.first(where: { $0.point == call.point })?.entry else { return nil }
    if rules.table.awaitsReplies { rules.table.replies = faults.replies.counts }
    var decision: ChaosDecision?
    if var facts = FunctionContext(of: tracee, call, memory, kernel) {
      decision = rules.table.decide(
        function: call.function, of: entry, occurrence: Int(clamping: call.occurrence), &facts)
      if let decision, decision.action.changesNothing {
        if rules.table.isTold(decision) {
          record(decision, of: tracee, call, words: InjectedFault.original)
        }
        let point = faults.survey?.record(decision, of: tracee, call, &facts)
        if let point, let site = tracee.process.program.functions?.sites[trap.site] {
          var uncounted = registers
          uncounted.instructionPointer = site.uncounted
          kernel.branches?.tryBranches(
            at: point, decision, of: tracee, uncounted, call, site: trap.site, &facts)
        }
      }
      if let decision, !decision.action.changesNothing {
        _ = faults.survey?.record(decision, of: tracee, call, &facts)
      }
      if decision != nil, let sites = tracee.process.program.functions {
        countPassed(
          call, among: Set(sites.traps.values.filter { $0.site == trap.site }.map(\.trap.point)),
          points, &facts)
      }
    }
    let action = decision.map { self.action(for: $0, of: tracee, call, memory) } ?? .original
    let due =
      faults.survey?.isPaused(entry) ?? false ? nil : rules.table.nextDue(entry).map { UInt64($0) }
    return (FunctionVerdict(action, nextDue: due), decision != nil)
  }

  /// A call that an entry has decided about passes the points behind by: they count it.
  private func countPassed(
    _ call: FunctionCall, among own: Set<Int>, _ points: [(point: Int, entry: Int)],
    _ facts: inout FunctionContext
  ) {
    for (point, entry) in points where point > call.point && own.contains(point) {
      let occurrence = hooks.add(to: point)
      _ = rules.table.decide(
        function: call.function, of: entry, occurrence: Int(clamping: occurrence), isSettled: true,
        &facts)
    }
  }

  func action(
    for decision: ChaosDecision, of tracee: Tracee, _ call: FunctionCall, _ memory: CallerMemory
  ) -> FunctionAction {
    let chaos = decision.action
    var action = deed(decision, of: tracee, call, memory)
    if chaos.deed == .hang {
      action = .delay(nil, then: action)
    } else if chaos.delay > .zero {
      record(decision, of: tracee, call, words: "delay \(chaos.delay)")
      action = .delay(chaos.delay.count, then: action)
    }
    if let last = chaos.signalsBefore.last {
      let words = chaos.signalsBefore.map(String.init).joined(separator: ", ")
      record(decision, of: tracee, call, words: "signal \(words)")
      faults.send(Array(chaos.signalsBefore.dropLast()), to: tracee)
      action = .signal(last, then: action)
    }
    return action
  }

  private func deed(
    _ decision: ChaosDecision, of tracee: Tracee, _ call: FunctionCall, _ memory: CallerMemory
  ) -> FunctionAction {
    func report(_ words: String, result: Int? = nil, error: String? = nil) {
      record(decision, of: tracee, call, words: words, result: result, error: error)
    }
    if let reason = obstacle(to: decision.action.deed, of: call, by: tracee) {
      // An exploration lets all calls of a pattern's names fail from one on, as far as they can.
      if !(faults.survey?.isAbout(decision.entry) ?? false) {
        kernel.notice("a call is left alone: \(reason)", of: tracee.process)
      }
      return .original
    }
    switch decision.action.deed {
    // The planner gives functions none of the last four.
    case .original, .short, .corrupt, .lie, .link:
      return .original
    case .result(let number):
      report("returns \(number)", result: Int(number))
      return .result(result(number, of: call, by: tracee))
    case .failure(let number, let error):
      report(error.name, result: Int(number), error: error.name)
      faults.disks?.recordFailure(of: tracee, call, error)
      return .result(FunctionResult(number, of: call.function, errorNumber: error.code))
    case .fraction(let number):
      let results = goResults(of: call, by: tracee)
      if results == nil, [.integer, .go].contains(FunctionConvention.of(call.function)) {
        kernel.notice(
          "\"\(call.function)\" is assumed to return a double, because no symbol shows its type: a function that returns a"
            + " float or a long double does not return \(number)", of: tracee.process)
      }
      report("returns \(number)")
      return .result(FunctionResult(fraction: number, of: call.function, results: results))
    case .text(let text):
      report("returns \"\(text)\"")
      return .text(text)
    case .fail(let error):
      report(error.name, error: error.name)
      faults.disks?.recordFailure(of: tracee, call, error)
      return Self.failure(error, of: call.function)
    case .compute(let computation):
      return compute(computation, decision, of: tracee, call, memory)
    case .execute(let command, let isAfter):
      return ask(command, isAfter: isAfter, decision, of: tracee, call, memory)
    case .exit(let code):
      report("exit \(code)")
      return .exit(code)
    case .kill(let scope):
      report("kill \(scope.rawValue)")
      kernel.endProcesses(scope, around: tracee.process)
      return .original
    case .hang:
      report("hang")
      return .original
    case .crash(let planned):
      report(faults.crash(planned, decision, of: tracee))
      return .original
    // The planner gives it to disks alone.
    case .disk: return .original
    case .stop(let length):
      report("stop \(length)")
      faults.processes.stop(tracee.process, for: length, decision.entry)
      return .original
    case .restart(let delay):
      report("restart after \(delay)")
      faults.processes.restartTarget(of: tracee.process, after: delay, decision.entry)
      return .original
    }
  }

  /// Returns the action by which a function of that name fails.
  static func failure(_ error: ErrorNumber, of function: String) -> FunctionAction {
    let null = FunctionAction.result(FunctionResult(errorNumber: error.code))
    let number = FunctionAction.result(FunctionResult(integer: UInt64(error.code)))
    switch PlannedFunctions.failure(of: function) {
    case .allocation where error.code == ENOMEM || function.hasPrefix("_Zn"):
      return .allocationFailure
    case .allocation: return function == "posix_memalign" ? number : null
    case .null: return null
    case .number: return number
    case .minusOne:
      return .result(FunctionResult(integer: UInt64.max, errorNumber: error.code))
    }
  }

  /// Records a fault that is injected into a call.
  func record(
    _ decision: ChaosDecision, of tracee: Tracee, _ call: FunctionCall, words: String,
    result: Int? = nil, error: String? = nil
  ) {
    kernel.report(
      .faultInjected(
        InjectedFault(
          entry: rules.table.entries[decision.entry].name, occurrence: decision.occurrence,
          action: words, systemCall: call.function, subject: nil, result: result, error: error,
          process: tracee.process.identifier.number, processOrdinal: tracee.process.ordinal,
          threadOrdinal: tracee.ordinal)))
  }
}
