internal import ScenarioEvents

/// Decides which run of each case counts, where shards ran more than once.
struct Executions {
  /// One run of a case in one stream.
  private struct Execution {
    var place: Int
    var shard: String
    var name: String
    /// True if it ended without a failure.
    var isGood: Bool
    /// The attempts that it made by itself.
    var attempts: Int
  }

  private let attempts: ShardMerge.Attempts?
  private var executions: [String: [Execution]] = [:]

  init(attempts: ShardMerge.Attempts?) {
    self.attempts = attempts
  }

  /// Adds the cases that a stream has run.
  ///
  /// - Throws: If another shard has run the same case.
  mutating func take(_ stream: EventStream, at place: Int) throws(MergeRefusal) {
    let shard = stream.description.shard
    let text = shard.map { "shard \($0.index)/\($0.count)" } ?? "one run"
    for event in stream.events {
      guard let scenario = event.scenario else { continue }
      switch event.kind {
      case .caseStarted(let description):
        var runs = executions[scenario] ?? []
        defer { executions[scenario] = runs }
        if let known = runs.last {
          if known.place == place {
            runs[runs.count - 1].attempts = description.attempt
            continue
          }
          guard known.shard == text, attempts != nil else {
            throw MergeRefusal(
              "\"\(scenario)\" ran twice: by \(known.shard) in \"\(known.name)\" and by \(text)"
                + " in \"\(stream.name)\"",
              help: "merge the shards of one run, in which each case belongs to one shard")
          }
        }
        runs.append(
          Execution(
            place: place, shard: text, name: stream.name, isGood: false,
            attempts: description.attempt))
      case .caseFinished(let result):
        guard var runs = executions[scenario], !runs.isEmpty else { continue }
        runs[runs.count - 1].isGood = result.outcome == .passed || result.outcome == .skipped
        executions[scenario] = runs
      default: break
      }
    }
  }

  /// The number of cases beyond those planned, because each run is one.
  var added: Int {
    guard attempts == .separate else { return 0 }
    return executions.values.reduce(0) { $0 + $1.count - 1 }
  }

  /// An event as it stands in the merged run; `nil` if it belongs to a run that does not count.
  func rewritten(_ event: Event, at place: Int) -> Event? {
    guard let scenario = event.scenario, let all = executions[scenario], all.count > 1,
      let number = all.firstIndex(where: { $0.place == place })
    else { return event }
    switch attempts {
    case .none: return event
    case .replace: return number == all.count - 1 ? event : nil
    case .separate: return separated(event, scenario, number: number + 1)
    case .asRetry:
      let isLast = number == all.count - 1
      // A run that passed was no failed attempt, and a later one only repeats it.
      if !isLast, all[number].isGood { return nil }
      let earlier = all[..<number].filter { !$0.isGood }.reduce(0) { $0 + $1.attempts }
      return retried(event, after: earlier, isLast: isLast)
    }
  }

  private func separated(_ event: Event, _ scenario: String, number: Int) -> Event {
    guard number > 1 else { return event }
    var event = event
    event.scenario = "\(scenario) (run \(number))"
    if case .caseStarted(var description) = event.kind {
      description.name += " (run \(number))"
      event.kind = .caseStarted(description)
    }
    return event
  }

  private func retried(_ event: Event, after earlier: Int, isLast: Bool) -> Event {
    var event = event
    switch event.kind {
    case .caseStarted(var description):
      description.attempt += earlier
      event.kind = .caseStarted(description)
    case .caseFinished(var result):
      result.isRetried = result.isRetried || !isLast
      event.kind = .caseFinished(result)
    default: break
    }
    return event
  }
}
