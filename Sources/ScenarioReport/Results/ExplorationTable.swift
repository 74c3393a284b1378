internal import ScenarioEvents

/// The results of the points of one exploration, for people.
struct ExplorationTable {
  let account: ExplorationAccount

  /// The verdicts in the order of columns, with their titles.
  private static let verdicts: [(verdict: String, title: String)] = [
    ("same", "same"), ("clean failure", "clean"), ("silent difference", "silent"),
    ("crash", "crash"), ("hang", "hang"), ("leak", "leak"),
  ]

  /// The columns, with one for faults that were injected into other calls than intended, if there
  /// are any.
  private var columns: [(verdict: String, title: String)] {
    account.count("unstable") == 0 ? Self.verdicts : Self.verdicts + [("unstable", "unstable")]
  }

  /// A line for each call, and what all of them come to.
  var lines: [String] {
    var rows = [["call", "reached", "fired", "unreached"] + columns.map(\.title)]
    for call in account.calls {
      rows.append(
        [call.name, "\(call.reached)", "\(call.fired)", "\(call.unreached)"]
          + columns.map { "\(call.verdicts[$0.verdict] ?? 0)" })
    }
    if account.calls.count > 1 {
      rows.append(
        ["all", "\(account.reached)", "\(account.fired)", "\(account.unreached)"]
          + columns.map { "\(account.count($0.verdict))" })
    }
    var lines = account.calls.isEmpty ? ["no injection point was reached"] : Self.aligned(rows)
    lines.append(summary)
    if let continuation = account.continuation {
      let left = account.trials - account.tried
      let what =
        left == 0
        ? "findings remain to be confirmed" : "\(left) trial\(left == 1 ? " remains" : "s remain")"
      lines.append("\(what): continue with `\(continuation)`")
    }
    return lines
  }

  private var summary: String {
    var parts = ["\(account.tried) of \(account.trials) faults tried in \(account.runs) runs"]
    if account.forks > 0 { parts.append("\(account.forks) of them by forks") }
    let undecided = account.count("undecided")
    if undecided > 0 { parts.append("\(undecided) undecided") }
    if account.hasVirtualClock { parts.append("under a virtual clock") }
    parts.append("\(account.findings) distinct finding\(account.findings == 1 ? "" : "s")")
    return parts.joined(separator: ", ")
  }

  /// Names and values for reports that have properties.
  var properties: [(name: String, value: String)] {
    let prefix = "scenario.explore"
    var list = [
      (name: "\(prefix).seed", value: "\(account.seed)"),
      (name: "\(prefix).points.reached", value: "\(account.reached)"),
      (name: "\(prefix).points.fired", value: "\(account.fired)"),
      (name: "\(prefix).points.unreached", value: "\(account.unreached)"),
      (name: "\(prefix).trials", value: "\(account.trials)"),
      (name: "\(prefix).tried", value: "\(account.tried)"),
      (name: "\(prefix).runs", value: "\(account.runs)"),
      (name: "\(prefix).forks", value: "\(account.forks)"),
    ]
    for (verdict, title) in columns {
      list.append((name: "\(prefix).\(title)", value: "\(account.count(verdict))"))
    }
    return list
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = rows.reduce(into: [Int](repeating: 0, count: rows[0].count)) { widths, row in
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.count) }
    }
    return rows.map { row in
      let cells = row.enumerated().map { index, cell in
        let padding = String(repeating: " ", count: widths[index] - cell.count)
        return index == 0 ? cell + padding : padding + cell
      }
      return "  " + cells.joined(separator: "  ")
    }
  }
}
