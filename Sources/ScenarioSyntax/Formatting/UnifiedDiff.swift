internal import Foundations

/// The difference of two texts as `diff -u` writes it.
package enum UnifiedDiff {
  /// Equal lines around a change.
  private static let context = 3
  /// Beyond so many lines that differ all are shown as replaced: the search is quadratic.
  private static let limit = 4_000

  private struct Row {
    var mark: Character
    var text: Substring
    var old: Int
    var new: Int
  }

  /// The difference, or nothing for equal texts; `old` and `new` name the two in the first lines.
  package static func text(old: String, new: String, names: (old: String, new: String)) -> String {
    guard !old.utf8.elementsEqual(new.utf8) else { return "" }
    let rows = rows(lines(old), lines(new))
    let changes = rows.indices.filter { rows[$0].mark != " " }
    var text = "--- \(names.old)\n+++ \(names.new)\n"
    var index = 0
    while index < changes.count {
      let first = max(0, changes[index] - context)
      while index + 1 < changes.count, changes[index + 1] - changes[index] <= 2 * context {
        index += 1
      }
      let last = min(rows.count - 1, changes[index] + context)
      text += hunk(rows[first...last])
      index += 1
    }
    return text
  }

  private static func hunk(_ rows: ArraySlice<Row>) -> String {
    guard let first = rows.first else { return "" }
    let old = rows.count { $0.mark != "+" }
    let new = rows.count { $0.mark != "-" }
    let start =
      "@@ -\(first.old + (old == 0 ? 0 : 1)),\(old) +\(first.new + (new == 0 ? 0 : 1)),\(new) @@\n"
    return start + rows.map { "\($0.mark)\($0.text)\n" }.joined()
  }

  private static func lines(_ text: String) -> [Substring] {
    // A carriage return is part of its line here: that it goes is a change.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard let last = lines.popLast(), !last.isEmpty else { return lines }
    return lines + ["\(last)\n\\ No newline at end of file"]
  }

  private static func rows(_ old: [Substring], _ new: [Substring]) -> [Row] {
    var (left, right) = (0, 0)
    let alignment = ListAlignment.ofEqual(old.indices, new.indices, editLimit: limit) {
      old[$0].utf8.elementsEqual(new[$1].utf8)
    }
    return alignment.steps.map { step in
      defer {
        if case .added = step {} else { left += 1 }
        if case .removed = step {} else { right += 1 }
      }
      return switch step {
      case .same(let place, _): Row(mark: " ", text: old[place], old: left, new: right)
      case .removed(let place): Row(mark: "-", text: old[place], old: left, new: right)
      case .added(let place): Row(mark: "+", text: new[place], old: left, new: right)
      }
    }
  }
}
