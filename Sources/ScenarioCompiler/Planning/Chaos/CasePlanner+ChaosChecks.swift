internal import FaultEngine
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// Conditions that can never hold, and errors that can never come.
extension CasePlanner {
  /// Reports what no call of the scope can fulfil.
  mutating func checkSatisfiable(_ conditions: WrittenConditions, of scope: ChaosScope) {
    checkNumbers(conditions, of: scope)
    checkTexts(conditions)
    guard scope.kind == .calls, !scope.calls.isEmpty else { return }
    checkKinds(conditions, of: scope)
    checkPlace(conditions, of: scope)
  }

  /// Reports `path` beside `host` or `port`, here or in an enclosing scope: a file has no host.
  private mutating func checkPlace(_ conditions: WrittenConditions, of scope: ChaosScope) {
    let address = [ChaosCondition.host, .port].first { conditions.value[$0] != nil }
    let path = conditions.range(of: .path)
    let outer = scope.outerConditions
    guard scope.hasPath, scope.hasHost, !scope.canHavePathAndHost else { return }
    if let address, path != nil || outer.contains(where: { $0[.path] != nil }) {
      report(
        "no call of \"\(scope.word)\" has both a path and a \(address.rawValue)",
        code: .impossibleCondition, at: conditions.range(of: address),
        help: "keep one of them, or write an entry for each")
    } else if let path,
      outer.contains(where: { $0[.host] != nil || $0[.port] != nil })
    {
      report(
        "no call of \"\(scope.word)\" has both a path and a host", code: .impossibleCondition,
        at: path, help: "keep one of them, or write an entry for each")
    }
  }

  private mutating func checkNumbers(_ conditions: WrittenConditions, of scope: ChaosScope) {
    for asked in conditions.asked {
      guard case .number(let range) = asked.condition.declaration.question,
        case .number(let number) = asked.test, !number.mayHold(within: range)
      else { continue }
      report(
        "\"\(asked.condition.rawValue)\" can never be \(number.summary)",
        code: .impossibleCondition,
        at: asked.range,
        help: asked.condition == .port
          ? "write a port from 0 to 65535" : "write a condition that a number can meet")
    }
    for argument in conditions.arguments {
      let condition = argument.value.condition
      if !condition.mayHold(within: Int64.min...Int64.max) {
        report(
          "a number can never be \(condition.summary)", code: .impossibleCondition,
          at: argument.range,
          help: "write a condition that a number can meet")
      }
      checkArgument(Located(argument.value.index, at: argument.range), of: scope)
    }
  }

  /// An argument that no call has.
  mutating func checkArgument(_ index: Located<Int>, of scope: ChaosScope) {
    guard scope.functions == nil, !scope.calls.isEmpty else { return }
    let counts = scope.calls.map { SystemCallTraits.argumentCount(of: $0.name) ?? 6 }
    guard let most = counts.max(), index.value >= most else { return }
    let number = most == 1 ? "1 argument" : most == 0 ? "no arguments" : "\(most) arguments"
    report(
      "\"\(scope.word)\" has \(number)", code: .impossibleCondition, at: index.range,
      help: most == 0
        ? "remove \"args\""
        : most == 1 ? "write 0, its only index" : "write an index from 0 to \(most - 1)")
  }

  private mutating func checkTexts(_ conditions: WrittenConditions) {
    for asked in conditions.asked where asked.test == .pattern("") {
      report(
        "\"\(asked.condition.rawValue)\" is empty", code: .empty, at: asked.range,
        help: "write a pattern, or remove it")
    }
    for asked in conditions.asked where asked.condition == .process {
      if case .pattern(let text) = asked.test { checkProgram(text, at: asked.range) }
    }
  }

  /// A pattern with a slash is compared with absolute paths.
  mutating func checkProgram(_ pattern: String, at range: SourceRange) {
    guard pattern.contains("/"), !pattern.hasPrefix("/"), !pattern.hasPrefix("*") else { return }
    let path = pattern.hasPrefix("./") ? String(pattern.dropFirst(2)) : pattern
    report(
      "no program has the path \"\(pattern)\"", code: .impossibleCondition, at: range,
      help: "a pattern with \"/\" is compared with absolute paths: write \"**/\(path)\"")
  }

  /// `fd:` against the calls, and what else is asked against `fd:`.
  private mutating func checkKinds(_ conditions: WrittenConditions, of scope: ChaosScope) {
    guard let range = conditions.range(of: .kind), let first = conditions.value.kinds.first,
      scope.hasDescriptor
    else { return }
    let asked = Set(conditions.value.kinds)
    guard !asked.isDisjoint(with: scope.kinds) else {
      report(
        "\"\(scope.word)\" cannot be called on \(first.words)", code: .impossibleCondition,
        at: range,
        help: "write one of: "
          + DescriptorKind.allCases.filter { scope.kinds.contains($0) }.map(\.rawValue)
          .joined(separator: ", "))
      return
    }
    let words = conditions.value.kinds.map(\.rawValue).joined(separator: ", ")
    if let address = conditions.range(of: .port) ?? conditions.range(of: .host),
      asked.isDisjoint(with: [.tcp, .udp])
    {
      report(
        "descriptors of \"fd: \(words)\" have no host or port", code: .impossibleCondition,
        at: address,
        help: "write fd: tcp, or match it by path")
    }
    if let path = conditions.range(of: .path), asked.isSubset(of: [.tcp, .udp, .unix]),
      !scope.takesPath
    {
      report(
        "descriptors of \"fd: \(words)\" have no path", code: .impossibleCondition, at: path,
        help: "match it by host: where: { host: api.example.com }")
    }
    if let offset = conditions.range(of: .offset), !asked.contains(.file) {
      report(
        "descriptors of \"fd: \(words)\" have no offset", code: .impossibleCondition, at: offset,
        help: "write fd: file")
    }
  }

  /// Warns where nothing of what `fd:` names can meet an error.
  mutating func checkKinds(of error: ErrorNumber, at range: SourceRange, of scope: ChaosScope) {
    let isTransfer = scope.traits.allSatisfy { $0.transfer != nil }
    guard isTransfer, !scope.traits.isEmpty, let first = scope.askedKinds.first,
      !scope.askedKinds.contains(where: { $0.canMeet(error) })
    else { return }
    let others = DescriptorKind.allCases.filter { $0.canMeet(error) && scope.kinds.contains($0) }
    data.diagnostics.report(
      Diagnostic(
        "\"\(scope.word)\" on \(first.words) never fails with \(error.name)", code: .unlikelyError,
        at: range,
        help: others.isEmpty
          ? "name an error that can occur"
          : "it occurs on: \(others.map(\.rawValue).joined(separator: ", "))"))
  }

  /// Places behind the last one that `times` lets through.
  mutating func checkPlaces(of schedule: WrittenSchedule) {
    let places = schedule.value.places
    guard let times = schedule.value.times, places.count > times else { return }
    warn(
      "\"times: \(times)\" excludes \(places.count - times) of \"nth\"", code: .neverMet,
      at: schedule.ranges["nth"],
      help: "remove \"times\", or the numbers after \(places[max(0, times - 1)])")
  }

  /// Branches of `match:` that an earlier one takes.
  mutating func checkBranches(_ branches: [PlannedBranch], at ranges: [SourceRange]) {
    for (index, branch) in branches.enumerated() {
      guard
        let earlier = branches[..<index].firstIndex(where: {
          $0.conditions.isEmpty || $0.conditions == branch.conditions
        })
      else { continue }
      data.diagnostics.report(
        Diagnostic(
          "this branch never matches: branch \(earlier + 1) matches all of its calls",
          code: .neverMet, at: ranges.indices.contains(index) ? ranges[index] : entry.range,
          help: "move it before that branch, or write another \"where\""))
    }
  }
}
