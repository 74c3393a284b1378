internal import ScenarioModel

/// A chaos entry that made no call fail, and what came nearest.
public struct UnfiredChaos: Sendable, Hashable {
  /// How many subjects a report shows.
  private static let subjectLimit = 3

  /// The entry's place in the list.
  public var entry: Int
  /// The entry's name.
  public var name: String
  /// What the entry saw.
  public var counts: ChaosTable.Counts
  /// Subjects of calls that its conditions passed over, the most similar first.
  public var closestSubjects: [String]
  /// Lines that explain why it did not fire.
  public var explanation: [String]

  init(
    entry: Int, _ planned: PlannedChaos, _ counts: ChaosTable.Counts, _ subjects: Set<String>
  ) {
    self.entry = entry
    name = planned.name
    self.counts = counts
    let wanted = planned.path?.text ?? planned.host
    closestSubjects = Self.closest(subjects, to: wanted ?? "")
    explanation = Self.explain(planned, counts, wanted, closestSubjects)
  }

  /// Most similar first: those with the longest common end, then by text.
  private static func closest(_ subjects: Set<String>, to wanted: String) -> [String] {
    func commonEnd(_ subject: String) -> Int {
      zip(subject.utf8.reversed(), wanted.utf8.reversed()).prefix { $0 == $1 }.count
    }
    let ranked = subjects.map { (length: commonEnd($0), text: $0) }.sorted { left, right in
      left.length != right.length ? left.length > right.length : left.text < right.text
    }
    return ranked.prefix(subjectLimit).map(\.text)
  }

  private static func explain(
    _ planned: PlannedChaos, _ counts: ChaosTable.Counts, _ wanted: String?, _ closest: [String]
  ) -> [String] {
    guard counts.seen > 0 else {
      return ["the target made none of these calls: \(planned.systemCalls.joined(separator: ", "))"]
    }
    let seen = counts.seen == 1 ? "1 call was" : "\(counts.seen) calls were"
    guard counts.matched > 0 else {
      var lines = ["\(seen) seen, none with \"\(wanted ?? "")\""]
      lines += closest.map { "nearest: \"\($0)\"" }
      return lines
    }
    let matched = counts.matched == 1 ? "1 call" : "\(counts.matched) calls"
    if counts.matched <= planned.after {
      return ["\(matched) matched, but \(planned.after) must pass first"]
    }
    return ["\(matched) matched, and an earlier entry made each of them fail"]
  }
}
