/// The differences between two runs of a command, by which it is decided whether they depend on the
/// time.
package struct TimeVariation: Sendable, Hashable {
  /// The lines that differ, by stream and number, and what they share.
  private var lines: [Place: String] = [:]
  /// The streams whose numbers of lines differ.
  private var streams: Set<Int> = []

  private struct Place: Hashable {
    var stream: Int
    var line: Int
  }

  /// Compares the output of two runs, stream by stream.
  package init(_ first: [String], _ second: [String]) {
    for (stream, (left, right)) in zip(first, second).enumerated() where left != right {
      let one = left.split(separator: "\n", omittingEmptySubsequences: false)
      let other = right.split(separator: "\n", omittingEmptySubsequences: false)
      guard one.count == other.count else {
        streams.insert(stream)
        continue
      }
      for (line, pair) in zip(one, other).enumerated() where pair.0 != pair.1 {
        let shared = GeneralizedPattern(String(pair.0), String(pair.1)).pattern
        lines[Place(stream: stream, line: line)] = shared
      }
    }
  }

  /// True if nothing differs.
  package var isEmpty: Bool { lines.isEmpty && streams.isEmpty }

  /// Returns whether something differs where nothing does in the other comparison.
  package func reaches(beyond other: TimeVariation) -> Bool {
    !streams.isSubset(of: other.streams)
      || lines.keys.contains { other.lines[$0] == nil && !other.streams.contains($0.stream) }
  }

  /// Returns whether a clock that is held makes the output of a command the same each time, or more
  /// of it.
  ///
  /// - Parameters:
  ///   - free: Two runs in the machine's own time.
  ///   - held: Two runs that begin at the same instant.
  ///   - moved: Two runs that begin at instants far apart.
  package static func needsClock(
    free: TimeVariation, held: TimeVariation, moved: TimeVariation
  ) -> Bool {
    // A command that tells how long it took differs only where time flows by itself.
    if moved.isEmpty { return held.isEmpty && !free.isEmpty }
    return moved.lines != held.lines || !moved.streams.isSubset(of: held.streams)
  }
}
