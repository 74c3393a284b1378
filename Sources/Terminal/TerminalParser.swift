/// Parses the bytes that are sent to a terminal: characters, and control functions (ECMA-48, 5th
/// edition).
///
/// Its states are those of the parser for DEC terminals that xterm follows. Of the strings for the
/// terminal itself OSC and DCS are reported, as they may be queries; APC, PM and SOS are left out.
struct TerminalParser: Sendable {
  /// A character or a control function.
  enum Token: Hashable {
    /// Show a character.
    case print(Unicode.Scalar)
    /// A control character of C0.
    case control(UInt8)
    /// ESC, intermediate bytes and a final byte.
    case escape(intermediate: UInt8, final: UInt8)
    /// A control sequence.
    case sequence(Sequence)
    /// A string for the terminal itself.
    case string(Command)
  }

  /// A string for the terminal itself, as in OSC 11 ; ? BEL.
  struct Command: Hashable {
    /// True if it began with DCS, and not with OSC.
    var isForDevice: Bool
    /// The content of the string.
    var content: [UInt8] = []
    /// True if BEL ended it, and not ST.
    var endsWithBell = false
  }

  /// A control sequence, as in CSI ? 1 ; 2 h.
  struct Sequence: Hashable {
    /// `<`, `=`, `>` or `?`; 0 where there is none.
    var prefix: UInt8 = 0
    /// The parameters; -1 for one that is left out.
    var parameters: [Int] = []
    /// The byte before the last; 0 where there is none.
    var intermediate: UInt8 = 0
    /// The last byte.
    var final: UInt8 = 0

    /// A parameter, or what it is where it is left out or 0.
    func count(_ index: Int, or usual: Int = 1) -> Int {
      let value = parameters.indices.contains(index) ? parameters[index] : 0
      return value > 0 ? value : usual
    }

    /// The first parameter, 0 where it is left out.
    var selector: Int { max(0, parameters.first ?? 0) }
  }

  private enum State {
    case ground
    case escape
    case sequence
    /// A sequence that is none, up to its final byte.
    case ignored
    /// A string, up to BEL (where that ends it) or ST.
    case string(endsAtBell: Bool)
    /// ESC within a string: `\` makes it ST.
    case stringEscape(endsAtBell: Bool)
    /// A palette entry of Linux, which nothing ends: so many characters.
    case palette(left: Int)
    /// The beginning of an OSC.
    case command
  }

  /// The largest number of parameters that are kept (xterm: 30).
  static let parameterLimit = 32
  /// The largest value of a parameter.
  static let valueLimit = 65_535
  /// Longer strings are no questions.
  static let stringLimit = 1_024

  private var state = State.ground
  private var intermediate: UInt8 = 0
  private var sequence = Sequence()
  /// The string that is under way; `nil` where it cannot be a question.
  private var string: Command?
  private var decoder = ScalarDecoder()

  /// True if printable ASCII is shown as it is.
  var isAtRest: Bool {
    if case .ground = state { decoder.isAtRest } else { false }
  }

  /// Parses one byte.
  mutating func take(_ byte: UInt8, _ perform: (Token) -> Void) {
    if byte < 0x80, decoder.isAtRest {
      takeCode(byte, perform)
      return
    }
    let found = decoder.take(byte)
    if let scalar = found.broken { takeScalar(scalar, perform) }
    if let scalar = found.whole { takeScalar(scalar, perform) }
  }

  private mutating func takeScalar(_ scalar: Unicode.Scalar, _ perform: (Token) -> Void) {
    switch scalar.value {
    case ..<0x80: takeCode(UInt8(scalar.value), perform)
    // C1 is ESC and the letter 64 before (ECMA-48, 5.3).
    case 0x80..<0xA0 where !isInString:
      begin(.escape)
      takeCode(UInt8(scalar.value - 0x40), perform)
    default: takeCharacter(scalar, perform)
    }
  }

  private var isInString: Bool {
    switch state {
    case .string, .stringEscape, .command, .palette: true
    default: false
    }
  }

  private mutating func begin(_ next: State) {
    state = next
    intermediate = 0
    sequence = Sequence()
    string = nil
  }

  private mutating func takeCharacter(_ scalar: Unicode.Scalar, _ perform: (Token) -> Void) {
    switch state {
    case .ground: perform(.print(scalar))
    case .string, .stringEscape, .command: string = nil
    case .palette(let left): state = left > 1 ? .palette(left: left - 1) : .ground
    case .escape, .sequence, .ignored:
      state = .ground
      perform(.print(scalar))
    }
  }

  // MARK: - ASCII

  private mutating func takeCode(_ byte: UInt8, _ perform: (Token) -> Void) {
    switch state {
    case .string(let endsAtBell): takeString(byte, endsAtBell: endsAtBell, perform)
    case .command: takeCommand(byte, perform)
    case .stringEscape:
      if byte == UInt8(ascii: "\\") {
        endString(byBell: false, perform)
      } else {
        begin(.escape)
        takeCode(byte, perform)
      }
    case .palette(let left): state = left > 1 ? .palette(left: left - 1) : .ground
    default:
      if byte < 0x20 { takeControl(byte, perform) } else { takeGraphic(byte, perform) }
    }
  }

  private mutating func takeControl(_ byte: UInt8, _ perform: (Token) -> Void) {
    switch byte {
    case 0x1B: begin(.escape)
    // CAN and SUB end a sequence.
    case 0x18, 0x1A: state = .ground
    default: perform(.control(byte))
    }
  }

  private mutating func takeGraphic(_ byte: UInt8, _ perform: (Token) -> Void) {
    guard byte != 0x7F else { return }
    switch state {
    case .escape: takeEscape(byte, perform)
    case .sequence: takeSequence(byte, perform)
    case .ignored: if byte >= 0x40 { state = .ground }
    default: perform(.print(Unicode.Scalar(byte)))
    }
  }

  private mutating func takeEscape(_ byte: UInt8, _ perform: (Token) -> Void) {
    if byte < 0x30 {
      intermediate = byte
      return
    }
    if intermediate == 0 {
      switch byte {
      case UInt8(ascii: "["): return begin(.sequence)
      case UInt8(ascii: "]"): return begin(.command)
      case UInt8(ascii: "P"):
        begin(.string(endsAtBell: false))
        string = Command(isForDevice: true)
        return
      case UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
        return begin(.string(endsAtBell: false))
      // screen(1): a title.
      case UInt8(ascii: "k"): return begin(.string(endsAtBell: true))
      default: break
      }
    }
    state = .ground
    perform(.escape(intermediate: intermediate, final: byte))
  }

  private mutating func takeSequence(_ byte: UInt8, _ perform: (Token) -> Void) {
    switch byte {
    case 0x30...0x39:
      if sequence.intermediate != 0 { return begin(.ignored) }
      let digit = Int(byte - 0x30)
      if sequence.parameters.isEmpty { sequence.parameters.append(-1) }
      let last = sequence.parameters.count - 1
      let value = max(0, sequence.parameters[last])
      sequence.parameters[last] = min(Self.valueLimit, value * 10 + digit)
    case UInt8(ascii: ";"), UInt8(ascii: ":"):
      if sequence.intermediate != 0 { return begin(.ignored) }
      if sequence.parameters.isEmpty { sequence.parameters.append(-1) }
      // Those beyond the limit run together in the last, which nothing asks for.
      if sequence.parameters.count < Self.parameterLimit { sequence.parameters.append(-1) }
    case 0x3C...0x3F:
      guard sequence.parameters.isEmpty, sequence.prefix == 0, sequence.intermediate == 0 else {
        return begin(.ignored)
      }
      sequence.prefix = byte
    case 0x20..<0x30: sequence.intermediate = byte
    default:
      sequence.final = byte
      state = .ground
      perform(.sequence(sequence))
    }
  }

  // MARK: - Strings

  private mutating func takeString(
    _ byte: UInt8, endsAtBell: Bool, _ perform: (Token) -> Void
  ) {
    switch byte {
    case 0x07 where endsAtBell: endString(byBell: true, perform)
    case 0x18, 0x1A: state = .ground
    case 0x1B: state = .stringEscape(endsAtBell: endsAtBell)
    default:
      guard let length = string?.content.count else { return }
      if length < Self.stringLimit { string?.content.append(byte) } else { string = nil }
    }
  }

  private mutating func endString(byBell: Bool, _ perform: (Token) -> Void) {
    state = .ground
    guard var ended = string else { return }
    string = nil
    ended.endsWithBell = byBell
    perform(.string(ended))
  }

  /// console_codes(4): `ESC ] P` has seven digits behind it and `ESC ] R` nothing, without an end.
  private mutating func takeCommand(_ byte: UInt8, _ perform: (Token) -> Void) {
    switch byte {
    case UInt8(ascii: "P"): state = .palette(left: 7)
    case UInt8(ascii: "R"): state = .ground
    default:
      state = .string(endsAtBell: true)
      string = Command(isForDevice: false)
      takeString(byte, endsAtBell: true, perform)
    }
  }
}

/// Makes characters of UTF-8, one byte after the other; what is none becomes U+FFFD.
struct ScalarDecoder: Sendable {
  private var value: UInt32 = 0
  private var needed = 0
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  /// True if a character begins next.
  var isAtRest: Bool { needed == 0 }

  /// Decodes one byte.
  ///
  /// A maximal part of a character that does not continue is one U+FFFD (Unicode 15, 3.9).
  ///
  /// - Returns: The replacement of a character that the byte has broken off, and the one that it
  ///   has ended.
  mutating func take(_ byte: UInt8) -> (broken: Unicode.Scalar?, whole: Unicode.Scalar?) {
    guard needed > 0 else { return (nil, begin(byte)) }
    guard allowed.contains(byte) else {
      needed = 0
      allowed = 0x80...0xBF
      return ("\u{FFFD}", begin(byte))
    }
    value = value << 6 | UInt32(byte & 0x3F)
    needed -= 1
    allowed = 0x80...0xBF
    return (nil, needed == 0 ? Unicode.Scalar(value) ?? "\u{FFFD}" : nil)
  }

  private mutating func begin(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case ..<0x80: return Unicode.Scalar(byte)
    case 0xC2...0xDF: (value, needed) = (UInt32(byte & 0x1F), 1)
    case 0xE0...0xEF:
      (value, needed) = (UInt32(byte & 0x0F), 2)
      if byte == 0xE0 { allowed = 0xA0...0xBF }
      if byte == 0xED { allowed = 0x80...0x9F }
    case 0xF0...0xF4:
      (value, needed) = (UInt32(byte & 0x07), 3)
      if byte == 0xF0 { allowed = 0x90...0xBF }
      if byte == 0xF4 { allowed = 0x80...0x8F }
    default: return "\u{FFFD}"
    }
    return nil
  }
}
