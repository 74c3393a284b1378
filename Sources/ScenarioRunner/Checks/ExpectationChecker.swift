internal import Foundations
internal import MockServer
internal import Patterns
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioTools
internal import Supervisor

/// Checks conditions against the present state of a case's environment.
struct ExpectationChecker {
  let world: CaseEnvironment
  /// The target at the moment of checking, the same for all conditions of one `expect`.
  let target: TargetSnapshot
  /// The messages of its notify socket; `nil` where it has none.
  let watchdog: WatchdogRecord?
  /// The target in a sentence.
  let who: String
  /// The prefix of its streams and its exit code in messages; empty where there is one target.
  let prefix: String
  /// The clocks at that moment.
  let reading: ClockReading
  /// The bound on searches, on the runner's clock.
  let deadline: Nanoseconds
  /// Stops searches.
  let cancellation: RunCancellation
  /// The processes that have crashed so far.
  let crashes: [RunObservation.Crash]
  /// The programs that have run so far.
  let programs: Set<String>

  /// Checks an expectation: one failure for each condition that does not hold.
  func check(_ expectation: PlannedExpectation) -> [Failure] {
    failures(of: expectation.subject).map { $0.at(expectation.range) }
  }

  private func failures(of subject: PlannedExpectation.Subject) -> [Failure] {
    switch subject {
    case .exit(let matcher):
      return checkExit(matcher)
    case .signal(let name):
      return checkSignal(name).list
    case .standardOutput(let matcher):
      return checkOutput(.output, matcher, type: "expect.stdout")
    case .standardError(let matcher):
      return checkOutput(.error, matcher, type: "expect.stderr")
    case .screen(let matcher): return checkScreen(matcher)
    case .watchdog(let bound): return TimeChecker(checker: self).checkWatchdog(bound).list
    case .fileAbsent, .fileExists, .file, .fileProperties:
      return FileChecker(checker: self).failures(of: subject)
    case .request(let line, let count, let intervals):
      return RequestChecker(checker: self).checkRequests(line, count: count, intervals)
    case .requestOrder(let lines):
      return RequestChecker(checker: self).checkOrder(of: lines).list
    case .state(let name, let matcher):
      return RequestChecker(checker: self).checkState(name, matcher)
    // Whoever lets time pass asks for what is in it, check by check.
    case .repeated: return []
    case .chaos(let entry, let count, let matcher):
      return checkChaos(entry, count, matcher)
    case .timers(let timers): return TimeChecker(checker: self).checkTimers(timers)
    case .elapsed(let matcher): return TimeChecker(checker: self).checkElapsed(matcher)
    case .clock(let condition): return TimeChecker(checker: self).checkClock(condition).list
    case .processes(let kind, let matcher): return checkProcesses(kind, matcher)
    case .tolerated(let expectations): return checkTolerated(expectations)
    case .tree(let tree):
      return TreeChecker(files: FileChecker(checker: self)).failure(of: tree).list
    }
  }

  /// Applies a matcher and makes failures of the mismatches.
  ///
  /// - Parameter isRepaired: whether the subject is a text in place of bytes that are not UTF-8.
  func match(
    _ matcher: PlannedMatcher, _ subject: MatchSubject, isRepaired: Bool = false, type: String,
    name: String
  ) -> [Failure] {
    let mismatches: [Mismatch]
    var scope = world.expectationScope
    scope.isRepaired = isRepaired
    if matcher.searches {
      let work = BoundedWork { [scope] in matcher.mismatches(of: subject, scope: scope) }
      switch work.run(before: deadline, cancellation) {
      case .done(let answer): mismatches = answer
      case .cancelled: return [.stopped(by: cancellation, at: matcher.range)]
      case .timedOut: return [.searchTimedOut(at: matcher.range)]
      }
    } else {
      mismatches = matcher.mismatches(of: subject, scope: scope)
    }
    return [Failure](mismatches, type: type, name: name)
  }

  /// Applies a matcher to a text that may be written into the scenario file where it differs.
  func matchText(
    _ matcher: PlannedMatcher, _ bytes: some Collection<UInt8>, type: String, name: String
  ) -> [Failure] {
    let valid = String(validating: bytes, as: UTF8.self)
    if matcher.hasSnapshot, valid == nil {
      return [
        Failure(
          category: .expectation, type: type,
          message: "\(name): this is not UTF-8, but a snapshot contains text", range: matcher.range,
          help: "compare its bytes with `sha256`, or snapshot its folder, as in out/")
      ]
    }
    let subject = valid.map(MatchSubject.text) ?? .bytes(bytes)
    let failures = match(matcher, subject, isRepaired: valid == nil, type: type, name: name)
    guard !failures.isEmpty else {
      world.snapshots.record(matcher)
      return []
    }
    guard failures.allSatisfy({ $0.category == .expectation }) else { return failures }
    let text = String(decoding: bytes, as: UTF8.self)
    return world.snapshots.takes(text, insteadOf: matcher, scope: world.expectationScope)
      ? [] : failures
  }

  // MARK: - Chaos

  private func checkChaos(
    _ entry: String, _ count: ChaosCount, _ matcher: PlannedMatcher
  ) -> [Failure] {
    let account = target.faults.first { $0.entry == entry }
    let number = count == .fired ? account?.fired : account?.matched
    return match(
      matcher, .integer(Int64(number ?? 0)), type: "expect.chaos",
      name: (count == .fired ? "firings" : "matches") + " of \"\(entry)\""
    ).with(details: account?.lines ?? [])
  }

  // MARK: - Output

  private func checkOutput(
    _ stream: StandardStream, _ matcher: PlannedMatcher, type: String
  ) -> [Failure] {
    let output = stream == .output ? target.output : target.errorOutput
    if let failure = Failure(incomplete: output, of: stream) { return [failure] }
    let name = prefix + stream.rawValue
    return output.isLong
      ? match(matcher, output, type: type, name: name)
      : matchText(matcher, output.bytes, type: type, name: name)
  }

  // MARK: - The end

  private func checkExit(_ matcher: PlannedMatcher) -> [Failure] {
    switch target.exitStatus {
    case .exited(let code)?:
      let failures = match(
        matcher, .integer(Int64(code)), type: "expect.exit", name: prefix + "exit code")
      guard !failures.isEmpty,
        let obstacle = Failure(withoutExecution: code, of: who, in: world.work)
      else { return failures }
      return [obstacle]
    case .signaled(let number)?:
      let name = SignalNames.name(of: number)
      return [
        Failure(
          category: .expectation, type: "expect.exit",
          message: "exit code: \(who) was killed by SIG\(name)", actual: "SIG\(name)",
          help: "if this signal is expected, add `signal: \(name)`")
      ]
    case nil:
      return [hasNotEnded(type: "expect.exit")]
    }
  }

  private func checkSignal(_ name: String) -> Failure? {
    switch target.exitStatus {
    case .signaled(let number)? where SignalNames.name(of: number) == name:
      return nil
    case let status?:
      return Failure(
        category: .expectation, type: "expect.signal",
        message: "signal: expected SIG\(name), but \(who) \(status.text)",
        actual: status.text)
    case nil:
      return hasNotEnded(type: "expect.signal")
    }
  }

  func hasNotEnded(type: String) -> Failure {
    Failure(
      category: .expectation, type: type, message: "\(who) has not exited",
      help: "put a `stop:` or `wait: exit` step before this one")
  }
}

extension PlannedMatcher {
  /// True if a regular expression is somewhere in it.
  fileprivate var searches: Bool {
    switch condition {
    case .matches, .matchesComputed: true
    case .not(let matcher), .length(let matcher), .each(let matcher), .any(let matcher):
      matcher.searches
    case .lines(let matchers), .allOf(let matchers), .anyOf(let matchers):
      matchers.contains(where: \.searches)
    case .jsonPaths(let fields), .xmlPaths(let fields, _):
      fields.contains(where: \.matcher.searches)
    case .schema: true
    case .equals, .contains, .empty, .json, .jsonSubset, .xml, .oneOf, .lessThan, .greaterThan,
      .between,
      .lineCount, .snapshot, .startsWith, .endsWith, .exists, .type, .atLeast, .atMost, .near:
      false
    case .yaml(let matcher): matcher.searches
    }
  }
}
