internal import FaultEngine
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// Checks for entries that contradict themselves or have no effect.
extension CasePlanner {
  /// Checks for names that steps and reports could not distinguish.
  mutating func checkChaosNames() {
    var places: [String: SourceRange] = [:]
    for entry in body.chaos where entry.isNamed && entry.range.file == file {
      let name = entry.name
      if name.value == "all" {
        report(
          "a chaos entry cannot have the name \"all\"", code: .badName, at: name.range,
          help: "write another name: \"apply: all\" and \"revert: all\" select every entry")
      }
      guard let first = places[name.value] else {
        places[name.value] = name.range
        continue
      }
      guard first != name.range else { continue }
      data.diagnostics.report(
        Diagnostic(
          "duplicate chaos entry \"\(name.value)\"", code: .repeatedName,
          at: name.range,
          help: "give each of them its own name, which steps and reports use",
          notes: [Diagnostic.Note("the first one is here", at: first)]))
    }
  }

  /// Checks one entry that is planned.
  mutating func checkEntry(_ entry: ChaosEntry, _ planned: PlannedChaos) {
    checkRestarts(entry, planned)
    let schedule = entry.schedule
    // What no step applies is laid out for others.
    if entry.isApplied || steeredChaos.contains(entry.name.value) {
      checkReach(of: schedule.part("from", \.from))
    }
    let places = schedule.value.places
    if !places.isEmpty, let times = schedule.value.times, times > places.count {
      warn(
        "\"times: \(times)\" allows more than the \(places.count) that \"nth\" names",
        code: .noDifference, at: schedule.ranges["nth"],
        help: "remove \"times\", or write \"nth: [\(Self.run(from: places, of: times))]\"")
    }
    if let until = schedule.part("until", \.until), case .shift(let length) = until.value,
      length <= .zero
    {
      report(
        "the entry never fires: \"until: +\(length)\" is the start", code: .neverFires,
        at: until.range,
        help: "write a later instant, such as +30s")
    }
  }

  /// Checks what only shows once all entries are known.
  mutating func checkEntries(_ planned: [PlannedChaos]) {
    let lastOfProcesses = planned.lastIndex { $0.target.kind == .processes } ?? 0
    let counted = Set(
      body.allExpectations.compactMap {
        if case .chaos(let name, _, _) = $0.subject { name.value } else { nil }
      })
    for (index, entry) in planned.enumerated()
    where entry.target.kind == .processes && entry.provider == .original {
      // In front of another one it makes an exception, and an expectation can count it.
      let isException = index < lastOfProcesses
      let isCounted = counted.contains(entry.name)
      guard !isException, !isCounted else { continue }
      warn(
        "\"original\" does not change the process", code: .noDifference, at: entry.range,
        help: "write { kill: process }, { signal: TERM }, { stop: 5s } or"
          + " { restart: { after: 2s } }, or remove the entry")
    }
  }

  private mutating func checkRestarts(_ entry: ChaosEntry, _ planned: PlannedChaos) {
    let schedule = planned.schedule
    guard planned.target.kind != .processes, planned.provider.restartsWithoutEnd,
      schedule.times == nil,
      schedule.places.isEmpty, schedule.probability == nil, schedule.until == nil,
      schedule.during == nil
    else { return }
    let word = planned.functions?.names.first ?? planned.calls.first?.name ?? planned.name
    warn(
      "the target is restarted at each \"\(word)\", endlessly if it gets there each time",
      code: .endlessRestart, at: entry.provider.range,
      help: "limit the restarts, as in when: { times: 1 }")
  }

  mutating func warn(
    _ message: String, code: DiagnosticCode, at range: SourceRange?, help: String
  ) {
    data.diagnostics.report(Diagnostic(message, code: code, at: range, help: help))
  }

  /// Places that go on where `nth` ends.
  private static func run(from places: [Int], of count: Int) -> String {
    let first = places.first ?? 1
    guard count <= 6 else { return "\(first), \(first + 1), …" }
    return (0..<count).map { String(first + $0) }.joined(separator: ", ")
  }

  /// Checks lengths of time that nothing happens in.
  mutating func checkLength(of provider: FaultAction) {
    switch provider.content {
    case .stop(let length) where length <= .zero:
      report(
        "\"stop: \(length)\" has no effect", code: .noEffect,
        at: provider.range,
        help: "write a virtual duration, such as { stop: 5s }")
    case .delay(_, let longest, nil) where longest <= .zero:
      report(
        "a delay of \(longest) has no effect", code: .noEffect, at: provider.range,
        help: "write a virtual duration, such as { delay: 3s }")
    default: break
    }
  }

  /// Checks an expression against the calls that it is computed for.
  mutating func check(_ number: ComputedNumber, at range: SourceRange, of scope: ChaosScope) {
    if number.dividesByZero {
      report(
        "\"compute\" divides by zero", code: .impossibleProvider, at: range,
        help: "write another divisor, or 0, which a division by zero gives here")
    }
    for place in number.argumentPlaces.sorted() {
      checkArgument(Located(place, at: range), of: scope)
    }
  }

  /// Warns of an error of calls that cannot fail.
  mutating func checkFailure(_ error: ErrorNumber, at range: SourceRange, of scope: ChaosScope) {
    guard scope.functions == nil, !scope.calls.isEmpty,
      scope.calls.allSatisfy({ SystemCallFamily.unfailing.contains($0.name) })
    else { return }
    warn(
      "\"\(scope.word)\" never fails, so programs read \(error.name) as a result",
      code: .unlikelyError, at: range,
      help: "write { constant: N } for another result")
  }

  /// Reports what `except:` leaves nothing of.
  mutating func checkRest(of names: [Located<String>], _ exceptions: [Located<String>]) {
    for name in names where FunctionNamePattern(name.value).hasAsterisk {
      let exception = exceptions.first {
        FunctionNamePattern($0.value).matches(Array(name.value.utf8))
      }
      guard let exception else { continue }
      report(
        "\"\(exception.value)\" excludes all functions of \"\(name.value)\"", code: .noEffect,
        at: exception.range,
        help: "name fewer functions in \"except\", such as \"\(name.value.dropLast())free\"")
    }
  }
}

extension SystemCallFamily {
  /// Calls that always succeed, as their manual pages say.
  static let unfailing: Set<String> = [
    "alarm", "getegid", "geteuid", "getgid", "getpgrp", "getpid", "getppid", "gettid", "getuid",
    "sched_yield", "sync", "umask",
  ]
}
