/// The difference of two texts as `diff -u` writes it.
public enum UnifiedDiff {
  /// Equal lines around a change.
  private static let context = 3
  /// Beyond so many lines that differ all are shown as replaced: the search is quadratic.
  private static let limit = 20_000

  private struct Row {
    var mark: Character
    var text: Substring
    var old: Int
    var new: Int
  }

  /// The difference, or nothing for equal texts; `old` and `new` name the two in the first lines.
  public static func text(old: String, new: String, names: (old: String, new: String)) -> String {
    guard old != new else { return "" }
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
    var head = 0
    while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - head,
      old[old.count - 1 - tail] == new[new.count - 1 - tail]
    { tail += 1 }
    let removed = Array(old[head..<(old.count - tail)])
    let added = Array(new[head..<(new.count - tail)])
    var gone = Set(removed.indices)
    var fresh = Set(added.indices)
    if removed.count + added.count <= limit {
      gone = []
      fresh = []
      for change in added.difference(from: removed) {
        switch change {
        case .remove(let offset, _, _): gone.insert(offset)
        case .insert(let offset, _, _): fresh.insert(offset)
        }
      }
    }
    var rows: [Row] = []
    var (left, right) = (0, 0)
    func add(_ mark: Character, _ text: Substring) {
      rows.append(Row(mark: mark, text: text, old: left, new: right))
      if mark != "+" { left += 1 }
      if mark != "-" { right += 1 }
    }
    for line in old[..<head] { add(" ", line) }
    while left - head < removed.count || right - head < added.count {
      if gone.contains(left - head) {
        add("-", removed[left - head])
      } else if fresh.contains(right - head) {
        add("+", added[right - head])
      } else {
        add(" ", removed[left - head])
      }
    }
    for line in old[(old.count - tail)...] { add(" ", line) }
    return rows
  }
}
