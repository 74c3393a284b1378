internal import Foundations
package import ScenarioEvents

/// Makes one run of the shards of one plan, and proves that nothing is missing or double.
///
/// The order in which the streams are given changes nothing: the same streams give the same events.
package struct ShardMerge {
  /// The meaning of a shard, and so a case, that ran more than once.
  package enum Attempts: String, Sendable, Hashable, CaseIterable {
    /// The later run is another attempt: a case that failed and then passed is flaky.
    case asRetry = "as-retry"
    /// The last run of a case alone counts.
    case replace
    /// Each run is a case of its own.
    case separate
  }

  private let attempts: Attempts?
  private var streams: [EventStream]

  /// Prepares the merge.
  ///
  /// - Parameter attempts: what it means that a shard ran twice; `nil` refuses it.
  /// - Throws: If the streams do not belong together.
  package init(_ streams: [EventStream], attempts: Attempts?) throws(MergeRefusal) {
    self.attempts = attempts
    self.streams = streams.sorted { left, right in
      let (one, other) = (left.description, right.description)
      if one.shardIndex != other.shardIndex { return one.shardIndex < other.shardIndex }
      if one.startedAt != other.startedAt { return one.startedAt < other.startedAt }
      return (one.hostname, left.events.count, left.name)
        < (other.hostname, right.events.count, right.name)
    }
    try requireOnePlan()
    try requireEachShardOnce()
  }

  // MARK: - What belongs together

  private func requireOnePlan() throws(MergeRefusal) {
    guard let first = streams.first else {
      throw MergeRefusal("there is nothing to merge", help: "name the shards' event streams")
    }
    for other in streams.dropFirst() {
      let (one, two) = (first.description, other.description)
      guard one.planDigest == two.planDigest else {
        throw MergeRefusal(
          "\"\(first.name)\" ran the plan \(one.planDigest.prefix(12)), but \"\(other.name)\""
            + " \(two.planDigest.prefix(12))",
          help: "merge shards of one plan; \"scenario plan -o FILE\" makes one for all of them")
      }
      guard one.shard?.count == two.shard?.count else {
        throw MergeRefusal(
          "\"\(first.name)\" is \(one.shardText), but \"\(other.name)\" is \(two.shardText)",
          help: "merge shards of one run")
      }
      guard one.shard?.assignment == two.shard?.assignment else {
        throw MergeRefusal(
          "\"\(first.name)\" and \"\(other.name)\" distribute the cases differently",
          help: "give all shards the same --timings, or one plan by \"scenario plan --shards\"")
      }
    }
  }

  private func requireEachShardOnce() throws(MergeRefusal) {
    guard attempts == nil else { return }
    for (one, other) in zip(streams, streams.dropFirst())
    where one.description.shardIndex == other.description.shardIndex {
      throw MergeRefusal(
        "\(one.description.shardText) reported twice: \"\(one.name)\" and \"\(other.name)\"",
        help: "name one of them, or set --attempts as-retry, replace or separate")
    }
  }

  // MARK: - The one run

  /// The events of the merged run, in the order of shards.
  ///
  /// - Throws: If a case was run by two shards.
  package func events() throws(MergeRefusal) -> [Event] {
    guard let first = streams.first else { return [] }
    let start = streams.map(\.description.startedAt).min() ?? first.description.startedAt
    var executions = Executions(attempts: attempts)
    for (place, stream) in streams.enumerated() { try executions.take(stream, at: place) }
    var events: [Event] = []
    var end = Nanoseconds.zero
    var isInterrupted = false
    for (place, stream) in streams.enumerated() {
      let delay = stream.description.startedAt - start
      for event in stream.events {
        var event = event
        event.realTime += delay
        end = max(end, event.realTime)
        if case .runFinished(let result) = event.kind {
          isInterrupted = isInterrupted || result.interrupted
          continue
        }
        if let event = executions.rewritten(event, at: place) { events.append(event) }
      }
    }
    let problems = problems(at: end)
    events += problems.flatMap { $0 }
    var description = first.description
    description.startedAt = start
    description.caseCount =
      (first.description.shard?.planned ?? first.description.caseCount)
      + executions.added + problems.count
    description.shard = nil
    let finish = RunResult(duration: end, interrupted: isInterrupted)
    return [Event(realTime: .zero, kind: .runStarted(description))] + events
      + [Event(realTime: end, kind: .runFinished(finish))]
  }

  /// The text in place of the file in a case that represents a shard.
  private static let file = "shards"

  /// Returns the command that repeats what a shard did not do; `nil` for a case of a scenario file.
  static func command(for description: CaseDescription) -> String? {
    guard description.file == file, !description.name.contains("::") else { return nil }
    let words = description.name.split(separator: " ")
    return words.first == "shard" && words.count > 1
      ? "scenario run --shard \(words[1])" : "scenario run"
  }

  /// An error case for each shard that did not report, and for each whose last report is cut off.
  private func problems(at time: Nanoseconds) -> [[Event]] {
    var problems: [[Event]] = []
    let planned = streams.first?.description.shard?.planned ?? 0
    func add(_ name: String, _ failure: Failure) {
      let identifier = "\(Self.file)::\(name)"
      var result = CaseResult(
        outcome: .errored, duration: .zero, virtualDuration: nil, standardOutput: "",
        standardError: "", directory: nil)
      result.reason = failure.message
      let description = CaseDescription(
        file: Self.file, name: name, range: SourceRange(file: Self.file, line: 1, column: 1),
        tags: [], seed: 0, index: planned &+ problems.count)
      problems.append(
        [.caseStarted(description), .failed(failure), .caseFinished(result)].map {
          Event(realTime: time, scenario: identifier, kind: $0)
        })
    }
    let last = Dictionary(streams.map { ($0.description.shardIndex, $0) }) { _, later in later }
    let count = streams.first?.description.shard?.count ?? 1
    for index in 1...max(1, count) {
      let shard = count == 1 ? "the run" : "shard \(index)/\(count)"
      guard let stream = last[index] else {
        add(
          "\(shard) did not report",
          Failure(
            category: .error, type: "shard.missing", message: "\(shard): no report",
            help: "run it again, or check why its report was not kept"))
        continue
      }
      guard let truncation = stream.truncation else { continue }
      let ended = stream.events.count { if case .caseFinished = $0.kind { true } else { false } }
      add(
        "\(shard) did not finish",
        Failure(
          category: .error, type: "shard.truncated",
          message: "\(shard) died: \(truncation), after \(ended) of"
            + " \(stream.description.caseCount) cases",
          help: "run it again; this report counts the finished cases"))
    }
    return problems
  }
}

extension RunDescription {
  fileprivate var shardIndex: Int { shard?.index ?? 1 }

  fileprivate var shardText: String {
    shard.map { "shard \($0.index)/\($0.count)" } ?? "a whole run"
  }
}
