internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension SupervisorConfiguration {
  /// Whether anybody wants to see calls of functions.
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

extension TracerLoop {
  /// The entries that have points, each with its point.
  static func functionPoints(
    _ functions: FunctionHooks?, _ configuration: SupervisorConfiguration, _ table: FaultRuleSet
  ) -> [(point: Int, entry: Int)] {
    guard let functions else { return [] }
    let first = configuration.functions?.points.count ?? 0
    return zip(first..., table.functionEntries).map { (point: $0, entry: $1) }.filter {
      functions.faults.points.indices.contains($0.point)
    }
  }

  // MARK: - Steps and the account

  /// Lets entries hold from their beginning: calls that were made before do not count.
  func applyChaos(_ selection: ChaosSelection, seed: Int64?) {
    recordFunctionCalls()
    faults.table.apply(selection, seed: seed)
    let indices = faults.table.entries.indices
    disks?.spaces.forget(Set(indices.filter { selection.contains(faults.table.entries[$0].name) }))
    // Before the first launch files are still laid.
    if hasLaunched { chargeQuotas(selection) }
    setFunctionsDue()
    strikeForApplied(selection)
  }

  /// Lets entries hold no more.
  func revertChaos(_ selection: ChaosSelection) {
    recordFunctionCalls()
    faults.table.revert(selection)
    setFunctionsDue()
    releaseHeldCalls()
  }

  /// Sets when each entry's functions are asked about next.
  func setFunctionsDue() {
    for (point, entry) in functionPoints {
      let due = isPaused(entry) ? nil : faults.table.nextDue(entry)
      functions?.setDue(due.map { UInt64($0) }, of: point)
    }
  }

  func recordFunctionCalls() {
    for (point, entry) in functionPoints {
      faults.table.recordCalls(Int(clamping: functions?.count(of: point) ?? 0), of: entry)
    }
  }

  /// Whether an entry that watches a function may still decide about its calls.
  func holds(site: Int, of process: TargetProcess) -> Bool {
    let watching = Set(
      (process.functions?.traps.values).map { traps in
        traps.filter { $0.site == site }.map(\.trap.point)
      } ?? [])
    let own = functionPoints.filter { watching.contains($0.point) }
    return own.isEmpty || own.contains { faults.table.isApplied($0.entry) }
  }

  /// How often each entry was met and fired.
  func chaosAccount() -> [RuleStatistics] {
    recordFunctionCalls()
    var accounts = faults.account()
    for (point, entry) in functionPoints
    where accounts[entry].fired == 0 && accounts[entry].wasApplied {
      guard let watched = functions?.faults.points[point],
        let account = functions?.account(of: point)
      else { continue }
      if !account.places.isEmpty {
        guard account.calls == 0, faults.table.entries[entry].calls.isEmpty else { continue }
        accounts[entry].nearMisses = Self.uncalled(account.places)
      } else if !watched.isAllocator {
        accounts[entry].nearMisses = [Self.unmet(watched, nearest: account.nearest)]
      }
    }
    return accounts
  }

  /// How many near names are told.
  private static let nearestLimit = 3

  /// That functions were never called, which a pattern may have many of.
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
    return "no function \(names)\(rest)\(place) was met"
      + (near.isEmpty ? "" : "; nearest: \(near)")
  }

  /// What a thread does that waits before a function; `nil` if it does not.
  func heldActivity(of tracee: Tracee, _ active: Tracee.ActiveWait) -> String? {
    guard case .sleeping(_, _, let site)? = tracee.suspendedCalls.last,
      tracee.isDelayed(at: active.wait.entry.instructionPointer),
      let sites = tracee.process.functions?.sites, sites.indices.contains(site)
    else { return nil }
    let isForEver = active.wait.deadline.instant(on: clock) == .forever
    let length =
      isForEver ? "for ever" : "with \(rest(of: active.wait)) of virtual time to go"
    return "is held before \(sites[site].name) by a chaos entry, \(length)"
  }

  // MARK: - Calls

  /// Lets chaos decide about a function's call; `nil` if the point is no entry's.
  ///
  /// - Returns: the verdict, and whether it holds for the points behind as well, so that the call is to
  ///   pass them by.
  func meetChaos(
    of tracee: Tracee, _ registers: Registers, _ call: FunctionCall, _ trap: Breakpoints.Trap,
    _ memory: CallerMemory
  ) -> (verdict: FunctionVerdict, isSettled: Bool)? {
    let points = functionPoints
    guard let entry = points.first(where: { $0.point == call.point })?.entry else { return nil }
    if faults.table.awaitsReplies { faults.table.replies = configuration.replies.counts }
    var decision: ChaosDecision?
    if var facts = FunctionContext(of: tracee, registers, call, memory, self) {
      decision = faults.table.decide(
        function: call.function, of: entry, occurrence: Int(clamping: call.occurrence), &facts)
      if let decision, decision.action.changesNothing {
        if faults.table.isTold(decision) {
          record(decision, of: tracee, call, words: InjectedFault.original)
        }
        let point = survey(decision, of: tracee, call, &facts)
        if let point, let site = tracee.process.functions?.sites[trap.site] {
          var uncounted = registers
          uncounted.instructionPointer = site.uncounted
          tryBranches(
            at: point, decision, of: tracee, uncounted, call, site: trap.site, &facts)
        }
      }
      if let decision, !decision.action.changesNothing {
        _ = survey(decision, of: tracee, call, &facts)
      }
      if decision != nil, let sites = tracee.process.functions {
        countPassed(
          call, among: Set(sites.traps.values.filter { $0.site == trap.site }.map(\.trap.point)),
          points, &facts)
      }
    }
    let action = decision.map { self.action(for: $0, of: tracee, call, memory) } ?? .original
    let due = isPaused(entry) ? nil : faults.table.nextDue(entry).map { UInt64($0) }
    return (FunctionVerdict(action, nextDue: due), decision != nil)
  }

  /// A call that an entry has decided about passes the points behind by: they count it.
  private func countPassed(
    _ call: FunctionCall, among own: Set<Int>, _ points: [(point: Int, entry: Int)],
    _ facts: inout FunctionContext
  ) {
    for (point, entry) in points where point > call.point && own.contains(point) {
      guard let occurrence = functions?.add(to: point) else { continue }
      _ = faults.table.decide(
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
      send(Array(chaos.signalsBefore.dropLast()), to: tracee)
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
    switch decision.action.deed {
    // The planner gives functions none of the last four.
    case .original, .short, .corrupt, .lie, .link:
      return .original
    case .result(let number):
      report("returns \(number)", result: Int(number))
      return .result(FunctionResult(number, of: call.function))
    case .failure(let number, let error):
      report(error.name, result: Int(number), error: error.name)
      recordFailure(of: tracee, call, error)
      return .result(FunctionResult(number, of: call.function, errorNumber: error.code))
    case .fraction(let number):
      report("returns \(number)")
      return .result(FunctionResult(fraction: number, of: call.function))
    case .text(let text):
      report("returns \"\(text)\"")
      return .text(text)
    case .fail(let error):
      report(error.name, error: error.name)
      recordFailure(of: tracee, call, error)
      return Self.failure(error, of: call.function)
    case .compute(let computation):
      report("computed")
      return Self.action(for: computation, call, memory, occurrence: decision.occurrence)
    case .execute(let command, let isAfter):
      return ask(command, isAfter: isAfter, decision, of: tracee, call, memory)
    case .exit(let code):
      report("exit \(code)")
      return .exit(code)
    case .kill(let scope):
      report("kill \(scope.rawValue)")
      endProcesses(scope, around: tracee.process)
      return .original
    case .hang:
      report("hang")
      return .original
    case .crash(let planned):
      report(crash(planned, decision, of: tracee))
      return .original
    // The planner gives it to disks alone.
    case .disk: return .original
    case .stop(let length):
      report("stop \(length)")
      stop(tracee.process, for: length, decision.entry)
      return .original
    case .restart(let delay):
      report("restart after \(delay)")
      restartTarget(of: tracee.process, after: delay, decision.entry)
      return .original
    }
  }

  /// As functions of that name tell that they have failed.
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

  private static func action(
    for computation: PlannedComputation, _ call: FunctionCall, _ memory: CallerMemory,
    occurrence: Int
  ) -> FunctionAction {
    let given = call.arguments
    let number = Int64(occurrence)
    let scope = FunctionComputation(arguments: given, memory: memory, occurrence: number)
    guard computation.callsThrough else {
      let value = computation.result?.value(in: scope) ?? 0
      return .result(FunctionResult(value, of: call.function))
    }
    var action = FunctionAction.original
    if let expression = computation.result {
      action = .edit { original, memory in
        var scope = FunctionComputation(arguments: given, memory: memory, occurrence: number)
        scope.result = Int64(bitPattern: original.integer)
        return FunctionResult(integer: UInt64(bitPattern: expression.value(in: scope)))
      }
    }
    guard !computation.arguments.isEmpty else { return action }
    let arguments = computation.arguments.map {
      ($0.index, UInt64(bitPattern: $0.value.value(in: scope)))
    }
    return .arguments(Dictionary(arguments) { $1 }, then: action)
  }

  private func ask(
    _ command: [String], isAfter: Bool, _ decision: ChaosDecision, of tracee: Tracee,
    _ call: FunctionCall, _ memory: CallerMemory
  ) -> FunctionAction {
    var question = ChaosQuestion(
      entry: faults.table.entries[decision.entry].name, occurrence: decision.occurrence,
      call: call.function, moment: .before, arguments: call.arguments,
      process: tracee.process.ordinal, thread: tracee.ordinal)
    if isAfter {
      question.moment = .after
      let asked = question
      // What edits a result runs where this runs: on the supervisor's thread.
      nonisolated(unsafe) let loop = self
      return .edit { original, _ in
        var asked = asked
        asked.result = Int64(bitPattern: original.integer)
        return loop.answer(command, asked, decision).map { $0.result(in: original) } ?? original
      }
    }
    guard let answer = answer(command, question, decision) else { return .original }
    var answered = decision
    answered.action = answer.action
    let action = action(for: answered, of: tracee, call, memory)
    return answer.arguments.isEmpty ? action : .arguments(answer.arguments, then: action)
  }

  private func record(
    _ decision: ChaosDecision, of tracee: Tracee, _ call: FunctionCall, words: String,
    result: Int? = nil, error: String? = nil
  ) {
    report(
      .faultInjected(
        InjectedFault(
          entry: faults.table.entries[decision.entry].name, occurrence: decision.occurrence,
          action: words, systemCall: call.function, subject: nil, result: result, error: error,
          process: tracee.process.identifier.number, processOrdinal: tracee.process.ordinal,
          threadOrdinal: tracee.ordinal)))
  }
}

extension ChaosAnswer {
  /// What a function returns that had returned `original`.
  fileprivate func result(in original: FunctionResult) -> FunctionResult {
    switch action.deed {
    case .result(let number): FunctionResult(integer: UInt64(bitPattern: number))
    case .fail(let error): FunctionResult(integer: .max, errorNumber: error.code)
    default: original
    }
  }
}
