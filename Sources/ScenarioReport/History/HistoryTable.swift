internal import Foundations

/// Lines whose columns stand below each other.
struct HistoryTable {
  /// Where a text stands in its column.
  enum Alignment {
    case leading
    case trailing
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [(cells: [String], below: String?)] = []
  /// The width at which what stands below a line is cut.
  private static let belowWidth = 100

  init(_ columns: [(String, Alignment)]) {
    self.columns = columns.map { (title: $0.0, alignment: $0.1) }
  }

  /// Adds a line.
  ///
  /// - Parameter below: what stands below it, cut to one line.
  mutating func add(_ cells: [String], below: String? = nil) {
    rows.append((cells.map { TerminalText.line($0) }, below.map { TerminalText.line($0) }))
  }

  /// The heading and the lines, without columns in which nothing stands.
  func lines(_ palette: TerminalPalette) -> [String] {
    let used = columns.indices.filter { index in
      rows.contains { !["", "0"].contains($0.cells[index]) }
    }
    let widths = columns.indices.map { index in
      rows.map { TerminalText.width(of: $0.cells[index]) }
        .reduce(TerminalText.width(of: columns[index].title), max)
    }
    func line(_ cells: [String]) -> String {
      var text = ""
      for index in used {
        let space = String(
          repeating: " ", count: max(0, widths[index] - TerminalText.width(of: cells[index])))
        text +=
          "  "
          + (columns[index].alignment == .leading ? cells[index] + space : space + cells[index])
      }
      while text.hasSuffix(" ") { text.removeLast() }
      return text
    }
    var lines = [palette.dim(line(columns.map(\.title)))]
    for row in rows {
      lines.append(line(row.cells))
      if let below = row.below {
        lines.append(palette.dim("    " + TerminalText.cut(below, toWidth: Self.belowWidth)))
      }
    }
    return lines
  }
}
