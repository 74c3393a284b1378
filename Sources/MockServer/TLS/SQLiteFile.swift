internal import Foundations

/// A file of SQLite with one table, as <https://www.sqlite.org/fileformat2.html> says; the sections are of that page.
struct SQLiteFile {
  /// A value of a row.
  enum Value {
    case null
    /// A number below 128.
    case integer(UInt8)
    case blob([UInt8])
    case text(String)
  }

  /// The file.
  let bytes: [UInt8]

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - table: the table's name.
  ///   - columns: the names of its columns.
  ///   - rows: what the columns have; all rows together have less than 8,000 bytes.
  init(table: String, columns: [String], rows: [[Value]]) {
    let statement = "CREATE TABLE \(table) (\(columns.joined(separator: ", ")))"
    // The table of tables is on the first page, behind the file's header (section 2.6); the rows are on the second one.
    let tables: [[Value]] = [
      [.text("table"), .text(table), .text(table), .integer(2), .text(statement)]
    ]
    bytes = Self.header + Self.page(tables, from: Self.header.count) + Self.page(rows, from: 0)
  }

  private static let pageSize = 8_192

  /// Section 1.3.
  private static let header: [UInt8] =
    Array("SQLite format 3\0".utf8)
    // The size of a page, the kinds of journal, nothing reserved, and fractions that are fixed.
    + twoBytes(pageSize) + [1, 1, 0, 64, 32, 32]
    // The number of changes and of pages, no free ones, the number of changes to tables, and the format of these.
    + [1, 2, 0, 0, 1, 4].flatMap { [0, 0, 0, $0] as [UInt8] }
    // No cache's size, no vacuum, UTF-8, and nothing of the application's.
    + [0, 0, 1, 0, 0, 0].flatMap { [0, 0, 0, $0] as [UInt8] } + [UInt8](repeating: 0, count: 20)
    // The change at which the version is that of SQLite, 3.40.1, that knows all this.
    + [0, 0, 0, 1, 0, 0x2e, 0x63, 0x01]

  /// A page of rows (section 1.6, "table leaf"), which the file's header shortens on the first one.
  private static func page(_ rows: [[Value]], from start: Int) -> [UInt8] {
    let cells = rows.enumerated().map { index, row in
      let record = record(row)
      return variableLength(record.count) + variableLength(index + 1) + record
    }
    var places: [UInt8] = []
    var end = pageSize
    for cell in cells {
      end -= cell.count
      places += twoBytes(end)
    }
    let head: [UInt8] = [13, 0, 0] + twoBytes(cells.count) + twoBytes(end) + [0] + places
    let gap = end - start - head.count
    precondition(gap >= 0, "the rows have more bytes than a page")
    return head + [UInt8](repeating: 0, count: gap) + cells.reversed().flatMap { $0 }
  }

  /// Section 2.1: the types of all values, and then these.
  private static func record(_ row: [Value]) -> [UInt8] {
    var types: [UInt8] = []
    var contents: [UInt8] = []
    for value in row {
      switch value {
      case .null: types.append(0)
      case .integer(let number):
        types.append(1)
        contents.append(number)
      case .blob(let bytes):
        types += variableLength(12 + 2 * bytes.count)
        contents += bytes
      case .text(let text):
        types += variableLength(13 + 2 * text.utf8.count)
        contents += text.utf8
      }
    }
    // The length of the types counts itself.
    let length = types.count + 1 < 0x80 ? types.count + 1 : types.count + 2
    return variableLength(length) + types + contents
  }

  /// Section 1.6: numbers below 2 to the power of 56 are written so.
  private static func variableLength(_ number: Int) -> [UInt8] {
    Base128.encoded(UInt64(number))
  }

  /// A number below 65,536.
  private static func twoBytes(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }
}
