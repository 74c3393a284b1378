package import Foundations

/// A terminal's screen: turns the bytes that a program sends into a grid of characters.
///
/// It knows the control functions of ECMA-48 and xterm that full-screen programs use, and answers questions as xterm
/// does. Colours and titles are left out.
package struct TerminalScreen: Sendable {
  /// A place, counted from 0.
  package struct Position: Hashable, Sendable {
    /// The row.
    package var row: Int
    /// The column.
    package var column: Int
  }

  /// Screens with more columns or rows are kept as if they had no more.
  package static let limit = 1_024

  /// The position and style of the next character: what `ESC 7` saves.
  struct Pen: Sendable {
    var position = Position(row: 0, column: 0)
    /// True if the last column was written, so that the next character begins a new line.
    var wrapsNext = false
    /// DECOM: rows count from the region.
    var isInOrigin = false
    var sets = CharacterSets()
  }

  /// The character sets that the bytes of ASCII select from.
  struct CharacterSets: Sendable {
    /// Whether G0 to G3 are the line drawing set of DEC.
    var areGraphics = [false, false, false, false]
    /// The index of the set in use.
    var used = 0
  }

  /// Modes that decide how characters are written.
  struct WritingModes: Sendable {
    /// IRM: written characters move the ones at the cursor to the right.
    var inserts = false
    /// DECAWM: what goes beyond the last column begins a new line.
    var wraps = true
    /// LNM: a line feed returns, too.
    var returnsAtNewline = false
  }

  var grid: ScreenGrid
  /// The screen that is not shown, while the alternate one is.
  var mainGrid: ScreenGrid?
  /// The position of the next character.
  package internal(set) var cursor: Position {
    get { pen.position }
    set { pen.position = newValue }
  }
  var pen = Pen()
  /// The rows that scroll.
  var region: ClosedRange<Int>
  var saved = Pen()
  var savedOnMain = Pen()
  /// The columns at which a tab stops; `nil` for every eighth.
  var tabStops: Set<Int>?
  var writing = WritingModes()
  var lastPrinted: Unicode.Scalar?
  /// The modes that are set and change nothing on the screen.
  var quietModes = TerminalModes.initial
  /// The colours that the program has set.
  var colours = TerminalColours()
  /// Answers that were not taken yet.
  var replies: [UInt8] = []
  private var parser = TerminalParser()

  /// Creates an empty screen.
  package init(_ size: TerminalSize) {
    grid = ScreenGrid(
      columns: min(Int(size.columns), Self.limit), rows: min(Int(size.rows), Self.limit))
    region = 0...0
    region = 0...grid.rows.count - 1
  }

  /// The number of columns.
  package var columns: Int { grid.columns }
  /// The number of rows.
  package var rows: Int { grid.rows.count }

  // MARK: - What comes

  /// Interprets a program's output, as the terminal gets it: with the carriage returns that the
  /// kernel makes.
  package mutating func take(_ bytes: some Collection<UInt8>) {
    // A copy, as the parser's tokens change the screen.
    var parser = parser
    var rest = bytes[...]
    while let byte = rest.first {
      if Self.isPlain(byte), parser.isAtRest {
        let run = rest.prefix(columns).prefix(while: Self.isPlain)
        show(plain: run)
        rest = rest.dropFirst(run.count)
      } else {
        parser.take(byte) { perform($0) }
        rest = rest.dropFirst()
      }
    }
    self.parser = parser
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// Resizes the screen, as xterm does: what is cut off is gone, what is new is blank.
  package mutating func resize(to size: TerminalSize) {
    let columns = min(Int(size.columns), Self.limit)
    let rows = min(Int(size.rows), Self.limit)
    _ = mainGrid?.resize(columns: columns, rows: rows, keeping: savedOnMain.position.row)
    let gone = grid.resize(columns: columns, rows: rows, keeping: cursor.row)
    region = 0...self.rows - 1
    pen.wrapsNext = false
    move(to: Position(row: cursor.row - gone, column: cursor.column))
  }

  // MARK: - What is seen

  /// The rows from the top, without blanks at their ends.
  package var lines: [String] {
    grid.rows.map { row in
      var text = String.UnicodeScalarView()
      var length = 0
      var used = text.endIndex
      for cell in row where cell.width > 0 {
        text.append(cell.scalar)
        text.append(contentsOf: cell.marks)
        length += 1
        if cell.scalar != " " || !cell.marks.isEmpty { used = text.endIndex }
      }
      return String(text[..<used])
    }
  }

  /// The rows as one text, without the blank ones at its end, and without a newline there.
  package var text: String {
    var lines = lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The screen for a person, in a frame.
  package var picture: [String] {
    let edge = String(repeating: "─", count: columns)
    let place = "row \(cursor.row + 1), column \(cursor.column + 1)"
    return ["the screen, \(columns)x\(rows), the cursor in \(place):", "┌\(edge)┐"]
      + lines.map { line in
        let room = max(0, columns - TerminalText.width(of: line))
        return "│\(line)\(String(repeating: " ", count: room))│"
      } + ["└\(edge)┘"]
  }
}
