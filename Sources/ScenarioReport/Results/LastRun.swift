internal import OrderedCollections
public import ScenarioEvents
internal import ScenarioModel

/// What is kept of runs for the next one: which cases failed and have not passed since.
public struct LastRun: Sendable, Hashable {
  /// A case that failed.
  public struct Entry: Sendable, Hashable {
    /// Its file, as the project calls it.
    public var file: String
    /// Its name.
    public var name: String
    /// Its seed.
    public var seed: Int64
    /// How it ended; `skipped` for one that a run did not get to.
    public var outcome: CaseResult.Outcome
    /// SHA-256 of the case as it was planned, in hexadecimal.
    public var digest: String

    /// Creates an entry.
    public init(
      file: String, name: String, seed: Int64, outcome: CaseResult.Outcome, digest: String = ""
    ) {
      self.file = file
      self.name = name
      self.seed = seed
      self.outcome = outcome
      self.digest = digest
    }

    fileprivate var key: [String] { [file, name] }
  }

  /// The version of the format that this code writes and reads.
  static let formatVersion: Int64 = 1
  /// More failures than these are not kept: the file stays readable whatever happens.
  public static let entryLimit = 100_000

  /// SHA-256 of the last run's plan, in hexadecimal.
  public var planDigest = ""
  /// When the last run began.
  public var startedAt = ""
  /// How many cases the last run had finished.
  public var caseCount = 0
  /// Whether the last run was stopped before its end.
  public var isInterrupted = false
  /// Cases that failed in the last run or that it did not get to, and those of before that have not been run
  /// since; in the order of the plan.
  public private(set) var outstanding: [Entry] = []

  /// Creates a record of nothing.
  public init() {}

  /// Takes in the cases of one more run: what was run replaces what was known of it, the rest stays.
  ///
  /// - Parameters:
  ///   - entries: what was run.
  ///   - missed: what was to be run and was not, because the run ended before: outstanding as well.
  ///   - isGone: whether the run has shown that there is no such case any more.
  /// - Returns: How many failures are too many to be kept.
  @discardableResult
  public mutating func take(
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
  public var jsonText: String {
    let list = outstanding.map { entry -> Value in
      .map([
        "file": .string(entry.file), "name": .string(entry.name), "seed": .integer(entry.seed),
        "outcome": .string(entry.outcome.rawValue), "digest": .string(entry.digest),
      ])
    }
    let value = Value.map([
      "version": .integer(Self.formatVersion), "plan": .string(planDigest),
      "started": .string(startedAt), "cases": .integer(Int64(caseCount)),
      "interrupted": .bool(isInterrupted), "failed": .list(list),
    ])
    return value.jsonText(pretty: true) + "\n"
  }

  /// Reads a record; `nil` if it is none, or one of another version.
  public init?(jsonText: [UInt8]) {
    guard let value = try? JSONText.parse(utf8: jsonText), case .map(let members) = value,
      members["version"] == .integer(Self.formatVersion), case .list(let list)? = members["failed"]
    else { return nil }
    if case .string(let digest)? = members["plan"] { planDigest = digest }
    if case .string(let text)? = members["started"] { startedAt = text }
    if case .integer(let count)? = members["cases"] { caseCount = Int(clamping: count) }
    isInterrupted = members["interrupted"] == .bool(true)
    for element in list.prefix(Self.entryLimit) {
      guard case .map(let entry) = element, case .string(let file)? = entry["file"],
        case .string(let name)? = entry["name"], case .integer(let seed)? = entry["seed"],
        case .string(let word)? = entry["outcome"],
        let outcome = CaseResult.Outcome(rawValue: word)
      else { return nil }
      var digest = ""
      if case .string(let text)? = entry["digest"] { digest = text }
      outstanding.append(
        Entry(file: file, name: name, seed: seed, outcome: outcome, digest: digest))
    }
  }
}

/// Gathers how the cases of one run ended.
public struct CaseEndings {
  /// One case that has ended for good.
  public struct Ending: Sendable, Hashable {
    /// How events name it.
    public var identifier: String
    /// Which scenario it is.
    public var description: CaseDescription
    /// How it ended.
    public var outcome: CaseResult.Outcome
  }

  /// What the run is made of; `nil` before it began.
  public private(set) var run: RunDescription?
  /// Whether the run was stopped before its end; also where its end was never told.
  public private(set) var isInterrupted = true
  private var begun: [String: CaseDescription] = [:]
  private var failed: Set<String> = []
  private var unreached: Set<String> = []
  private var ended: [String: Ending] = [:]

  /// Creates a gathering of nothing.
  public init() {}

  /// The cases that have ended, in the order of the plan.
  public var endings: [Ending] {
    ended.values.sorted {
      ($0.description.index, $0.identifier) < ($1.description.index, $1.identifier)
    }
  }

  /// The cases that began, in the order of the plan.
  public var cases: [(identifier: String, description: CaseDescription)] {
    begun.map { (identifier: $0.key, description: $0.value) }.sorted {
      ($0.description.index, $0.identifier) < ($1.description.index, $1.identifier)
    }
  }

  /// The cases that failed, never ended or were not reached, in the order of the plan.
  public var failures: [Ending] {
    cases.compactMap { identifier, description in
      guard let ending = ended[identifier] else {
        return Ending(
          identifier: identifier, description: description,
          outcome: unreached.contains(identifier) ? .skipped : .errored)
      }
      return ending.outcome == .failed || ending.outcome == .errored ? ending : nil
    }
  }

  /// Takes in one event.
  public mutating func record(_ event: Event) {
    switch event.kind {
    case .runStarted(let description): run = description
    case .runFinished(let result): isInterrupted = result.interrupted
    case .caseStarted(let description):
      let identifier = event.scenario ?? "\(description.file)::\(description.name)"
      begun[identifier] = description
      failed.remove(identifier)
      ended[identifier] = nil
    case .failed:
      if let identifier = event.scenario { failed.insert(identifier) }
    case .caseFinished(let result):
      guard let identifier = event.scenario, let description = begun[identifier],
        !result.isRetried
      else { return }
      guard result.isUnreached == nil else {
        unreached.insert(identifier)
        return
      }
      let hasFailed = result.outcome == .passed && failed.contains(identifier)
      ended[identifier] = Ending(
        identifier: identifier, description: description,
        outcome: hasFailed ? .failed : result.outcome)
    default: break
    }
  }
}
