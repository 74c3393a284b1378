/// Which calls fail: the chaos entries of a case and how often each has matched and fired.
///
/// Counts run over the whole process tree. Every entry counts each call that its conditions match;
/// the first entry in order that is due (`after` passed, `times` not used up) makes the call fail.
public struct ChaosTable: Sendable {
  /// What becomes of a call.
  public enum Verdict: Sendable, Hashable {
    /// The real call is made.
    case original
    /// The call fails; `entry` is the entry's place in the list.
    case fail(ErrorNumber, entry: Int)
  }

  /// How often an entry was asked, and what came of it.
  public struct Counts: Sendable, Hashable {
    /// Calls of the entry's families.
    public var seen = 0
    /// Calls of which the subject matched as well.
    public var matched = 0
    /// Calls that the entry made fail.
    public var fired = 0
  }

  /// Subjects remembered for each entry, for its near misses.
  private static let subjectLimit = 64

  /// The entries in order.
  public let entries: [PlannedChaos]
  /// The kernel names of the calls that any entry wants to see, sorted; `verdict(call:…)` takes
  /// indexes into this list.
  public let systemCallNames: [String]
  /// The counts of each entry.
  public private(set) var counts: [Counts]

  private let conditions: [Condition]
  /// For each call, the entries that want to see it.
  private let entriesByCall: [[Int]]
  private var passedSubjects: [Set<String>]

  private struct Condition: Sendable {
    var path: CompiledGlob?
    /// Whether the path counts from the case's directory.
    var isRelative = false
    /// Whether the pattern is malformed, which the planner refuses: it matches nothing.
    var isBroken = false
    var host: CompiledGlob?
    var needsPath: Bool { path != nil || isBroken }
  }

  /// Creates a table with empty counts.
  ///
  /// A pattern that begins neither with `/` nor with `**` counts from `directory`, the case's own.
  public init(entries: [PlannedChaos], directory: String? = nil) {
    self.entries = entries
    self.directory = directory.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    let names = Set(entries.flatMap(\.systemCalls)).sorted()
    systemCallNames = names
    counts = [Counts](repeating: Counts(), count: entries.count)
    passedSubjects = [Set<String>](repeating: [], count: entries.count)
    conditions = entries.map(Self.condition)
    entriesByCall = names.map { name in
      entries.indices.filter { entries[$0].systemCalls.contains(name) }
    }
  }

  private let directory: String?

  private static func condition(_ entry: PlannedChaos) -> Condition {
    var condition = Condition()
    if let pattern = entry.path?.text {
      condition.path = CompiledGlob(pattern)
      condition.isBroken = condition.path == nil
      condition.isRelative = !pattern.hasPrefix("/") && !pattern.hasPrefix("**")
    }
    if let host = entry.host {
      condition.host = CompiledGlob(host.lowercased())
      if condition.host == nil { condition.isBroken = true }
    }
    return condition
  }

  // MARK: - Questions

  /// Whether any entry asks for the path of a call, by the call's index.
  public func needsPath(call index: Int) -> Bool {
    entriesByCall.indices.contains(index)
      && entriesByCall[index].contains { conditions[$0].needsPath }
  }

  /// Whether any entry asks for the host of a call, by the call's index.
  public func needsHost(call index: Int) -> Bool {
    entriesByCall.indices.contains(index)
      && entriesByCall[index].contains { conditions[$0].host != nil }
  }

  /// Counts one call and says what becomes of it, by the call's kernel name.
  public mutating func verdict(
    systemCall: String, path: String?, host: String? = nil
  ) -> Verdict {
    guard let index = systemCallNames.firstIndex(of: systemCall) else { return .original }
    return verdict(call: index, path: path, host: host)
  }

  /// Counts one call and says what becomes of it.
  ///
  /// `index` is the call's place in `systemCallNames`. `path` is absolute; a call that acts on two
  /// paths, such as `rename`, has the second one in `otherPath`, and either may match.
  public mutating func verdict(
    call index: Int, path: String?, otherPath: String? = nil, host: String? = nil
  ) -> Verdict {
    guard entriesByCall.indices.contains(index) else { return .original }
    var verdict = Verdict.original
    for entry in entriesByCall[index] {
      counts[entry].seen += 1
      guard isMatch(conditions[entry], path, otherPath, host) else {
        remember(path ?? otherPath ?? host, of: entry)
        continue
      }
      counts[entry].matched += 1
      if case .original = verdict, isDue(entry) {
        counts[entry].fired += 1
        verdict = .fail(entries[entry].error, entry: entry)
      }
    }
    return verdict
  }

  private func isDue(_ entry: Int) -> Bool {
    counts[entry].matched > entries[entry].after
      && entries[entry].times.map { counts[entry].fired < $0 } ?? true
  }

  private func isMatch(
    _ condition: Condition, _ path: String?, _ otherPath: String?, _ host: String?
  ) -> Bool {
    if condition.isBroken { return false }
    if let pattern = condition.host {
      guard let host, pattern.matches(host.lowercased()) else { return false }
    }
    guard let pattern = condition.path else { return true }
    return [path, otherPath].contains { path in
      guard let path else { return false }
      guard condition.isRelative, let directory else { return pattern.matches(path) }
      return path.hasPrefix(directory)
        && pattern.matches(String(path.dropFirst(directory.count)))
    }
  }

  // MARK: - Near misses

  private mutating func remember(_ subject: String?, of entry: Int) {
    guard let subject, passedSubjects[entry].count < Self.subjectLimit else { return }
    passedSubjects[entry].insert(subject)
  }

  /// The entries that never fired, in order, with what came nearest.
  public func unfired() -> [UnfiredChaos] {
    entries.indices.filter { counts[$0].fired == 0 }.map { index in
      UnfiredChaos(entry: index, entries[index], counts[index], passedSubjects[index])
    }
  }
}
