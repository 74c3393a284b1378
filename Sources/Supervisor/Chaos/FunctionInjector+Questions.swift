internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioPlan

/// Calls of functions whose arguments or results are computed, or about which a program decides.
extension FunctionInjector {
  /// Computes the result or the arguments of a call.
  func compute(
    _ computation: PlannedComputation, _ decision: ChaosDecision, of tracee: Tracee,
    _ call: FunctionCall, _ memory: CallerMemory
  ) -> FunctionAction {
    let given = call.arguments
    let occurrence = Int64(decision.occurrence)
    let scope = FunctionComputation(arguments: given, memory: memory, occurrence: occurrence)
    guard computation.callsThrough else {
      record(decision, of: tracee, call, words: "computed")
      let value = computation.result?.value(in: scope) ?? 0
      return .result(result(value, of: call, by: tracee))
    }
    let arguments = Dictionary(
      computation.arguments.map {
        ($0.index, UInt64(bitPattern: $0.value.value(in: scope)))
      }
    ) { $1 }
    let hasOtherArguments = arguments.contains { given[$0.key] != $0.value }
    guard let expression = computation.result else {
      settle(decision, hasEffect: hasOtherArguments, of: tracee, call, words: "computed")
      return arguments.isEmpty ? .original : .arguments(arguments, then: .original)
    }
    // What edits a result runs where this runs: on the supervisor's thread.
    nonisolated(unsafe) let (injector, tracee) = (self, tracee)
    let edit = ResultEdit { original, memory in
      var scope = FunctionComputation(arguments: given, memory: memory, occurrence: occurrence)
      scope.result = Int64(bitPattern: original.integer)
      let result = UInt64(bitPattern: expression.value(in: scope))
      injector.settle(
        decision, hasEffect: hasOtherArguments || result != original.integer, of: tracee, call,
        words: "computed", result: Int(truncatingIfNeeded: result))
      return FunctionResult(integer: result)
    } abandon: {
      injector.settle(
        decision, hasEffect: hasOtherArguments, of: tracee, call, words: "computed")
    }
    return arguments.isEmpty ? .edit(edit) : .arguments(arguments, then: .edit(edit))
  }

  /// Asks a program to decide about a call.
  func ask(
    _ command: [String], isAfter: Bool, _ decision: ChaosDecision, of tracee: Tracee,
    _ call: FunctionCall, _ memory: CallerMemory
  ) -> FunctionAction {
    let question = ChaosQuestion(
      entry: rules.table.entries[decision.entry].name, occurrence: decision.occurrence,
      call: call.function, moment: isAfter ? .after : .before, arguments: call.arguments,
      process: tracee.process.ordinal, thread: tracee.ordinal)
    guard !isAfter else {
      // What edits a result runs where this runs: on the supervisor's thread.
      nonisolated(unsafe) let (injector, tracee) = (self, tracee)
      return .edit(
        ResultEdit { original, _ in
          injector.askBehind(command, question, decision, of: tracee, call, original)
        } abandon: {
          _ = injector.count(decision, hasEffect: false, of: tracee)
        })
    }
    guard let answer = answer(command, question, decision) else {
      _ = count(decision, hasEffect: false, of: tracee)
      return .original
    }
    var answered = decision
    answered.action = answer.action
    if let bytes = answer.bytes {
      answered.action.deed = .text(String(decoding: bytes, as: UTF8.self))
    }
    let hasOtherArguments = answer.arguments.contains { call.arguments[$0.key] != $0.value }
    let hasEffect = !answered.action.changesNothing || hasOtherArguments
    guard count(decision, hasEffect: hasEffect, of: tracee), hasEffect else { return .original }
    if hasOtherArguments { record(decision, of: tracee, call, words: "other arguments") }
    let action = action(for: answered, of: tracee, call, memory)
    return answer.arguments.isEmpty ? action : .arguments(answer.arguments, then: action)
  }

  /// Asks a program about a call that was made; returns the result that the caller sees.
  private func askBehind(
    _ command: [String], _ question: ChaosQuestion, _ decision: ChaosDecision, of tracee: Tracee,
    _ call: FunctionCall, _ original: FunctionResult
  ) -> FunctionResult {
    var question = question
    question.result = Int64(bitPattern: original.integer)
    guard let answer = answer(command, question, decision) else {
      _ = count(decision, hasEffect: false, of: tracee)
      return original
    }
    if let reason = obstacle(to: answer.action.deed, of: call, by: tracee) {
      kernel.notice("a call is left alone: \(reason)", of: tracee.process)
      _ = count(decision, hasEffect: false, of: tracee)
      return original
    }
    var result = original
    var words: String?
    var error: String?
    var hasEnded = false
    switch answer.action.deed {
    case .result(let number):
      result = self.result(number, of: call, by: tracee)
      words = "returns \(number)"
    case .fail(let number):
      result = FunctionResult(errorNumber: number.code)
      if case .result(let failure) = Self.failure(number, of: call.function) { result = failure }
      (words, error) = (number.name, number.name)
    case .exit, .kill:
      // A process that has made its call ends by a signal alone: nothing else can be asked of it here.
      Glibc.kill(tracee.process.identifier.number, SIGKILL)
      words = "kill process"
      hasEnded = true
    default: break
    }
    let signals = answer.action.signalsAfter
    if !signals.isEmpty {
      faults.send(signals, to: tracee)
      words = "signal \(signals.map(String.init).joined(separator: ", "))"
    }
    let hasEffect = hasEnded || !signals.isEmpty || result.differs(from: original)
    settle(
      decision, hasEffect: hasEffect, of: tracee, call, words: words ?? "",
      result: Int(truncatingIfNeeded: result.integer), error: error)
    return result
  }

  /// Asks a program; `nil`, and a report, if it gives no answer that suits a function.
  private func answer(
    _ command: [String], _ question: ChaosQuestion, _ decision: ChaosDecision
  ) -> ChaosAnswer? {
    guard let answer = faults.answer(command, question, decision) else { return nil }
    let words: String? =
      switch answer.action.deed {
      case .short: "\"short\""
      case .lie: "\"lie\""
      default: question.moment == .after && answer.bytes != nil ? "a text behind the call" : nil
      }
    guard let words else { return answer }
    faults.leaveUndecided(
      question.entry, "\(words) is no answer for \(question.call), which is a function")
    return nil
  }

  /// Counts what became of a call, and records it if it is an event.
  private func settle(
    _ decision: ChaosDecision, hasEffect: Bool, of tracee: Tracee, _ call: FunctionCall,
    words: String, result: Int? = nil, error: String? = nil
  ) {
    guard count(decision, hasEffect: hasEffect, of: tracee), hasEffect else { return }
    record(decision, of: tracee, call, words: words, result: result, error: error)
  }

  /// Counts what became of a call; returns whether it has fired.
  private func count(_ decision: ChaosDecision, hasEffect: Bool, of tracee: Tracee) -> Bool {
    let isFired = rules.table.settle(
      callOfFunction: decision, hasEffect: hasEffect, process: tracee.process.ordinal)
    // One without an effect leaves its place in `times` to the next.
    if !isFired {
      recordCalls()
      setDue()
    }
    return isFired
  }
}

extension FunctionResult {
  /// Returns whether a caller that gets this in place of another result sees a difference.
  fileprivate func differs(from original: FunctionResult) -> Bool {
    // What an injected result does not say stays as it is.
    if errorNumber != nil || isAlone { return true }
    if let number { return number.bitPattern != original.number?.bitPattern }
    return integer != original.integer
  }
}

/// Values in place of the results of functions.
extension FunctionInjector {
  /// The results of a called function of Go; `nil` where its program does not say what they are.
  func goResults(of call: FunctionCall, by tracee: Tracee) -> GoResults? {
    tracee.process.program.functions?.goResults[call.function]
  }

  /// An integer as the called function returns it.
  ///
  /// Of a function of Go whose results are not known, the first is taken for an integer, and that is told.
  func result(_ number: Int64, of call: FunctionCall, by tracee: Tracee) -> FunctionResult {
    let results = goResults(of: call, by: tracee)
    if results == nil, number != 0, FunctionConvention.of(call.function) == .go {
      kernel.notice(
        "\"\(call.function)\" is assumed to return an integer first, because no debugging information shows its type:"
          + " a program whose function returns something else first may crash", of: tracee.process)
    }
    return FunctionResult(number, of: call.function, results: results)
  }

  /// Returns the reason, in a sentence, why a called function cannot return what a deed gives; `nil` if it can, or if
  /// the deed gives nothing.
  func obstacle(to deed: ChaosAction.Deed, of call: FunctionCall, by tracee: Tracee) -> String? {
    let replacement: FunctionConvention.Replacement
    switch deed {
    case .result(let number): replacement = number == 0 ? .zero : .integer
    case .failure: replacement = .integerAndErrno
    case .fraction: replacement = .fraction
    case .text: replacement = .text
    case .fail: replacement = .error
    default: return nil
    }
    return FunctionConvention.obstacle(to: replacement, of: call.function)
      ?? goResults(of: call, by: tracee)?.obstacle(to: replacement, of: call.function)
  }
}
