/// Cuts a text into records and cells, as RFC 4180 has it; empty lines are no records.
struct CSVReader {
  struct Cell {
    var text: String
    var isQuoted: Bool
    /// The column of its beginning, from 1.
    var column: Int
  }

  struct Record {
    var cells: [Cell]
    var line: Int
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private var lineStart = 0

  init(_ text: String) {
    let all = Array(text.unicodeScalars)
    scalars = all.first == "\u{FEFF}" ? Array(all.dropFirst()) : all
  }

  mutating func nextRecord() throws(CSVTable.Problem) -> Record? {
    while position < scalars.count, endsLine(scalars[position]) { passLineEnd() }
    guard position < scalars.count else { return nil }
    var record = Record(cells: [], line: line)
    while true {
      record.cells.append(try nextCell())
      guard position < scalars.count, scalars[position] == "," else { break }
      position += 1
    }
    if position < scalars.count { passLineEnd() }
    return record
  }

  private mutating func nextCell() throws(CSVTable.Problem) -> Cell {
    let column = position - lineStart + 1
    guard position < scalars.count, scalars[position] == "\"" else {
      let start = position
      while position < scalars.count, scalars[position] != ",", !endsLine(scalars[position]) {
        guard scalars[position] != "\"" else {
          throw problem(
            "a double quote stands inside a cell without quotes",
            help: "put the whole cell in double quotes, and write each of its own twice")
        }
        position += 1
      }
      return Cell(text: text(start..<position), isQuoted: false, column: column)
    }
    return Cell(text: try quoted(column), isQuoted: true, column: column)
  }

  private mutating func quoted(_ column: Int) throws(CSVTable.Problem) -> String {
    let begin = (line: line, column: column)
    var text = String.UnicodeScalarView()
    position += 1
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar == "\"" {
        position += 1
        guard position < scalars.count, scalars[position] == "\"" else {
          if position < scalars.count, scalars[position] != ",", !endsLine(scalars[position]) {
            throw problem(
              "something stands behind the closing quote of a cell",
              help: "end the cell with a comma, or write a quote inside it twice")
          }
          return String(text)
        }
        text.append(scalar)
        position += 1
      } else if endsLine(scalar) {
        text.append("\n")
        passLineEnd()
      } else {
        text.append(scalar)
        position += 1
      }
    }
    throw CSVTable.Problem(
      line: begin.line, column: begin.column, message: "the cell has no closing quote",
      help: "end it with a double quote")
  }

  private func endsLine(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

  private mutating func passLineEnd() {
    if scalars[position] == "\r", position + 1 < scalars.count, scalars[position + 1] == "\n" {
      position += 1
    }
    position += 1
    line += 1
    lineStart = position
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  private func problem(_ message: String, help: String) -> CSVTable.Problem {
    CSVTable.Problem(
      line: line, column: position - lineStart + 1, message: message, help: help)
  }
}
