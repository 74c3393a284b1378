internal import Foundations

/// The difference of two texts, line by line, as `diff -u` shows it.
package enum LineDiff {
  /// Texts are compared as far as this many lines.
  private static let lineLimit = 5_000
  /// Beyond this many edits the rest is shown as replaced.
  private static let editLimit = 400
  /// The maximum number of lines that a diff shows.
  private static let outputLimit = 60
  /// Equal lines shown around a change.
  private static let context = 2
  /// Lines are shown as far as this many letters.
  private static let widthLimit = 400

  private enum Line {
    case same(Substring)
    case removed(Substring)
    case added(Substring)

    var isChange: Bool {
      if case .same = self { false } else { true }
    }

    var text: String {
      switch self {
      case .same(let text): " " + String(text).excerpt(limit: widthLimit)
      case .removed(let text): "-" + String(text).excerpt(limit: widthLimit)
      case .added(let text): "+" + String(text).excerpt(limit: widthLimit)
      }
    }
  }

  /// Returns the lines that show how `actual` differs from `expected`; none if the lines are equal.
  package static func lines(expected: String, actual: String) -> [String] {
    let (old, new) = changing(split(expected), split(actual))
    let all = separatingTwins(apart: script(old, new))
    return shortened(all.map { ($0.text, $0.isChange) })
  }

  /// Returns the changes of a long list with a few lines around them, up to a limit.
  ///
  /// - Parameter lines: each line with its mark, and whether it is a change.
  package static func shortened(_ lines: [(text: String, isChange: Bool)]) -> [String] {
    var shown: [String] = []
    var lastShown = -1
    for (index, line) in lines.enumerated() {
      let window = max(0, index - context)...min(lines.count - 1, index + context)
      guard lines[window].contains(where: \.isChange) else { continue }
      if index > lastShown + 1 { shown.append("…") }
      shown.append(line.text)
      lastShown = index
    }
    guard shown.count > outputLimit else { return shown }
    let hidden = shown.count - outputLimit
    return shown.prefix(outputLimit) + ["… \(hidden) more lines"]
  }

  /// Returns whether two lines have the same bytes; most that differ do so for `==` as well, which is faster.
  private static func isSame(_ old: Substring, _ new: Substring) -> Bool {
    old == new && old.utf8.elementsEqual(new.utf8)
  }

  /// The lines of a diff, those spelled out that look like one of the other text and are not.
  private static func separatingTwins(apart lines: [Line]) -> [Line] {
    var removed: Set<Substring> = []
    var added: Set<Substring> = []
    for line in lines {
      switch line {
      case .same: break
      case .removed(let text): removed.insert(text)
      case .added(let text): added.insert(text)
      }
    }
    // Sets of texts go by how they look.
    let twins = removed.filter { text in
      added.firstIndex(of: text).map { added[$0].isTwin(of: text) } ?? false
    }
    guard !twins.isEmpty else { return lines }
    return lines.map { line in
      switch line {
      case .removed(let text) where twins.contains(text): .removed(text.spelledOut[...])
      case .added(let text) where twins.contains(text): .added(text.spelledOut[...])
      default: line
      }
    }
  }

  private static func split(_ text: String) -> [Substring] {
    var lines = TextLines.split(text)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Texts from a little before their first difference to a little behind their last one.
  private static func changing(
    _ old: [Substring], _ new: [Substring]
  ) -> ([Substring], [Substring]) {
    let limit = min(old.count, new.count)
    let head = (0..<limit).first { !isSame(old[$0], new[$0]) } ?? limit
    let rest = limit - head
    let tail =
      (0..<rest).first { !isSame(old[old.count - 1 - $0], new[new.count - 1 - $0]) } ?? rest
    // One line more than is shown on each side tells that there is more.
    let (before, behind) = (max(0, head - context - 1), max(0, tail - context - 1))
    let parts = [old, new].map { Array($0.dropFirst(before).dropLast(behind).prefix(lineLimit)) }
    return (parts[0], parts[1])
  }

  private static func script(_ old: [Substring], _ new: [Substring]) -> [Line] {
    ListAlignment.ofEqual(old.indices, new.indices, editLimit: editLimit) {
      isSame(old[$0], new[$1])
    }.steps.map { step in
      switch step {
      case .same(let place, _): .same(old[place])
      case .removed(let place): .removed(old[place])
      case .added(let place): .added(new[place])
      }
    }
  }
}
