/// Queries of the terminal, which it answers on the target's input as if typed (XTerm Control
/// Sequences).
///
/// It identifies itself as no more than it is: a VT220 with colours.
extension TerminalScreen {
  /// True if the program has asked for application mode of the cursor's keys (DECCKM).
  package var hasApplicationCursorKeys: Bool {
    quietModes[TerminalModes.applicationCursorKeys] ?? false
  }

  /// Removes and returns the answers to queries since the last call, as they are to be typed.
  package mutating func takeReplies() -> [UInt8] {
    defer { replies = [] }
    return replies
  }

  /// The largest number of bytes of answers that wait: a program that asks for more, and reads
  /// nothing of it, gets no more.
  private static let replyLimit = 1 << 16

  private mutating func reply(_ text: String) {
    guard replies.count < Self.replyLimit else { return }
    replies += text.utf8
  }

  // MARK: - Sequences

  /// Answers a sequence if it is a question; false if it is none that is known.
  mutating func answer(_ sequence: TerminalParser.Sequence) -> Bool {
    let marks = [sequence.prefix, sequence.intermediate, sequence.final].filter { $0 != 0 }
    switch String(decoding: marks, as: UTF8.self) {
    case "c": if sequence.selector == 0 { answerWhoItIs() }
    // DA2: a VT220 by its number, a version and no cartridge; DA3: the number of the device.
    case ">c": if sequence.selector == 0 { reply("\u{1b}[>1;10;0c") }
    case "=c": if sequence.selector == 0 { reply("\u{1b}P!|00000000\u{1b}\\") }
    // XTVERSION.
    case ">q": if sequence.selector == 0 { reply("\u{1b}P>|scenario(1)\u{1b}\\") }
    case "n", "?n": answerStatus(sequence)
    case "$p", "?$p": answerMode(sequence)
    case "t": answerSize(sequence.selector)
    default: return false
    }
    return true
  }

  /// DA1.
  mutating func answerWhoItIs() { reply("\u{1b}[?62;22c") }

  /// DSR: whether it works, and where the cursor is; DECXCPR has the page as well.
  private mutating func answerStatus(_ sequence: TerminalParser.Sequence) {
    let isPrivate = sequence.prefix != 0
    switch sequence.selector {
    case 5 where !isPrivate: reply("\u{1b}[0n")
    case 6:
      let row = cursor.row - (pen.isInOrigin ? region.lowerBound : 0) + 1
      reply(
        isPrivate
          ? "\u{1b}[?\(row);\(cursor.column + 1);1R" : "\u{1b}[\(row);\(cursor.column + 1)R")
    default: break
    }
  }

  /// DECRQM: 1 is set, 2 is reset, 0 is unknown.
  private mutating func answerMode(_ sequence: TerminalParser.Sequence) {
    let (mode, isPrivate) = (sequence.selector, sequence.prefix != 0)
    let isSet: Bool? =
      switch (isPrivate, mode) {
      case (false, 4): writing.inserts
      case (false, 20): writing.returnsAtNewline
      case (true, 6): pen.isInOrigin
      case (true, 7): writing.wraps
      case (true, 47), (true, 1_047), (true, 1_049): mainGrid != nil
      case (true, _): quietModes[mode]
      default: nil
      }
    let state = isSet.map { $0 ? 1 : 2 } ?? 0
    reply("\u{1b}[\(isPrivate ? "?" : "")\(mode);\(state)$y")
  }

  /// XTWINOPS, as far as it asks: for the state of the window, and for its size in characters.
  private mutating func answerSize(_ operation: Int) {
    switch operation {
    case 11: reply("\u{1b}[1t")
    case 18: reply("\u{1b}[8;\(rows);\(columns)t")
    case 19: reply("\u{1b}[9;\(rows);\(columns)t")
    default: break
    }
  }

  // MARK: - Strings

  /// Answers a string if it is a question.
  mutating func answer(_ command: TerminalParser.Command) {
    let content = String(decoding: command.content, as: UTF8.self)
    if command.isForDevice { return answerDevice(content) }
    let words = content.split(separator: ";", omittingEmptySubsequences: false)
    guard let number = words.first.flatMap({ UInt16($0) }).map(Int.init) else { return }
    if TerminalColours.numbers.contains(number - 100) { return colours.reset(number - 100) }
    // More than one word is about the colours that follow.
    for (number, word) in zip(number..., words.dropFirst())
    where TerminalColours.numbers.contains(number) {
      guard word == "?" else {
        colours.set(number, to: word)
        continue
      }
      reply(
        "\u{1b}]\(number);\(colours[number])" + (command.endsWithBell ? "\u{7}" : "\u{1b}\\"))
    }
  }

  /// DECRQSS, of which the region is known, and XTGETTCAP, of which nothing is.
  private mutating func answerDevice(_ content: String) {
    if content == "$qr" {
      reply("\u{1b}P1$r\(region.lowerBound + 1);\(region.upperBound + 1)r\u{1b}\\")
    } else if content.hasPrefix("$q") {
      reply("\u{1b}P0$r\u{1b}\\")
    } else if content.hasPrefix("+q") {
      reply("\u{1b}P0+r\u{1b}\\")
    }
  }
}
