internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// Returns the planned action of a time step; `nil` for other actions.
  mutating func time(_ action: Step.Action) -> PlannedStep.Action? {
    switch action {
    case .travel(let instant): return .travel(instant.value)
    case .jump(let length):
      count(length)
      return .jump(length.value)
    case .freeze(let instant): return .freeze(instant?.value)
    case .returnToPresent: return .returnToPresent
    case .settle: return .settle
    case .rate(let rate): return .rate(rate.value)
    case .suspend(let length):
      count(length)
      return .suspend(length.value)
    case .tick(let amount):
      if case .duration(let length) = amount.value {
        count(Located(length, at: amount.range))
      }
      return .tick(amount.value)
    default: return nil
    }
  }

  /// The correction of a target's wall clock.
  mutating func planAdjustment(
    of step: Step, by length: Located<Nanoseconds>, over time: Located<Nanoseconds>?
  ) -> PlannedStep.Action? {
    usesTime = true
    count(length)
    if let index = step.target.map({ targetNumbers[$0.value] }) ?? 0 {
      adjustedTargets.insert(index)
    }
    if let time {
      guard time.value > .zero else {
        report(
          "\"over\" must be longer than 0s", code: .outOfRange, at: time.range,
          help: "remove \"over\", or write a duration, such as over: 1000s")
        return nil
      }
      // The kernel's tick may be off by 10 %.
      guard abs(Int128(length.value.count)) * 10 <= Int128(time.value.count) else {
        report(
          "a clock cannot gain \(length.value) in \(time.value)", code: .outOfRange, at: time.range,
          help:
            "a correction is at most a tenth of its duration: write a longer \"over\", or remove it"
        )
        return nil
      }
      guard time.value <= Self.correctionLimit else {
        report(
          "a correction can last at most a year", code: .outOfRange, at: time.range,
          help: "write a \"drift\" in the target's \"clock\" instead")
        return nil
      }
    }
    return .adjust(by: length.value, over: time?.value)
  }

  /// How long a correction may last, which is exact to the nanosecond.
  private static let correctionLimit = Nanoseconds.seconds(366 * 86_400)

  /// How far all steps of a scenario together may move its clocks.
  ///
  /// Clocks count nanoseconds in 64 bits, which are 292 years; a target that sleeps must have some left.
  private static let timeLimit = Nanoseconds.seconds(200 * 31_556_952)

  private mutating func count(_ length: Located<Nanoseconds>) {
    let before = timeMoved
    timeMoved += max(length.value, -length.value)
    guard timeMoved > Self.timeLimit, before <= Self.timeLimit else { return }
    report(
      "the steps up to here move time by \(timeMoved), which is more than 200 years",
      code: .outOfRange, at: length.range,
      help: "to set the wall clock to a distant date, use \"travel:\"")
  }

  // MARK: - Expectations

  /// `expect.watchdog`.
  mutating func planWatchdog(_ bound: Located<Nanoseconds>) -> PlannedExpectation.Subject? {
    usesTime = true
    guard bound.value > .zero else {
      report(
        "\"within\" of \"watchdog\" must be longer than 0s", code: .outOfRange, at: bound.range,
        help: "write a virtual duration, such as within: 30s")
      return nil
    }
    return .watchdog(within: bound.value)
  }

  /// `expect.timers`.
  mutating func plan(
    _ condition: TimersCondition, in place: EvaluationSite
  ) -> PlannedExpectation.Subject? {
    usesTime = true
    var process: GlobPattern?
    if let text = condition.process {
      process = data.diagnostics.catching(as: .badPattern, at: text.range) {
        () throws(PatternError) in
        let pattern = GlobPattern(text.value)
        try pattern.validate()
        return pattern
      }
    }
    var calls: [String] = []
    for name in condition.calls {
      guard TimedCalls.names.contains(name.value) else {
        report(
          "\"\(name.value)\" is not a call with a timeout", code: .unknownCall, at: name.range,
          help: Suggestion.help(for: name.value, in: TimedCalls.names, label: "known calls"))
        continue
      }
      calls.append(name.value)
    }
    let waits = condition.waits?.compactMap { planMatcher($0, in: place) }
    let count = condition.count.flatMap { planMatcher($0, in: place) }
    return .timers(
      PlannedTimers(
        process: process, systemCalls: calls, shortest: condition.shortest?.value, waits: waits,
        count: count))
  }
}

/// The calls by which a program waits for time, by their kernel names.
enum TimedCalls {
  static let names = [
    "accept", "accept4", "alarm", "clock_nanosleep", "connect", "epoll_pwait", "epoll_pwait2",
    "epoll_wait", "futex", "futex_waitv", "io_getevents", "io_pgetevents", "mq_timedreceive",
    "mq_timedsend", "nanosleep", "poll", "ppoll", "pselect6", "read", "readv", "recvfrom",
    "recvmmsg", "recvmsg", "rt_sigtimedwait", "select", "semtimedop", "sendmmsg", "sendmsg",
    "sendto", "setitimer", "timer_settime", "timerfd_settime", "write", "writev",
  ]
}
