/// The differences between runs of a command, by which it is decided whether they depend on the time.
package struct TimeVariation: Sendable, Hashable {
  /// The lines that differ, by stream and number, and what they share.
  private var lines: [Place: String] = [:]
  /// The streams whose numbers of lines differ.
  private var streams: Set<Int> = []
  /// The streams whose lines come in another order.
  private var reordered: Set<Int> = []

  private struct Place: Hashable {
    var stream: Int
    var line: Int
  }

  /// Compares the output of runs, stream by stream.
  package init(_ runs: [[String]]) {
    for stream in (runs.first ?? []).indices {
      let texts = runs.map { stream < $0.count ? $0[stream] : "" }
      guard let first = texts.first, texts.contains(where: { $0 != first }) else { continue }
      let all = texts.map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      let sorted = all[0].sorted()
      if all.contains(where: { $0.count != all[0].count }) {
        streams.insert(stream)
      } else if all.allSatisfy({ $0.sorted() == sorted }) {
        reordered.insert(stream)
      } else {
        for line in all[0].indices {
          let column = all.map { String($0[line]) }
          guard column.contains(where: { $0 != column[0] }) else { continue }
          lines[Place(stream: stream, line: line)] = GeneralizedPattern(column).pattern
        }
      }
    }
  }

  /// True if nothing differs.
  package var isEmpty: Bool { lines.isEmpty && streams.isEmpty && reordered.isEmpty }

  /// Returns whether something differs, other than in its order, where nothing does in the other comparison.
  package func reaches(beyond other: TimeVariation) -> Bool {
    let known = other.streams.union(other.reordered)
    return !streams.isSubset(of: known)
      || lines.keys.contains { other.lines[$0] == nil && !known.contains($0.stream) }
  }

  /// Returns whether a clock that is held makes the output of a command the same each time, or more
  /// of it.
  ///
  /// What differs between runs that begin at one instant is left to chance, and no clock helps.
  ///
  /// - Parameters:
  ///   - free: The output of runs in the machine's own time.
  ///   - here: That of runs that begin at the same instant.
  ///   - there: That of runs that begin at another instant, far from it.
  package static func needsClock(
    free: [[String]], here: [[String]], there: [[String]]
  ) -> Bool {
    let (near, far) = (TimeVariation(here), TimeVariation(there))
    let all = TimeVariation(here + there)
    // A command that tells how long it took differs only where time flows by itself.
    if TimeVariation(free).reaches(beyond: all) { return true }
    // What comes in another order at one instant has other lines at the other one only because of the time.
    let byChance = [near, far]
    return all.streams.contains { stream in byChance.allSatisfy { !$0.streams.contains(stream) } }
      || all.lines.contains { place, shared in byChance.allSatisfy { $0.lines[place] != shared } }
  }
}
