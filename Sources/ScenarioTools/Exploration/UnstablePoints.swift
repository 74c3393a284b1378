package import ScenarioPlan

/// The disagreements of two runs without faults about their points.
package struct UnstablePoints: Sendable {
  /// The points of the first run, their subjects masked that another run does not have.
  package private(set) var points: [FaultPoint]
  /// The number of them that are other calls in the second run, counted for each thread by itself.
  package private(set) var count = 0
  /// Compares the points of two runs.
  package init(_ first: [FaultPoint], and second: [FaultPoint]) {
    let known = Set(second.compactMap(\.subject))
    points = first.map { point in
      guard let subject = point.subject, !known.contains(subject) else { return point }
      var masked = point
      masked.subject = Self.masked(subject)
      return masked
    }
    let others = Dictionary(Self.ranked(second)) { first, _ in first }
    count = Self.ranked(points).count { place, point in
      guard let other = others[place] else { return true }
      return !point.isMet(by: other)
    }
    // Those that the second run has besides.
    count += max(0, second.count - first.count)
  }

  /// The points, each with its place within its thread.
  private static func ranked(_ points: [FaultPoint]) -> [(Place, FaultPoint)] {
    var counts: [Place: Int] = [:]
    return points.map { point in
      var place = Place(entry: point.entry, lineage: point.lineage, rank: 0)
      counts[place, default: 0] += 1
      place.rank = point.rank ?? counts[place, default: 0]
      return (place, point)
    }
  }

  /// A path with its last part left out; nothing of what is no path.
  private static func masked(_ subject: String) -> String? {
    guard subject.hasPrefix("/") || subject.hasPrefix("$"), let slash = subject.lastIndex(of: "/")
    else { return nil }
    return "\(subject[..<slash])/*"
  }

  private struct Place: Hashable {
    var entry: Int
    var lineage: [UInt32]
    var rank: Int
  }
}
