internal import Foundations
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// Checks conditions on time: the target's waits, and the clocks.
struct TimeChecker {
  let checker: ExpectationChecker

  // MARK: - The clocks

  /// Returns the reasons why the elapsed virtual time is not as expected; none if it is.
  func checkElapsed(_ matcher: PlannedMatcher) -> [Failure] {
    let elapsed = checker.reading.elapsed
    guard !checker.holds(matcher, for: elapsed) else { return [] }
    for length in [elapsed, DurationPrecision(of: matcher).rounded(elapsed)] {
      var failures = checker.match(
        matcher, .value(.string(length.description)), type: "expect.duration", name: "duration")
      guard !failures.isEmpty else { continue }
      for index in failures.indices where failures[index].category == .expectation {
        failures[index].actual = Value.string(elapsed.description).excerpt()
      }
      return failures
    }
    return [
      Failure(
        category: .expectation, type: "expect.duration",
        message: "duration: expected \(matcher.expectedText)", range: matcher.range,
        actual: Value.string(elapsed.description).excerpt())
    ]
  }

  /// Returns the reason why the wall clock is not as expected; `nil` if it is.
  func checkClock(_ condition: ClockCondition) -> Failure? {
    let wall = checker.reading.wall
    let expected: String
    switch condition {
    case .at(let instant):
      if DurationPrecision(of: instant).isSame(wall, instant) { return nil }
      expected = "\(instant)"
    case .between(let first, let last):
      let isFirst = DurationPrecision(of: first).isSame(wall, first)
      let isLast = DurationPrecision(of: last).isSame(wall, last)
      if isFirst || isLast || (first <= wall && wall <= last) { return nil }
      expected = "between \(first) and \(last)"
    }
    var help: String?
    if case .at(let instant) = condition, checker.reading.flows,
      wall - instant < .seconds(60), instant - wall < .seconds(60)
    {
      help = "the clock is running: write \"between: [TIMESTAMP, TIMESTAMP]\", or freeze it"
    }
    return Failure(
      category: .expectation, type: "expect.clock", message: "clock: expected \(expected)",
      actual: "\(wall)", help: help)
  }

  // MARK: - The watchdog

  /// Returns the reason why the target's signs of life came too late; `nil` if they did not.
  func checkWatchdog(_ bound: Nanoseconds) -> Failure? {
    let record = checker.watchdog ?? WatchdogRecord()
    guard
      let silence = record.longestSilence(until: checker.target.endedAt ?? checker.reading.elapsed)
    else {
      return Failure(
        category: .expectation, type: "expect.watchdog",
        message: "watchdog: \(checker.who) sent neither READY=1 nor WATCHDOG=1",
        help: "a service sends them to the socket in NOTIFY_SOCKET, as sd_notify(3) does")
    }
    guard silence.length > bound else { return nil }
    return Failure(
      category: .expectation, type: "expect.watchdog",
      message: "watchdog: expected WATCHDOG=1 from \(checker.who) within \(bound)",
      actual:
        "nothing for \(silence.length), from \(silence.from) to \(silence.to) since the start",
      details: ["it sent WATCHDOG=1 \(record.count) time\(record.count == 1 ? "" : "s") in all"])
  }

  // MARK: - Waits

  /// Returns the reasons why the target's waits are not as expected; none if they are.
  func checkTimers(_ timers: PlannedTimers) -> [Failure] {
    let failures = failures(of: timers)
    guard failures.isEmpty, let process = timers.process else { return failures }
    return checker.absence(of: process, type: "expect.timers", name: "timers").list
  }

  private func failures(of timers: PlannedTimers) -> [Failure] {
    let statistics = checker.target.waits
    if let failure = Failure(incomplete: statistics) { return [failure] }
    let waits = statistics.waits.filter {
      timers.includes(
        program: $0.owner.program, systemCall: $0.owner.systemCall, length: $0.length)
    }
    var failures: [Failure] = []
    if let count = timers.count {
      failures = checker.match(
        count, .integer(Int64(waits.count)), type: "expect.timers", name: "number of waits"
      ).with(details: Self.list(waits))
    }
    guard let expected = timers.waits else { return failures }
    let comparison = SequenceComparison(
      expected: expected.map(\.expectedText), actual: waits.map(Self.text)
    ) { checker.holds(expected[$0], for: waits[$1].length) }
    guard !comparison.isEqual else { return failures }
    var details = comparison.lines
    let ignored = statistics.count - waits.count
    if ignored > 0 {
      details.append(
        ignored == 1
          ? "(1 other wait is not part of the expectation)"
          : "(\(ignored) other waits are not part of the expectation)")
    }
    let failure = Failure(
      category: .expectation, type: "expect.timers",
      message: "timers: expected \(Self.bracketed(expected.map(\.expectedText)))",
      actual: Self.bracketed(waits.map(\.length.description)), details: details)
    return failures + [failure]
  }

  private static func text(_ wait: RecordedWait) -> String {
    let length = wait.length.description
    let gap = String(repeating: " ", count: max(2, 8 - length.count))
    return "\(length)\(gap)\(wait.owner.program) in \(wait.owner.systemCall)"
  }

  /// The waits that a failure shows of a count.
  private static let listLimit = 20

  private static func list(_ waits: [RecordedWait]) -> [String] {
    guard !waits.isEmpty else { return ["the target made no such wait"] }
    let hidden = waits.count - listLimit
    return waits.prefix(listLimit).map { " \(text($0))" } + (hidden > 0 ? ["… \(hidden) more"] : [])
  }

  private static let bracketLimit = 12

  private static func bracketed(_ texts: [String]) -> String {
    let shown = texts.prefix(bracketLimit).joined(separator: ", ")
    return texts.count > bracketLimit
      ? "[\(shown), … \(texts.count - bracketLimit) more]" : "[\(shown)]"
  }
}

extension Failure {
  /// Creates the failure of a record that is incomplete: more waits than are kept cannot be judged;
  /// `nil` for one that is whole.
  init?(incomplete statistics: WaitStatistics) {
    guard statistics.omitted > 0 else { return nil }
    self.init(
      category: .error, type: "Waits",
      message: """
        the target made more than \(WaitStatistics.limit) waits; \(statistics.omitted) were not kept
        """,
      help: "check the waits after an earlier step, before the limit")
  }
}
