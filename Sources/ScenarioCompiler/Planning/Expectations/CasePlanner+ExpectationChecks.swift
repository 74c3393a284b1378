internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Expectations that cannot fail, and such that nothing can meet.
extension CasePlanner {
  /// Checks the conditions of one `expect:`.
  mutating func check(_ expectations: [PlannedExpectation]) {
    for expectation in expectations { check(expectation.subject) }
    checkEnds(expectations)
    checkFiles(expectations)
    checkPairs(expectations)
  }

  private mutating func check(_ subject: PlannedExpectation.Subject) {
    switch subject {
    // That a target has a code at all says that no signal has ended it.
    case .exit(let matcher):
      reviewExit(matcher)
      // `not: 300` was meant to say more.
      if case .not(let inner) = matcher.condition { reviewExit(inner) }
    case .standardOutput(let matcher), .standardError(let matcher), .screen(let matcher):
      review(matcher, .text, "a text", help: "write a condition on the text, or remove it")
      warnOfOpposites(in: matcher)
    // That a file is there is something.
    case .file(_, let matcher):
      review(
        matcher, .text, "a text", help: "write conditions that one file can meet", onlyNever: true)
      warnOfOpposites(in: matcher)
    case .request(_, let count?, _): reviewCount(count)
    // That an entry may fire or not says something: one that never does is a failure otherwise.
    case .chaos(_, .fired, let matcher): reviewCount(matcher, onlyNever: true)
    case .chaos(_, _, let matcher), .processes(_, let matcher): reviewCount(matcher)
    case .timers(let timers):
      if let count = timers.count { reviewCount(count) }
    case .elapsed(let matcher):
      review(
        matcher, .duration(upTo: nil), "a duration",
        help: "write virtual durations of 0s or more")
      checkReach(of: matcher)
    case .signal, .fileAbsent, .fileExists, .fileProperties, .request, .requestOrder, .state,
      .clock,
      .tolerated, .repeated, .tree, .watchdog:
      break
    }
  }

  private mutating func reviewExit(_ matcher: PlannedMatcher) {
    review(
      matcher, .exitCode, "an exit code", help: "write an exit code from 0 to 255", onlyNever: true)
  }

  private mutating func reviewCount(_ matcher: PlannedMatcher, onlyNever: Bool = false) {
    review(
      matcher, .count, "a count", help: "write a count of 0 or more", onlyNever: onlyNever)
  }

  private mutating func review(
    _ matcher: PlannedMatcher, _ domain: MatcherReview.Domain, _ noun: String, help: String,
    onlyNever: Bool = false
  ) {
    for finding in MatcherReview(domain: domain).findings(in: matcher) {
      switch finding.verdict {
      case .never:
        // What is the wrong way round was reported.
        if finding.matcher.isReversed { continue }
        report(
          "impossible condition on \(noun): \(finding.matcher.summary)", code: .badExpectation,
          at: finding.matcher.range,
          help: domain == .text ? help : finding.matcher.helpForText ?? help)
      case .always where finding.domain == .data:
        warn(
          "every text meets this condition: \(finding.matcher.summary)", code: .cannotFail,
          at: finding.matcher.range,
          help: "write a condition on the text, or { type: string } if any text will do")
      case .always where !onlyNever:
        warn(
          "this cannot fail: \(noun) always meets this condition: \(finding.matcher.summary)",
          code: .cannotFail, at: finding.matcher.range, help: help)
      case .always, .open: break
      }
    }
  }

  /// Warns of the opposite of several texts, where as a rule none of them is meant.
  private mutating func warnOfOpposites(in matcher: PlannedMatcher) {
    switch matcher.condition {
    case .allOf(let parts), .anyOf(let parts):
      for part in parts { warnOfOpposites(in: part) }
    case .not(let inner):
      guard case .allOf(let parts) = inner.condition, parts.count > 1,
        parts.allSatisfy(\.isAboutText)
      else { return warnOfOpposites(in: inner) }
      warn(
        "\"not\" holds here as soon as one of \(parts.count) conditions does not",
        code: .oppositeOfSeveral, at: inner.range,
        help:
          "to require that none of them holds, write not: { any_of: [{ … }, { … }] } with one condition each"
      )
    default: break
    }
  }

  /// Warns of a step that waits for nothing.
  mutating func checkWait(for text: Located<String>) {
    guard RegularExpression(text.value).isFoundEverywhere else { return }
    warn(
      "this does not wait: any output matches /\(text.value)/", code: .cannotFail, at: text.range,
      help: "write a pattern that the output must match, such as { stdout: 'listening on' }")
  }

  // MARK: - Several conditions

  /// A target ends by itself or by a signal.
  private mutating func checkEnds(_ expectations: [PlannedExpectation]) {
    var signal: (name: String, range: SourceRange)?
    var code: SourceRange?
    for expectation in expectations {
      switch expectation.subject {
      case .signal(let name):
        if let signal, signal.name != name {
          reportPair(
            "a target cannot end by two signals, \(signal.name) and \(name)",
            at: expectation.range, signal.range, help: "keep one of them")
        }
        signal = signal ?? (name, expectation.range)
      case .exit: code = code ?? expectation.range
      default: break
      }
    }
    guard let signal, let code else { return }
    reportPair(
      "\"exit\" and \"signal\" cannot both hold: a target that a signal ends has no exit code",
      at: signal.range, code, help: "keep one of them")
  }

  private mutating func checkFiles(_ expectations: [PlannedExpectation]) {
    for absent in expectations {
      guard case .fileAbsent(let pattern) = absent.subject else { continue }
      let other = expectations.first { other in
        switch other.subject {
        case .fileExists(let own), .file(let own, _): own == pattern
        default: false
        }
      }
      guard let other else { continue }
      reportPair(
        "\"\(pattern.text)\" cannot both be absent and exist", at: absent.range, other.range,
        help: "keep one of them")
    }
  }

  /// Checks pairs of conditions on one subject that are apart, as those of a scenario and those of
  /// the file's top.
  private mutating func checkPairs(_ expectations: [PlannedExpectation]) {
    let conditions = expectations.compactMap { expectation in
      expectation.condition.map { (expectation, $0) }
    }
    let byPlace = Dictionary(grouping: conditions.indices) { conditions[$0].1.place }
    for (index, (first, own)) in conditions.enumerated() {
      for later in byPlace[own.place] ?? [] where later > index {
        let (second, others) = conditions[later]
        let review = MatcherReview(domain: own.domain)
        let both = PlannedMatcher(.allOf([own.matcher, others.matcher]), at: first.range)
        guard review.verdict(on: both) == .never, review.verdict(on: own.matcher) != .never,
          review.verdict(on: others.matcher) != .never
        else { continue }
        reportPair(
          "two conditions on \(own.place) cannot both hold", at: first.range, second.range,
          help: "keep one of them; conditions at the top of the file apply, too")
      }
    }
  }

  private mutating func reportPair(
    _ message: String, at range: SourceRange, _ other: SourceRange, help: String
  ) {
    data.diagnostics.report(
      Diagnostic(
        message, code: .badExpectation, at: range, help: help,
        notes: [Diagnostic.Note("the other condition is here", at: other)]))
  }

  // MARK: - Real time

  /// The latest virtual time that a case can reach where time passes as real time does, and no step moves it.
  var reachOfTime: Nanoseconds? {
    guard body.clock?.flow?.value ?? .real == .real else { return nil }
    let isMoved = body.allSteps.contains { step in
      switch step.action {
      case .travel, .jump, .freeze, .tick, .suspend, .rate, .block, .returnToPresent: true
      default: false
      }
    }
    return isMoved ? nil : body.timeout?.value ?? options.defaultTimeout
  }

  private mutating func checkReach(of matcher: PlannedMatcher) {
    guard let reach = reachOfTime, reach > .zero,
      MatcherReview(domain: .duration(upTo: reach)).verdict(on: matcher) == .never,
      MatcherReview(domain: .duration(upTo: nil)).verdict(on: matcher) != .never
    else { return }
    report(
      "virtual time passes like real time, and the scenario times out after \(reach)",
      code: .badExpectation, at: matcher.range,
      help: "write \"clock: { flow: auto }\", add a step that moves the clock, or raise \"timeout\""
    )
  }

  /// Reports an instant that a scenario ends before.
  mutating func checkReach(of from: Located<InstantExpression>?) {
    guard let from, case .shift(let length) = from.value, let reach = reachOfTime, reach > .zero,
      length >= reach
    else { return }
    report(
      "\"from: +\(length)\" is never reached: virtual time passes like real time, and the scenario times out"
        + " after \(reach)", code: .badExpectation, at: from.range,
      help: "write \"clock: { flow: auto }\", add a step that moves the clock, or raise \"timeout\""
    )
  }
}

extension PlannedMatcher {
  /// The help for a text in digits where a number is meant.
  fileprivate var helpForText: String? {
    guard case .equals(let data) = condition, case .string(let text)? = data.literal,
      Int64(text) != nil
    else { return nil }
    return
      "\"\(text)\" is text: convert it to a number, as in \"${{ int(vars.NAME) }}\", or write it without quotes"
  }

  /// True if the bounds of `between` are in the wrong order.
  fileprivate var isReversed: Bool {
    guard case .between(let lower, let upper) = condition, let lower = lower.literal,
      let upper = upper.literal
    else { return false }
    return ValueComparison.isLess(upper, lower) ?? true
  }
}

extension PlannedExpectation {
  /// A matcher with what it is about.
  fileprivate struct Condition {
    var place: String
    var domain: MatcherReview.Domain
    var matcher: PlannedMatcher
  }

  /// The condition, where it is a matcher on one thing.
  fileprivate var condition: Condition? {
    switch subject {
    case .exit(let matcher): Condition(place: "\"exit\"", domain: .exitCode, matcher: matcher)
    case .standardOutput(let matcher):
      Condition(place: "\"stdout\"", domain: .text, matcher: matcher)
    case .standardError(let matcher):
      Condition(place: "\"stderr\"", domain: .text, matcher: matcher)
    case .screen(let matcher):
      Condition(place: "\"screen\"", domain: .text, matcher: matcher)
    case .file(let pattern, let matcher):
      Condition(place: "the file \"\(pattern.text)\"", domain: .text, matcher: matcher)
    case .chaos(let entry, let count, let matcher):
      Condition(place: "\"\(count.rawValue)\" of \"\(entry)\"", domain: .count, matcher: matcher)
    case .processes(let kind, let matcher):
      Condition(place: "\"\(kind.rawValue)\"", domain: .count, matcher: matcher)
    case .elapsed(let matcher):
      Condition(place: "\"duration\"", domain: .duration(upTo: nil), matcher: matcher)
    default: nil
    }
  }
}

extension PlannedMatcher {
  /// True if it asks for a part of a text.
  fileprivate var isAboutText: Bool {
    switch condition {
    case .contains, .startsWith, .endsWith, .matches, .matchesComputed: true
    default: false
    }
  }
}
