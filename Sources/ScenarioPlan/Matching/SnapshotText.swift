package import Foundations
internal import Patterns

/// The text of a snapshot, with places that match changing text.
///
/// `[..]` stands for anything within a line, and a line `...` for any number of lines; an output that says so
/// itself is written with a backslash.
package struct SnapshotText: Sendable {
  /// The text as written.
  package let text: String
  private let lines: [SnapshotLine]

  /// Creates a snapshot from the content of its file.
  package init(_ text: String) {
    self.text = text
    lines = Self.lines(of: text).map { SnapshotLine($0) }
  }

  /// Returns the text of a snapshot that holds for one output and for nothing else.
  package static func written(_ actual: String) -> String {
    text(of: lines(of: actual).map(SnapshotLine.written), actual)
  }

  /// Returns whether the snapshot is what is written of an output.
  package func isExactly(_ actual: String) -> Bool {
    text.utf8.elementsEqual(Self.written(actual).utf8)
  }

  /// Returns whether a text is as the snapshot says, one final newline aside.
  package func matches(_ actual: String) -> Bool {
    WildcardMatch.holds(lines, Self.lines(of: actual), isAny: \.isAnyLines) { $0.fits($1) }
  }

  /// Returns the snapshot's text changed to hold for another output: its elisions stay where they
  /// still fit.
  package func updated(to actual: String) -> String {
    guard lines.contains(where: { $0.hasElision || $0.isAnyLines }) else {
      return Self.written(actual)
    }
    let others = Self.lines(of: actual)
    let fixed = lines.indices.filter { !lines[$0].isAnyLines }
    var result: [String] = []
    var (old, new) = (0, 0)
    for pair in SnapshotAlignment(fixed.map { lines[$0] }, others).pairs {
      let place = fixed[pair.0]
      result += merged(old..<place, others[new..<pair.1])
      result.append(lines[place].text)
      (old, new) = (place + 1, pair.1 + 1)
    }
    result += merged(old..<lines.count, others[new...])
    return Self.text(of: result, actual)
  }

  /// Returns the lines between two lines that have stayed: a line `...` among the old ones keeps
  /// its place.
  private func merged(_ old: Range<Int>, _ new: ArraySlice<[UInt8]>) -> [String] {
    let places = old.filter { lines[$0].isAnyLines }
    guard let first = places.first, let last = places.last else {
      return new.map(SnapshotLine.written)
    }
    let head = new.prefix(first - old.lowerBound)
    let tail = new.dropFirst(head.count).suffix(old.upperBound - 1 - last)
    return head.map(SnapshotLine.written) + [SnapshotLine.elision.text]
      + tail.map(SnapshotLine.written)
  }

  /// The lines of a text, carriage returns included; one that nothing stands in has none.
  private static func lines(of text: String) -> [[UInt8]] {
    let feed = UInt8(ascii: "\n")
    var lines = Array(text.utf8).split(separator: feed, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map(Array.init)
  }

  /// Lines as a text that ends as an output does.
  private static func text(of lines: [String], _ actual: String) -> String {
    let ends = actual.isEmpty || actual.utf8.last == UInt8(ascii: "\n")
    return lines.joined(separator: "\n") + (ends && !lines.isEmpty ? "\n" : "")
  }
}

extension Mismatch {
  /// A text that is not what a snapshot holds.
  ///
  /// - Parameter updated: what the snapshot says if it is to hold for the text.
  package static func snapshot(
    _ snapshot: PlannedSnapshot, holding held: SnapshotText, updated: String, actual: String,
    at range: SourceRange
  ) -> Mismatch {
    var mismatch = Mismatch(
      message: "expected what the snapshot \"\(snapshot.path)\" holds",
      actual: MatchSubject.text(actual).excerpt,
      // Lines that fit to an elision are no difference.
      diff: LineDiff.lines(expected: held.text, actual: updated), range: range)
    mismatch.comparison = TextComparison(expected: held.text, actual: updated)
    mismatch.help =
      "if it is right so: `scenario review \(PlannedSnapshot.scenarioFile(of: snapshot.path))`"
      + " takes it over, or a run with `--update changed`"
    return mismatch
  }

  /// A snapshot that is there and cannot be read.
  ///
  /// - Parameter cause: why, in one line that names the file.
  package static func unreadableSnapshot(_ cause: String, at range: SourceRange) -> Mismatch {
    var mismatch = Mismatch(message: cause, actual: "", range: range)
    mismatch.help = "mend the file, or remove it and let a run with `--update missing` write it"
    mismatch.isUndecided = true
    mismatch.isUnreadable = true
    return mismatch
  }

  /// A snapshot that is not there.
  package static func missing(
    _ snapshot: PlannedSnapshot, actual: String, at range: SourceRange
  ) -> Mismatch {
    var mismatch = Mismatch(
      message: "there is no snapshot \"\(snapshot.path)\"",
      actual: MatchSubject.text(actual).excerpt, range: range)
    mismatch.help =
      "run the scenario on a machine of your own, with `--update missing`, and commit the file"
    return mismatch
  }
}
