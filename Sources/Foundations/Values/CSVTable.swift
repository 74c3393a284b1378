internal import OrderedCollections

/// A table as RFC 4180 writes it: names in the first line, then a row a line.
package struct CSVTable: Sendable {
  /// The reason why a text is no table.
  package struct Problem: Error, Sendable, Hashable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in Unicode scalars.
    package var column: Int
    /// Lower case, no full stop.
    package var message: String
    /// The exact fix.
    package var help: String
  }

  /// A row.
  package struct Row: Sendable {
    /// Its values, one for each name.
    package var values: [Value]
    /// The line in which it begins, from 1.
    package var line: Int
  }

  /// The names of the columns, each once.
  package private(set) var names: [String]
  /// The rows in order.
  package private(set) var rows: [Row]

  /// Reads a text.
  ///
  /// A column whose cells are all written without quotes, as JSON would write a number, holds numbers; one of nothing
  /// but true and false holds bools; every other one holds text. An empty cell is empty text in a column of text, and
  /// null in any other.
  package init(_ text: String) throws(Problem) {
    var reader = CSVReader(text)
    guard let head = try reader.nextRecord() else {
      throw Problem(
        line: 1, column: 1, message: "the table is empty",
        help: "write names in the first line, and a row in each line behind it")
    }
    names = head.cells.map(\.text)
    for (index, cell) in head.cells.enumerated() {
      guard !cell.text.isEmpty else {
        throw Problem(
          line: head.line, column: cell.column, message: "column \(index + 1) has no name",
          help: "write a name for each column in the first line")
      }
      guard names.firstIndex(of: cell.text) == index else {
        throw Problem(
          line: head.line, column: cell.column, message: "two columns are called \"\(cell.text)\"",
          help: "give each column its own name")
      }
    }
    var records: [CSVReader.Record] = []
    while let record = try reader.nextRecord() {
      guard record.cells.count == names.count else {
        let count = record.cells.count
        throw Problem(
          line: record.line, column: 1,
          message: "the row has \(count) cell\(count == 1 ? "" : "s"), and the first line"
            + " \(names.count)",
          help: count > names.count
            ? "put a cell with a comma in double quotes, or name the column"
            : "write a comma for each cell, also for an empty one")
      }
      records.append(record)
    }
    let kinds = names.indices.map { index in Self.kind(of: records.lazy.map { $0.cells[index] }) }
    rows = records.map { record in
      Row(
        values: record.cells.indices.map { Self.value(of: record.cells[$0], kinds[$0]) },
        line: record.line)
    }
  }

  /// The rows as a list of maps.
  package var value: Value {
    .list(
      rows.map { row in
        .map(OrderedDictionary(uniqueKeysWithValues: zip(names, row.values)))
      })
  }

  // MARK: - Kinds

  private enum Kind {
    case text
    case number
    case bool
  }

  private static func kind(of cells: some Sequence<CSVReader.Cell>) -> Kind {
    var kind: Kind?
    for cell in cells where cell.isQuoted || !cell.text.isEmpty {
      guard !cell.isQuoted, let own = Self.kind(of: cell.text), kind ?? own == own else {
        return .text
      }
      kind = own
    }
    return kind ?? .text
  }

  private static func kind(of text: String) -> Kind? {
    if text == "true" || text == "false" { return .bool }
    guard let value = try? JSONText.parse(text) else { return nil }
    // What would be shown otherwise than it is written is meant as text: 1.10, 1e3.
    switch value {
    case .integer, .number: return value.jsonText() == text ? .number : nil
    default: return nil
    }
  }

  private static func value(of cell: CSVReader.Cell, _ kind: Kind) -> Value {
    switch kind {
    case .text: .string(cell.text)
    case .bool: cell.text.isEmpty ? .null : .bool(cell.text == "true")
    case .number: cell.text.isEmpty ? .null : (try? JSONText.parse(cell.text)) ?? .string(cell.text)
    }
  }
}
