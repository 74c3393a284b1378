internal import Foundations
internal import OrderedCollections
internal import ScenarioEvents

/// A history as JSON, all of it.
package enum HistoryJSON {
  /// The version of the format.
  static let formatVersion: Int64 = 1

  /// The text, with a final newline.
  package static func text(_ report: HistoryReport) -> String {
    let history = report.history
    let members: OrderedDictionary<String, Value> = [
      "history": .integer(formatVersion),
      "runs": .list(history.runs.map(run)),
      "cases": .list(history.cases.map(found)),
      "newFailures": names(report.newFailures), "failing": names(report.failing),
      "flaky": names(report.flaky), "fixed": names(report.fixed),
      "slowest": names(report.slowest), "slower": names(report.slower),
    ]
    return Value.map(members).jsonText(pretty: true) + "\n"
  }

  private static func names(_ cases: [CaseHistory]) -> Value {
    .list(cases.map { .map(name($0)) })
  }

  private static func name(_ found: CaseHistory) -> OrderedDictionary<String, Value> {
    ["place": .string(found.identity.place), "name": .string(found.identity.name)]
  }

  private static func run(_ run: History.Run) -> Value {
    var members: OrderedDictionary<String, Value> = ["report": .string(run.source)]
    if let begin = run.begin { members["begin"] = .string(begin.description) }
    if let commit = run.commit { members["commit"] = .string(commit) }
    if !run.labels.isEmpty {
      members["labels"] = .map(
        OrderedDictionary(
          uniqueKeysWithValues: run.labels.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
    }
    if let digest = run.planDigest { members["planDigest"] = .string(digest) }
    members["passed"] = integer(run.passed)
    members["failed"] = integer(run.failed)
    members["errored"] = integer(run.errored)
    members["skipped"] = integer(run.skipped)
    members["retried"] = integer(run.retried)
    members["duration"] = .integer(run.duration.count)
    members["isCutOff"] = .bool(run.isCutOff)
    return .map(members)
  }

  private static func found(_ found: CaseHistory) -> Value {
    var members = name(found)
    members["state"] = .string(found.state.rawValue)
    members["runs"] = integer(found.decidedCount)
    members["bad"] = integer(found.badCount)
    members["flaky"] = integer(found.flakes.count)
    members["flakyRate"] = .number(found.flakyRate)
    if let bad = found.firstBad { members["firstBadRun"] = integer(bad.run) }
    if let good = found.lastGood { members["lastGoodRun"] = integer(good.run) }
    members["duration"] = times(found.times)
    if found.virtualTimes.worst > .zero { members["virtualDuration"] = times(found.virtualTimes) }
    members["observations"] = .list(
      found.observations.enumerated().map { place, observation in
        var members: OrderedDictionary<String, Value> = [
          "run": integer(observation.run), "outcome": .string(observation.outcome.rawValue),
        ]
        if observation.failedAttempts > 0 {
          members["failedAttempts"] = integer(observation.failedAttempts)
        }
        if found.flakes.contains(place) { members["isFlaky"] = .bool(true) }
        if observation.isCutOff { members["isCutOff"] = .bool(true) }
        if let time = observation.duration { members["duration"] = .integer(time.count) }
        if let time = observation.virtualDuration {
          members["virtualDuration"] = .integer(time.count)
        }
        if let message = observation.message { members["message"] = .string(message) }
        return .map(members)
      })
    return .map(members)
  }

  private static func times(_ times: HistoryTimes) -> Value {
    var members: OrderedDictionary<String, Value> = [
      "median": .integer(times.median.count), "worst": .integer(times.worst.count),
    ]
    if let recent = times.recent { members["recentMedian"] = .integer(recent.count) }
    if let before = times.before { members["earlierMedian"] = .integer(before.count) }
    return .map(members)
  }

  private static func integer(_ count: Int) -> Value { .integer(Int64(count)) }
}
