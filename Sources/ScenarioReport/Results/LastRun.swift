package import Foundations
package import OrderedCollections
package import ScenarioEvents

/// The record of runs for the next one: the cases that failed and have not passed since.
package struct LastRun: Sendable, Hashable {
  /// A case that failed.
  package struct Entry: Sendable, Hashable {
    /// Its file, as the project calls it.
    package var file: String
    /// Its name, without the date.
    package var name: String
    /// The date at which it was run, where several were searched; `nil` is the one that its file says.
    package var date: WallInstant?
    /// Its seed.
    package var seed: Int64
    /// The outcome; `skipped` for one that a run did not get to.
    package var outcome: CaseResult.Outcome
    /// SHA-256 of the case as it was planned, in hexadecimal.
    package var digest: String

    /// Creates an entry.
    package init(
      file: String, name: String, date: WallInstant? = nil, seed: Int64,
      outcome: CaseResult.Outcome, digest: String = ""
    ) {
      self.file = file
      self.name = name
      self.date = date
      self.seed = seed
      self.outcome = outcome
      self.digest = digest
    }

    /// What no other entry has.
    package var key: Key { Key(file: file, name: name, date: date) }
  }

  /// Which case at which date.
  package struct Key: Hashable, Sendable {
    var file: String
    var name: String
    var date: WallInstant?

    /// Creates a key.
    package init(file: String, name: String, date: WallInstant?) {
      self.file = file
      self.name = name
      self.date = date
    }
  }

  /// The version of the format that this code writes and reads.
  static let formatVersion: Int64 = 1
  /// The largest number of failures that are kept: the file stays readable whatever happens.
  package static let entryLimit = 100_000

  /// The beginning of the last run.
  package var startedAt = ""
  /// The number of cases that the last run had finished.
  package var caseCount = 0
  /// True if the last run was stopped before its end.
  package var isInterrupted = false
  /// The values given for variables of the files in the last run, by their names: a value, or `{
  /// "text": … }`.
  package var variables: OrderedDictionary<String, Value> = [:]
  /// Cases that failed in the last run or that it did not get to, and those of before that have not been run
  /// since; in the order of the plan.
  package private(set) var outstanding: [Entry] = []

  /// Creates a record of nothing.
  package init() {}

  /// Adds the cases of one more run: those that were run replace what was known of them, the rest
  /// stays.
  ///
  /// - Parameters:
  ///   - entries: the cases that were run.
  ///   - missed: the cases that were to be run and were not, because the run ended before:
  ///     outstanding as well.
  ///   - isGone: whether the run has shown that there is no such case any more.
  /// - Returns: The number of failures that are too many to be kept.
  @discardableResult
  package mutating func take(
    _ entries: [Entry], missed: [Entry] = [], isGone: (Entry) -> Bool = { _ in false }
  ) -> Int {
    let keys = Set(entries.map(\.key))
    let kept = outstanding.filter { !keys.contains($0.key) && !isGone($0) }
    let known = keys.union(kept.map(\.key))
    let failed = entries.filter { $0.outcome == .failed || $0.outcome == .errored }
    let all = failed + missed.filter { !known.contains($0.key) } + kept
    outstanding = Array(all.prefix(Self.entryLimit))
    return all.count - outstanding.count
  }

  // MARK: - JSON

  /// The record as JSON, with a final newline.
  package var jsonText: String {
    let list = outstanding.map { entry -> Value in
      var members: OrderedDictionary<String, Value> = [
        "file": .string(entry.file), "name": .string(entry.name), "seed": .integer(entry.seed),
        "outcome": .string(entry.outcome.rawValue), "digest": .string(entry.digest),
      ]
      if let date = entry.date { members["date"] = .string(date.description) }
      return .map(members)
    }
    var members: OrderedDictionary<String, Value> = [
      "version": .integer(Self.formatVersion),
      "started": .string(startedAt), "cases": .integer(Int64(caseCount)),
      "interrupted": .bool(isInterrupted), "failed": .list(list),
    ]
    if !variables.isEmpty { members["variables"] = .map(variables) }
    return Value.map(members).jsonText(pretty: true) + "\n"
  }

  /// Reads a record; `nil` if it is none, or one of another version.
  package init?(jsonText: [UInt8]) {
    guard let value = try? JSONText.parse(utf8: jsonText), case .map(let members) = value,
      members["version"] == .integer(Self.formatVersion), case .list(let list)? = members["failed"]
    else { return nil }
    if case .string(let text)? = members["started"] { startedAt = text }
    if case .integer(let count)? = members["cases"] { caseCount = Int(clamping: count) }
    isInterrupted = members["interrupted"] == .bool(true)
    if case .map(let given)? = members["variables"] { variables = given }
    for element in list.prefix(Self.entryLimit) {
      guard case .map(let entry) = element, case .string(let file)? = entry["file"],
        case .string(let name)? = entry["name"], case .integer(let seed)? = entry["seed"],
        case .string(let word)? = entry["outcome"],
        let outcome = CaseResult.Outcome(rawValue: word)
      else { return nil }
      var digest = ""
      if case .string(let text)? = entry["digest"] { digest = text }
      var date: WallInstant?
      if let given = entry["date"] {
        guard case .string(let text) = given, let instant = try? WallInstant(text: text) else {
          return nil
        }
        date = instant
      }
      outstanding.append(
        Entry(
          file: file, name: name, date: date, seed: seed, outcome: outcome, digest: digest))
    }
  }
}

/// Gathers how the cases of one run ended.
package struct CaseEndings {
  /// One case that has ended for good.
  package struct Ending: Sendable, Hashable {
    /// The identifier in events.
    package var identifier: String
    /// The identity of the scenario.
    package var description: CaseDescription
    /// The outcome.
    package var outcome: CaseResult.Outcome
  }

  /// The description of the run; `nil` before it began.
  package private(set) var run: RunDescription?
  /// True if the run was stopped before its end; also where its end was never reported.
  package private(set) var isInterrupted = true
  /// The cases that began, each once, in the order of their first beginnings.
  private var begun: [Begun] = []
  private var places: [String: Int] = [:]

  /// The state of one case.
  private struct Begun {
    var identifier: String
    var description: CaseDescription
    /// The final outcome; `nil` where it has not ended.
    var outcome: CaseResult.Outcome?
    var hasFailed = false
    var isUnreached = false
  }

  /// Creates a gathering of nothing.
  package init() {}

  /// The cases that began, in the order of the plan.
  package var cases: [(identifier: String, description: CaseDescription)] {
    inOrder.map { (identifier: begun[$0].identifier, description: begun[$0].description) }
  }

  /// The cases that failed, never ended or were not reached, in the order of the plan.
  package var failures: [Ending] {
    inOrder.compactMap { place in
      let outcome = outcome(place)
      let isOpen = begun[place].outcome == nil
      return isOpen || outcome == .failed || outcome == .errored ? ending(place, outcome) : nil
    }
  }

  /// Hands over how each case that was reached ended, in the order of the plan; what never ended is an error.
  ///
  /// Nothing is gathered for it: a run may have tens of thousands of cases.
  package func forEach(
    _ take: (_ identifier: String, _ outcome: CaseResult.Outcome, _ seed: Int64) -> Void
  ) {
    for place in inOrder where begun[place].outcome != nil || !begun[place].isUnreached {
      take(begun[place].identifier, outcome(place), begun[place].description.seed)
    }
  }

  private var inOrder: [Int] {
    begun.indices.sorted {
      (begun[$0].description.index, begun[$0].identifier)
        < (begun[$1].description.index, begun[$1].identifier)
    }
  }

  private func outcome(_ place: Int) -> CaseResult.Outcome {
    begun[place].outcome ?? (begun[place].isUnreached ? .skipped : .errored)
  }

  private func ending(_ place: Int, _ outcome: CaseResult.Outcome) -> Ending {
    Ending(
      identifier: begun[place].identifier, description: begun[place].description, outcome: outcome)
  }

  /// Records one event.
  package mutating func record(_ event: Event) {
    switch event.kind {
    case .runStarted(let description): run = description
    case .runFinished(let result): isInterrupted = result.interrupted
    case .caseStarted(let description):
      begin(event.scenario ?? "\(description.file)::\(description.name)", description)
    case .failed:
      guard let place = place(of: event) else { return }
      begun[place].hasFailed = true
    case .caseFinished(let result):
      guard let place = place(of: event), !result.isRetried else { return }
      guard result.isUnreached == nil else {
        begun[place].isUnreached = true
        return
      }
      let hasFailed = result.outcome == .passed && begun[place].hasFailed
      begun[place].outcome = hasFailed ? .failed : result.outcome
    default: break
    }
  }

  /// A case begins, or another attempt at one, which forgets how the one before ended.
  private mutating func begin(_ identifier: String, _ description: CaseDescription) {
    guard let place = places[identifier] else {
      places[identifier] = begun.count
      begun.append(Begun(identifier: identifier, description: description))
      return
    }
    begun[place].description = description
    begun[place].hasFailed = false
    begun[place].outcome = nil
  }

  private func place(of event: Event) -> Int? { event.scenario.flatMap { places[$0] } }
}
