internal import Foundations

/// The disagreements of two runs without faults, which are so many that no other run can be
/// compared with them.
package struct BaselineDifference: Sendable, Hashable {
  /// A line for each respect in which they end otherwise; empty where they can be compared.
  package let lines: [String]

  /// Compares how two runs have ended.
  ///
  /// - Parameters:
  ///   - first: the one, called `name` in the lines.
  ///   - name: what the first run is called.
  ///   - second: the other.
  ///   - otherName: what the second run is called.
  package init(
    _ first: RunObservation, called name: String, _ second: RunObservation,
    called otherName: String
  ) {
    var lines: [String] = []
    func compare(_ what: String, _ one: String, _ other: String) {
      guard one != other else { return }
      lines.append("\(what): \(one) in \(name), \(other) in \(otherName)")
    }
    compare("the target's end", Self.ends(first), Self.ends(second))
    compare("crashes", Self.crashes(first), Self.crashes(second))
    compare("hangs", first.hang ?? "no", second.hang ?? "no")
    if (first.stopped == nil) != (second.stopped == nil) {
      compare("stops early", first.stopped ?? "no", second.stopped ?? "no")
    }
    if !lines.isEmpty { lines += Self.firstDifference("stdout", first.output, second.output) }
    if !lines.isEmpty {
      lines += Self.firstDifference("stderr", first.errorOutput, second.errorOutput)
    }
    self.lines = lines
  }

  private static func ends(_ run: RunObservation) -> String {
    run.ends.isEmpty ? "not at all" : run.ends.map(\.text).joined(separator: ", ")
  }

  private static func crashes(_ run: RunObservation) -> String {
    guard !run.crashes.isEmpty else { return "none" }
    return run.crashes.map { "\($0.program) by SIG\($0.signal)" }.joined(separator: ", ")
  }

  /// The first line of a stream that is another in the other run.
  private static func firstDifference(
    _ stream: String, _ first: ObservedStream, _ second: ObservedStream
  ) -> [String] {
    guard first.digest != second.digest || first.size != second.size else { return [] }
    let (one, other) = (first.lines, second.lines)
    let same = zip(one, other).prefix { $0 == $1 }.count
    func line(_ lines: [Substring]) -> String {
      lines.indices.contains(same) ? String(lines[same]).excerpt(limit: 120) : "(its end)"
    }
    return ["\(stream) differs from line \(same + 1) on:", "- \(line(one))", "+ \(line(other))"]
  }
}
