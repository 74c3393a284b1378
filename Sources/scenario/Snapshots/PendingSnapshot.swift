internal import Foundations
internal import ScenarioEvents
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax

/// A text that becomes the snapshot when the user accepts it.
struct PendingSnapshot {
  /// The file that holds it.
  let path: String

  /// The snapshot that it may become.
  var held: String { String(path.dropLast(SnapshotStore.pendingSuffix.utf8.count)) }

  /// The snapshot, whether there is one so far, and whether it was written since.
  var title: String {
    TerminalText.line(held)
      + (text(held) == nil ? " (new)" : isStale ? " (snapshot changed since)" : "")
  }

  /// True if the snapshot was written after what waits: to take that over would bring back what was there before.
  var isStale: Bool {
    guard let snapshot = FileStatus(path: held), let pending = FileStatus(path: path) else {
      return false
    }
    return snapshot.modified > pending.modified
  }

  /// Returns the changes, line by line.
  func diff(usesColour: Bool) -> String {
    let diff = UnifiedDiff.text(
      old: TerminalText.lines(text(held) ?? ""), new: TerminalText.lines(text(path) ?? ""),
      names: (TerminalText.line(held), TerminalText.line(path)))
    guard !diff.isEmpty else { return "no line would change\n" }
    guard usesColour else { return diff }
    return TextLines.split(diff).map { Self.painted($0) }.joined(separator: "\n")
  }

  private static func painted(_ line: Substring) -> String {
    let codes: [(String, String)] = [
      ("---", "1"), ("+++", "1"), ("@@", "36"), ("-", "31"), ("+", "32"),
    ]
    guard let code = codes.first(where: { line.hasPrefix($0.0) })?.1 else { return String(line) }
    return "\u{1B}[\(code)m\(line)\u{1B}[0m"
  }

  /// Makes it the snapshot.
  func accept() throws(Failure) { try SnapshotStore.accept(path) }

  /// Removes it; the snapshot stays as it is.
  func reject() throws(Failure) { try SnapshotStore.remove(path) }

  private func text(_ path: String) -> String? {
    (try? FileTree.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// An answer to a text that waits for review.
struct ReviewAnswer: Equatable {
  /// The decision about a text.
  enum Decision: String {
    /// The text becomes the snapshot.
    case accept
    /// The text is thrown away.
    case reject
    /// The text stays pending.
    case skip
  }

  /// The decision.
  var decision: Decision
  /// True if that holds for all that come behind it as well.
  var isForAll = false

  static let accept = ReviewAnswer(decision: .accept, isForAll: true)
  static let reject = ReviewAnswer(decision: .reject, isForAll: true)
  static let skip = ReviewAnswer(decision: .skip)

  /// Asks on the terminal until there is an answer; at the end of the input all else waits.
  static func ask() -> ReviewAnswer {
    while true {
      _ = Console.write(
        "[a]ccept, [r]eject, [s]kip, [A]ccept all, [R]eject all, [q]uit? ", to: 1)
      switch readLine()?.trimmed {
      case "a", "accept": return ReviewAnswer(decision: .accept)
      case "r", "reject": return ReviewAnswer(decision: .reject)
      case "s", "skip": return .skip
      case "A": return .accept
      case "R": return .reject
      case nil:
        _ = Console.write("\n", to: 1)
        return ReviewAnswer(decision: .skip, isForAll: true)
      case "q", "quit": return ReviewAnswer(decision: .skip, isForAll: true)
      default: continue
      }
    }
  }
}

extension String {
  /// Without the white space around it.
  fileprivate var trimmed: String {
    let body = drop(while: \.isWhitespace)
    return String(body.reversed().drop(while: \.isWhitespace).reversed())
  }
}
