extension TerminalScreen {
  /// Performs what the parser has found.
  mutating func perform(_ token: TerminalParser.Token) {
    switch token {
    case .print(let scalar): show(scalar)
    case .control(let byte): control(byte)
    case .escape(let intermediate, let final): escape(intermediate, final)
    case .sequence(let sequence): if !answer(sequence) { perform(sequence) }
    case .string(let command): answer(command)
    }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x08: moveColumns(-1)
    case 0x09: tab(1)
    // LF, VT and FF.
    case 0x0A...0x0C:
      index()
      if writing.returnsAtNewline { cursor.column = 0 }
    case 0x0D: move(to: Position(row: cursor.row, column: 0))
    // SO and SI.
    case 0x0E: pen.sets.used = 1
    case 0x0F: pen.sets.used = 0
    default: break
    }
  }

  private mutating func escape(_ intermediate: UInt8, _ final: UInt8) {
    switch (intermediate, final) {
    case (0, UInt8(ascii: "7")): saveCursor()
    case (0, UInt8(ascii: "8")): restoreCursor()
    case (0, UInt8(ascii: "D")): index()
    case (0, UInt8(ascii: "E")):
      index()
      cursor.column = 0
    case (0, UInt8(ascii: "H")): setTabStop(true)
    case (0, UInt8(ascii: "M")): reverseIndex()
    case (0, UInt8(ascii: "Z")): answerWhoItIs()
    case (0, UInt8(ascii: "c")): reset()
    case (0, UInt8(ascii: "n")): pen.sets.used = 2
    case (0, UInt8(ascii: "o")): pen.sets.used = 3
    case (UInt8(ascii: "#"), UInt8(ascii: "8")): fillWithLetters()
    case (UInt8(ascii: "(")...UInt8(ascii: "+"), _):
      pen.sets.areGraphics[Int(intermediate - UInt8(ascii: "("))] = final == UInt8(ascii: "0")
    default: break
    }
  }

  // MARK: - Control sequences

  private mutating func perform(_ sequence: TerminalParser.Sequence) {
    switch (sequence.prefix, sequence.intermediate) {
    case (0, 0):
      if !moveCursor(sequence) { edit(sequence) }
    case (UInt8(ascii: "?"), 0):
      switch sequence.final {
      case UInt8(ascii: "h"): setPrivateModes(sequence, true)
      case UInt8(ascii: "l"): setPrivateModes(sequence, false)
      // DECSED and DECSEL: nothing is protected.
      case UInt8(ascii: "J"): eraseDisplay(sequence.selector)
      case UInt8(ascii: "K"): eraseLine(sequence.selector)
      default: break
      }
    // DECSTR.
    case (0, UInt8(ascii: "!")) where sequence.final == UInt8(ascii: "p"): softReset()
    default: break
    }
  }

  private mutating func moveCursor(_ sequence: TerminalParser.Sequence) -> Bool {
    let count = sequence.count(0)
    switch sequence.final {
    case UInt8(ascii: "A"), UInt8(ascii: "k"): moveRows(-count)
    case UInt8(ascii: "B"), UInt8(ascii: "e"): moveRows(count)
    case UInt8(ascii: "C"), UInt8(ascii: "a"): moveColumns(count)
    case UInt8(ascii: "D"), UInt8(ascii: "j"): moveColumns(-count)
    case UInt8(ascii: "E"):
      moveRows(count)
      cursor.column = 0
    case UInt8(ascii: "F"):
      moveRows(-count)
      cursor.column = 0
    case UInt8(ascii: "G"), UInt8(ascii: "`"):
      move(to: Position(row: cursor.row, column: count - 1))
    case UInt8(ascii: "H"), UInt8(ascii: "f"):
      address(row: count - 1, column: sequence.count(1) - 1)
    case UInt8(ascii: "I"): tab(count)
    case UInt8(ascii: "Z"): backTab(count)
    case UInt8(ascii: "d"): address(row: count - 1, column: cursor.column)
    case UInt8(ascii: "r"): setRegion(sequence)
    case UInt8(ascii: "s"): saveCursor()
    case UInt8(ascii: "u"): restoreCursor()
    default: return false
    }
    return true
  }

  /// DECSTBM; a region has at least two rows.
  private mutating func setRegion(_ sequence: TerminalParser.Sequence) {
    let top = sequence.count(0) - 1
    let bottom = min(sequence.count(1, or: rows), rows) - 1
    guard top < bottom else { return }
    region = top...bottom
    address(row: 0, column: 0)
  }

  private mutating func edit(_ sequence: TerminalParser.Sequence) {
    let count = sequence.count(0)
    switch sequence.final {
    case UInt8(ascii: "@"): grid.insertBlanks(count, row: cursor.row, column: cursor.column)
    case UInt8(ascii: "J"): eraseDisplay(sequence.selector)
    case UInt8(ascii: "K"): eraseLine(sequence.selector)
    case UInt8(ascii: "L"): insertRows(count)
    case UInt8(ascii: "M"): deleteRows(count)
    case UInt8(ascii: "P"): grid.delete(count, row: cursor.row, column: cursor.column)
    case UInt8(ascii: "S"): grid.scrollUp(region, by: count)
    // With more parameters it is a question about the mouse.
    case UInt8(ascii: "T") where sequence.parameters.count < 2:
      grid.scrollDown(region, by: count)
    case UInt8(ascii: "X"):
      grid.erase(cursor.row, cursor.column..<min(columns, cursor.column + count))
    case UInt8(ascii: "b"): repeatLast(count)
    case UInt8(ascii: "g"):
      if sequence.selector == 0 { setTabStop(false) }
      if sequence.selector == 3 { tabStops = [] }
    case UInt8(ascii: "h"): setModes(sequence, true)
    case UInt8(ascii: "l"): setModes(sequence, false)
    default: break
    }
    // xterm: all but these end the wait at the last column.
    switch sequence.final {
    case UInt8(ascii: "@"), UInt8(ascii: "J"), UInt8(ascii: "K"), UInt8(ascii: "P"),
      UInt8(ascii: "X"):
      pen.wrapsNext = false
    default: break
    }
  }

  // MARK: - Modes

  private mutating func setModes(_ sequence: TerminalParser.Sequence, _ isSet: Bool) {
    for mode in sequence.parameters {
      switch mode {
      case 4: writing.inserts = isSet
      case 20: writing.returnsAtNewline = isSet
      default: break
      }
    }
  }

  private mutating func setPrivateModes(_ sequence: TerminalParser.Sequence, _ isSet: Bool) {
    for mode in sequence.parameters {
      switch mode {
      case 6:
        pen.isInOrigin = isSet
        address(row: 0, column: 0)
      case 7: writing.wraps = isSet
      case 47, 1047: showAlternate(isSet)
      case 1048: if isSet { saveCursor() } else { restoreCursor() }
      case 1049:
        if isSet { saveCursor() }
        showAlternate(isSet)
        if !isSet { restoreCursor() }
      default: quietModes.change(mode, to: isSet)
      }
    }
  }

  /// RIS.
  private mutating func reset() {
    grid = ScreenGrid(columns: columns, rows: rows)
    mainGrid = nil
    tabStops = nil
    lastPrinted = nil
    quietModes = .initial
    colours = TerminalColours()
    softReset()
    cursor = Position(row: 0, column: 0)
    savedOnMain = Pen()
  }

  /// DECSTR: modes as in the beginning; what is shown stays.
  private mutating func softReset() {
    region = 0...rows - 1
    writing = WritingModes()
    (pen.isInOrigin, pen.wrapsNext) = (false, false)
    pen.sets = CharacterSets()
    saved = Pen()
    quietModes.softReset()
  }
}
