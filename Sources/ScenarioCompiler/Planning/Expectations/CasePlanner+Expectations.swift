internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// Plans conditions.
  ///
  /// - Parameters:
  ///   - step: the step behind which they must hold; `nil` at the end.
  ///   - outer: the target of the condition around them.
  ///   - isInCommand: whether the condition around them is about what a command has written.
  mutating func planExpectations(
    _ block: ExpectationBlock?, in place: EvaluationSite, of step: Step? = nil,
    about outer: Located<String>? = nil, isInCommand: Bool = false
  ) -> [PlannedExpectation] {
    let planned = (block?.entries ?? []).compactMap { entry -> PlannedExpectation? in
      if isInCommand, entry.target == nil, entry.subject.isAboutTarget {
        report(
          "the output and the end of a finished command do not change any more",
          code: .contradictory,
          at: entry.range,
          help:
            "write it next to \"eventually\" or \"always\"; for a target, write it in \"targets: { NAME: … }\""
        )
        return nil
      }
      let name = entry.target ?? step?.target ?? outer
      // What is said of a command is said of no target.
      let isBesideCommand = if case .exec? = step?.action { true } else { false }
      let isOfCommand = isBesideCommand && entry.target == nil
      let isAboutOne = !isOfCommand && (name != nil || entry.subject.isAboutTarget)
      let index = isAboutOne ? target(name, at: entry.range) : nil
      if isOfCommand { checkNoScreen(entry) } else { checkTerminal(for: entry, of: index) }
      snapshots.target = isAboutOne ? name?.value : nil
      return plan(entry.subject, in: place, about: name, isOfCommand).map { subject in
        var planned = PlannedExpectation(subject, at: entry.range)
        planned.target = entry.subject.isAboutTarget ? index : nil
        // What names no target there is about the command, so that the first target has to be named.
        if isBesideCommand, entry.target != nil, entry.subject.isAboutTarget {
          planned.target = index ?? 0
        }
        return planned
      }
    }
    // What is said of one target, or of a command, does not contradict what is said of another.
    for index in Set(planned.map { $0.target ?? -1 }).sorted() {
      check(planned.filter { ($0.target ?? -1) == index })
    }
    return planned
  }

  private mutating func plan(
    _ subject: ExpectationBlock.Subject, in place: EvaluationSite, about name: Located<String>?,
    _ isOfCommand: Bool
  ) -> PlannedExpectation.Subject? {
    switch subject {
    case .exit(let matcher): return planMatcher(matcher, in: place).map { .exit($0) }
    case .signal(let name):
      return data.diagnostics.catching(as: .badSignal, at: name.range) { () throws(PatternError) in
        .signal(try SignalName.named(name.value).name)
      }
    case .standardOutput(let matcher):
      return planMatcher(matcher, of: "stdout", in: place).map { .standardOutput($0) }
    case .standardError(let matcher):
      return planMatcher(matcher, of: "stderr", in: place).map { .standardError($0) }
    case .screen(let matcher): return planMatcher(matcher, in: place).map { .screen($0) }
    case .watchdog(let bound): return planWatchdog(bound)
    case .file(let pattern, let condition): return plan(pattern, condition, in: place)
    case .request(let condition): return plan(condition, in: place)
    case .requestOrder(let lines): return planOrder(lines)
    case .state(let name, let matcher):
      checkStateName(name)
      return planMatcher(matcher, in: place).map { .state(name: name.value, $0) }
    case .chaos(let name, let count, let matcher):
      checkChaosName(name)
      return planMatcher(matcher, in: place).map { .chaos(entry: name.value, count, $0) }
    case .timers(let condition): return plan(condition, in: place)
    case .elapsed(let matcher):
      usesTime = true
      return planMatcher(matcher, in: place).map { .elapsed($0) }
    case .clock(let condition):
      usesTime = true
      return .clock(condition)
    case .processes(let kind, let matcher):
      return planMatcher(matcher, in: place).map { .processes(kind, $0) }
    case .tolerated(let entries):
      return .tolerated(
        planExpectations(ExpectationBlock(entries: entries), in: place, about: name))
    case .repeated(let check, let entries):
      usesTime = true
      return .repeated(
        check,
        planExpectations(
          ExpectationBlock(entries: entries), in: place, about: name, isInCommand: isOfCommand))
    }
  }

  private mutating func plan(
    _ text: Located<String>, _ condition: FileCondition, in place: EvaluationSite
  ) -> PlannedExpectation.Subject? {
    refuseUnexpanded(text)
    if text.value.hasSuffix("/") { return planFolder(text, condition) }
    if let problem = PathText.problem(inDirectory: text.value) {
      report(
        problem, code: .badPlace, at: text.range,
        help: "write a path or glob in the case's directory, such as out/*.json")
    }
    let pattern = data.diagnostics.catching(as: .badPattern, at: text.range) {
      () throws(PatternError) in
      let pattern = GlobPattern(text.value)
      try pattern.validate()
      return pattern
    }
    guard let pattern else { return nil }
    switch condition {
    case .absent: return .fileAbsent(pattern)
    case .exists: return .fileExists(pattern)
    case .tree: return nil
    case .content(let matcher):
      return planMatcher(matcher, of: text.value, in: place).map { matcher in
        refuseSnapshot(in: matcher, of: text)
        return .file(pattern, matcher)
      }
    case .properties(let properties):
      let link = properties.link.flatMap { planMatcher($0, in: place) }
      return .fileProperties(
        pattern,
        PlannedFileProperties(
          kind: properties.kind?.value, link: link, mode: properties.mode?.value,
          digest: properties.digest?.value))
    }
  }

  /// Refuses a path that begins with what a shell would replace: it would be absent for ever.
  private mutating func refuseUnexpanded(_ text: Located<String>) {
    let first = text.value.prefix { $0 != "/" }
    guard first.count < text.value.count, !["$HOME", "$TMPDIR"].contains(first) else { return }
    let rest = text.value.dropFirst(first.count)
    guard first == "~" || first.hasPrefix("$") else { return }
    let isTemporary = first.lowercased().contains("tmp")
    report(
      "\"\(first)\" is not replaced in \"\(text.value)\"", code: .badPlace, at: text.range,
      help: "write \(isTemporary ? "$TMPDIR" : "$HOME")\(rest);"
        + " for a file whose name starts like this, write [\(first.prefix(1))]\(first.dropFirst())\(rest)"
    )
  }

  private mutating func plan(
    _ condition: RequestCondition, in place: EvaluationSite
  ) -> PlannedExpectation.Subject? {
    let line = plan(condition.request)
    let count = condition.count.flatMap { planMatcher($0, in: place) }
    let intervals = condition.intervals?.value.compactMap { planMatcher($0, in: place) }
    if let line { checkIsSeen(line, at: condition.request.range) }
    guard let line, intervals?.count == condition.intervals?.value.count else { return nil }
    return .request(line, count: count, intervals: intervals)
  }

  /// Plans the requests that a condition is about.
  private mutating func plan(_ selector: RequestSelector) -> PlannedRequestLine? {
    switch selector {
    case .line(let text):
      return data.diagnostics.catching(as: .badRequest, at: text.range) {
        () throws(PatternError) in
        let line = try URLPattern.parseRequestLine(text.value)
        return PlannedRequestLine(
          methods: line.method.map { [$0] }, url: line.url, text: text.value)
      }
    case .pattern(let pattern, let name):
      var captures: [String] = []
      guard case .http(let request)? = planPattern(pattern, &captures) else { return nil }
      checkAsksForCertificate(pattern)
      return PlannedRequestLine(
        methods: request.methods, url: request.url, text: name.value,
        pattern: request.isAddressOnly ? nil : request)
    }
  }

  private mutating func planOrder(_ lines: [RequestSelector]) -> PlannedExpectation.Subject? {
    let planned = lines.compactMap { selector in
      let line = plan(selector)
      if let line { checkIsSeen(line, at: selector.range) }
      return line
    }
    return planned.count == lines.count ? .requestOrder(planned) : nil
  }

  mutating func checkChaosName(_ name: Located<String>) {
    switch chaosNames.counts[name.value, default: 0] {
    case 0:
      report(
        "unknown chaos entry \"\(name.value)\"", code: .unknownEntry, at: name.range,
        help: chaosNames.known.help(for: name.value, label: "entries"))
    case 1: break
    default:
      report(
        "several chaos entries have the name \"\(name.value)\"", code: .duplicateName,
        at: name.range,
        help: "give each of them its own \"name\"")
    }
  }
}

extension RequestSelector {
  /// The place of the request.
  fileprivate var range: SourceRange {
    switch self {
    case .line(let text): text.range
    case .pattern(_, let name): name.range
    }
  }
}

extension ExpectationBlock.Subject {
  /// True if it is about the end or the output of one target.
  var isAboutTarget: Bool {
    switch self {
    case .exit, .signal, .standardOutput, .standardError, .tolerated, .screen, .watchdog: true
    default: false
    }
  }
}
