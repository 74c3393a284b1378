internal import FaultEngine
internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `provide:`; `nil` if something is wrong with it.
  mutating func planProvider(
    _ provider: FaultAction, of scope: ChaosScope
  ) -> PlannedProvider? {
    let range = provider.range
    checkLength(of: provider)
    guard checkFunctionProvider(provider, of: scope), checkLinkProvider(provider, of: scope),
      checkProcessProvider(provider, of: scope)
    else { return nil }
    switch provider.content {
    case .original: return .original
    case .nothing: return .result(0)
    case .constant(let constant, let errno):
      return planConstant(constant, errno: errno, at: range, of: scope)
    case .compute(let computation): return planComputation(computation, of: scope)
    case .execute(let words, let isAfter): return .execute(planCommand(words), isAfter: isAfter)
    case .randomNumber(let bounds):
      return .randomNumber(bounds.lowerBound, bounds.upperBound)
    case .randomError(let errors): return planRandom(errors, at: range, of: scope)
    case .error(let name): return error(name, of: scope).map { .error($0) }
    case .signal(let name, let isAfter, let then):
      let number = data.diagnostics.catching(as: .badSignal, at: name.range) {
        () throws(PatternError) in
        try SignalName.named(name.value).number
      }
      let inner = planThen(then, of: scope)
      guard let number, let inner else { return nil }
      return .signal(number: number, isAfter: isAfter, then: inner)
    case .exit(let code): return .exit(code)
    case .kill(let scope): return .kill(scope)
    case .sequence(let providers):
      let planned = providers.compactMap { planProvider($0, of: scope) }
      return planned.count == providers.count ? .sequence(planned) : nil
    case .match(let branches, let otherwise): return planMatch(branches, otherwise, of: scope)
    case .delay(let shortest, let longest, let then):
      usesTime = true
      return planThen(then, of: scope).map { .delay(from: shortest, to: longest, then: $0) }
    case .hang:
      usesTime = true
      return .hang
    case .short, .corrupt, .lie: return planTransfer(provider, of: scope)
    case .link(let faults): return planLinkFaults(faults, at: range)
    case .disk, .crash: return planCrash(provider)
    case .stop(let length):
      usesTime = true
      return .stop(length)
    case .restart(let delay):
      usesTime = true
      return .restart(delay)
    }
  }

  private mutating func planThen(
    _ provider: FaultAction?, of scope: ChaosScope
  ) -> PlannedProvider? {
    guard let provider else { return .original }
    return planProvider(provider, of: scope)
  }

  private mutating func planMatch(
    _ branches: [FaultAction.Branch], _ otherwise: FaultAction?, of scope: ChaosScope
  ) -> PlannedProvider? {
    var planned: [PlannedBranch] = []
    for branch in branches {
      let conditions = planConditions(branch.conditions, of: scope)
      checkContradictions(of: branch.conditions, conditions, in: scope)
      var narrow = scope
      narrow.outerConditions.append(conditions)
      if !conditions.kinds.isEmpty { narrow.askedKinds = conditions.kinds }
      guard let inner = planProvider(branch.provider, of: narrow) else { continue }
      planned.append(PlannedBranch(conditions: conditions, provider: inner))
    }
    if planned.count == branches.count {
      checkBranches(planned, at: branches.map(\.provider.range))
    }
    guard let rest = planThen(otherwise, of: scope), planned.count == branches.count else {
      return nil
    }
    return .match(planned, otherwise: rest)
  }

  private mutating func planConstant(
    _ constant: FaultAction.Constant, errno: Located<String>?, at range: SourceRange,
    of scope: ChaosScope
  ) -> PlannedProvider? {
    if scope.functions != nil, scope.calls.isEmpty {
      return planFunctionConstant(constant, errno: errno, at: range, of: scope)
    }
    let number: Int64
    switch constant {
    case .number(let whole): number = whole
    case .text, .fraction:
      let other = if case .fraction(let fraction) = constant { "\(fraction)" } else { "text" }
      report(
        "\"\(scope.word)\" returns a whole number, not \(other)", code: .impossibleProvider,
        at: range, help: "write a number, as in \"constant: 7\"")
      return nil
    }
    if let errno {
      guard number == -1 else {
        report(
          "\"errno\" needs the result -1, not \(number)", code: .impossibleProvider,
          at: errno.range,
          help: "write { constant: -1, errno: \(errno.value) }")
        return nil
      }
      return error(errno, of: scope).map { .error($0) }
    }
    // The kernel returns errors as -4095 … -1, and the errno that -1 means would be hard to find.
    guard !(-4095 ... -1).contains(number) else {
      report(
        "the caller reads \(number) as errno \(-number)", code: .impossibleProvider,
        at: range,
        help: "write { error: EIO }, or { constant: -1, errno: EIO }")
      return nil
    }
    return .result(number)
  }

  // MARK: - Errors

  private mutating func planRandom(
    _ errors: FaultAction.RandomErrors, at range: SourceRange, of scope: ChaosScope
  ) -> PlannedProvider? {
    var lists: [String: [ErrorNumber]] = [:]
    switch errors {
    case .documented:
      for call in scope.calls {
        // Which of them a transfer can meet is known when it is made.
        let isTransfer = SystemCallTraits.of(call.name).transfer != nil
        let errors = DocumentedErrors(of: call.name)?.candidates(isSlow: isTransfer) ?? []
        if !errors.isEmpty { lists[call.name] = errors }
      }
      for name in scope.functions?.names ?? [] {
        let isAllocation = PlannedFunctions.failure(of: name) == .allocation
        let errors =
          isAllocation
          ? (try? [ErrorNumber.named("ENOMEM")]) ?? []
          : DocumentedErrors(of: name)?.candidates() ?? []
        if !errors.isEmpty { lists[name] = errors }
      }
      guard !lists.isEmpty || scope.calls.isEmpty && scope.functions == nil else {
        report(
          "the errors of \"\(scope.word)\" are not known", code: .impossibleProvider, at: range,
          help: "name some: { random: { error: [EIO, ENOSPC] } }")
        return nil
      }
      return .randomDocumented(lists)
    case .among(let names):
      let known = names.compactMap { error($0, of: scope) }
      guard known.count == names.count else { return nil }
      for call in scope.calls { lists[call.name] = known }
      for name in scope.functions?.names ?? [] {
        lists[name.contains("*") ? "*" : name] = known
      }
    }
    return .randomError(lists)
  }

  mutating func error(_ name: Located<String>, of scope: ChaosScope) -> ErrorNumber? {
    let error = data.diagnostics.catching(as: .unknownCall, at: name.range) {
      () throws(PatternError) in
      try ErrorNumber.named(name.value)
    }
    guard let error else { return nil }
    checkKinds(of: error, at: name.range, of: scope)
    checkFailure(error, at: name.range, of: scope)
    let pages = scope.calls.compactMap { DocumentedErrors(of: $0.name) }
    if !pages.isEmpty, pages.count == scope.calls.count,
      pages.allSatisfy({ $0.circumstance(of: error) == nil })
    {
      let common = (pages.first?.candidates() ?? []).map(\.name).joined(separator: ", ")
      data.diagnostics.report(
        Diagnostic(
          "the manual page of \"\(scope.word)\" does not name \(error.name)", code: .unlikelyError,
          at: name.range,
          help: "programs may not handle it"
            + (common.isEmpty ? "" : "; more common: \(common)")))
    }
    return error
  }

  // MARK: - Transfers

  /// Providers that only some calls can be given: one of the entry's calls must be such a one, and the others
  /// are made as they are.
  private mutating func planTransfer(
    _ provider: FaultAction, of scope: ChaosScope
  ) -> PlannedProvider? {
    func unfit(_ fits: (SystemCallTraits) -> Bool) -> String? {
      scope.traits.contains(where: fits) ? nil : scope.calls.first?.name
    }
    switch provider.content {
    case .short(let amount):
      guard let call = unfit(\.canBeShortened) else { return .short(amount) }
      report(
        "\"\(call)\" cannot be made short: it transfers no bytes", code: .impossibleProvider,
        at: provider.range,
        help: "name calls such as read, write, send or recv")
    case .corrupt(let corruption):
      guard let call = unfit(\.canBeCorrupted) else { return .corrupt(corruption) }
      report(
        "\"\(call)\" has no bytes that could be corrupted", code: .impossibleProvider,
        at: provider.range,
        help: "name calls such as read, write, send or recv")
    default:
      guard let call = unfit(\.canBePretended) else { return .lie }
      report(
        "\"lie\" is not supported for \"\(call)\": only the kernel knows its result",
        code: .impossibleProvider, at: provider.range,
        help: "write { constant: N } for another result")
    }
    return nil
  }

  // MARK: - Steps

  /// Checks the name in a step `apply:` or `revert:`.
  mutating func planSelection(_ selection: Located<ChaosSelection>) -> ChaosSelection {
    switch selection.value {
    case .all where body.chaos.isEmpty:
      report(
        "the scenario has no chaos entries", code: .noEffect, at: selection.range,
        help: "add some: chaos: [ … ]")
    case .all: break
    case .entry(let name): checkChaosName(Located(name, at: selection.range))
    }
    return selection.value
  }
}
