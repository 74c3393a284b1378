internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Calls that an entry's conditions passed over, within bounds.
struct PassedOverCalls: Sendable, Hashable {
  /// Subjects remembered at most.
  private static let limit = 64

  /// The largest number of calls whose subjects are looked up.
  private static let askedLimit = 2_048

  /// A call that was passed over.
  struct Miss: Sendable, Hashable {
    /// The subject that it acted on.
    var subject: String
    /// The conditions that did not hold, and what was met.
    var failing: [String]
    /// The keys of these conditions.
    var keys: Set<String>
  }

  /// The number of times that each call was passed over, by its place in the table's list.
  private(set) var calls: [Int: Int] = [:]
  private var asked = 0
  /// The nearest ones.
  private(set) var misses: Set<Miss> = []

  /// True if it is worth the trouble to find out what the next one is about.
  var wantsSubjects: Bool { asked < Self.askedLimit }

  mutating func add(call: Int, _ miss: Miss?, wanted: String) {
    calls[call, default: 0] += 1
    asked += 1
    guard let miss else { return }
    misses.insert(miss)
    // Ranking takes long, and so it comes once for many.
    guard misses.count > 2 * Self.limit else { return }
    misses = Set(ranked(by: wanted).prefix(Self.limit))
  }

  /// The misses, the nearest first: those that one condition alone passed over, then those with the longest
  /// common end, then by text.
  func ranked(by wanted: String) -> [Miss] {
    func commonEnd(_ miss: Miss) -> Int {
      zip(miss.subject.utf8.reversed(), wanted.utf8.reversed()).prefix { $0 == $1 }.count
    }
    let ranked = misses.map { (keys: $0.keys.count, length: commonEnd($0), miss: $0) }
    return ranked.sorted { left, right in
      if left.keys != right.keys { return left.keys < right.keys }
      if left.length != right.length { return left.length > right.length }
      return (left.miss.subject, left.miss.failing.joined())
        < (right.miss.subject, right.miss.failing.joined())
    }.map(\.miss)
  }
}

/// A chaos entry that changed no call, and what came nearest.
package struct UnfiredRule: Sendable, Hashable {
  /// The number of subjects that a report shows.
  private static let subjectLimit = 3

  /// The entry's place in the list.
  package var entry: Int
  /// The entry's name.
  package var name: String
  /// The counts of the entry.
  package var counts: FaultRuleSet.Counts
  /// Subjects of calls that its conditions passed over, the most similar first.
  package var closestSubjects: [String]
  /// Lines that explain why it did not fire.
  package var explanation: [String]

  init(
    entry: Int, _ planned: PlannedChaos, _ counts: FaultRuleSet.Counts, _ misses: PassedOverCalls,
    names: [String], wanted: String?, wasApplied: Bool, _ shortfall: Shortfall,
    room: SpaceAccount? = nil, processes: [String]? = nil
  ) {
    self.entry = entry
    name = planned.name
    self.counts = counts
    let nearest = misses.ranked(by: wanted ?? "")
    var subjects: [String] = []
    for miss in nearest where !miss.subject.isEmpty && !subjects.contains(miss.subject) {
      if subjects.count < Self.subjectLimit { subjects.append(miss.subject) }
    }
    closestSubjects = subjects
    if case .link(let link) = planned.target, wasApplied {
      explanation = Self.explain(
        link, planned, counts, closestSubjects, shortfall)
      return
    }
    explanation =
      processes
      ?? Self.explain(
        planned, counts, misses, names, closestSubjects, wanted, shortfall,
        wasApplied: wasApplied, room: room)
  }

  private static func explain(
    _ planned: PlannedChaos, _ counts: FaultRuleSet.Counts, _ misses: PassedOverCalls,
    _ names: [String], _ closest: [String], _ wanted: String?, _ shortfall: Shortfall,
    wasApplied: Bool, room: SpaceAccount?
  ) -> [String] {
    guard wasApplied else { return ["no step applied it"] }
    if shortfall.outside < max(1, counts.matched), shortfall.refused ?? 0 == 0,
      let lines = planned.explanation(counts, room)
    {
      return lines
    }
    guard counts.seen > 0 else {
      let names = planned.calls.map(\.name) + (planned.functions.map { [$0.summary] } ?? [])
      return ["the target made none of these calls: \(BoundedList.text(names))"]
    }
    guard counts.matched > 0 else {
      let calls = misses.calls.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
      guard !calls.isEmpty else {
        return ["called \(times(counts.seen)), but never matched \"where\""]
      }
      var lines = calls.map { "\(names[$0.key]) was called \(times($0.value))" }
      if !lines.isEmpty, !closest.isEmpty {
        lines[lines.count - 1] += ", on \(closest.joined(separator: ", "))"
      }
      let nearest = misses.ranked(by: wanted ?? "").first
      if let nearest, !nearest.keys.isEmpty, nearest.keys.isDisjoint(with: ["path", "host"]) {
        let subject = nearest.subject.isEmpty ? "" : "on \(nearest.subject) "
        lines.append("the nearest \(subject)had \(nearest.failing.joined(separator: " and "))")
      } else if let wanted {
        lines.append("none of them with \"\(wanted)\"")
        if planned.conditions[.path] != nil {
          lines += widening(of: wanted, amongMet: closest).map { [$0] } ?? []
        }
      }
      return lines
    }
    let kind = planned.target.kind == .processes ? ("process", "processes") : ("call", "calls")
    let matched =
      counts.matched == 1 ? "1 \(kind.0) matched" : "\(counts.matched) \(kind.1) matched"
    return shortfall.reason(matched, planned.schedule)
  }

  /// Returns a suggestion where a pattern fits the name of a file that was met, but not the folders
  /// above it.
  private static func widening(of pattern: String, amongMet subjects: [String]) -> String? {
    let parts = pattern.split(separator: "/")
    guard let name = parts.last, !parts.contains("**"), name.contains(where: { $0 != "*" }),
      pattern.contains("*") || !pattern.hasPrefix("/")
    else { return nil }
    let glob = GlobPattern(String(name))
    let met = subjects.first { subject in
      subject.split(separator: "/").last.map { glob.matches(String($0)) } ?? false
    }
    return met.map {
      "\($0) has that name, but \"*\" does not match \"/\": write \"**/\(name)\" for a file in any folder"
    }
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
