/// What two runs without faults disagree about in their points.
public struct UnstablePoints: Sendable {
  /// The points of the first run, their subjects masked that another run does not have.
  public private(set) var points: [FaultPoint]
  /// How many of them are other calls in the second run: processes or threads race.
  public private(set) var count = 0

  /// Compares the points of two runs.
  public init(_ first: [FaultPoint], and second: [FaultPoint]) {
    let known = Set(second.compactMap(\.subject))
    points = first.map { point in
      guard let subject = point.subject, !known.contains(subject) else { return point }
      var masked = point
      masked.subject = Self.masked(subject)
      return masked
    }
    var others: [Place: FaultPoint] = [:]
    for point in second { others[Place(point)] = point }
    count = points.count { point in
      guard let other = others[Place(point)] else { return true }
      return !point.isMet(by: other)
    }
    // Those that the second run has besides.
    count += max(0, second.count - first.count)
  }

  /// A path with its last part left out; nothing of what is no path.
  private static func masked(_ subject: String) -> String? {
    guard subject.hasPrefix("/") || subject.hasPrefix("$"), let slash = subject.lastIndex(of: "/")
    else { return nil }
    return "\(subject[..<slash])/*"
  }

  private struct Place: Hashable {
    var entry: Int
    var occurrence: Int

    init(_ point: FaultPoint) {
      entry = point.entry
      occurrence = point.occurrence
    }
  }
}
