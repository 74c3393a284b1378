/// A key of a terminal, by the name that an author writes, as in `send: { key: ctrl-c }`.
package struct TerminalKey: Hashable, Sendable {
  /// The name.
  package let name: String
  /// The characters that the terminal sends for it.
  package let text: String

  /// Finds a key; `nil` if there is none of that name.
  ///
  /// Control and a character send that character without its upper bits (ASCII); the other keys
  /// send what xterm sends, whose names in terminfo(5) are kcuu1, khome and so on.
  package init?(name: String) {
    guard let text = Self.named[name] ?? Self.controlled(name) else { return nil }
    self.name = name
    self.text = text
  }

  /// The bytes that it sends where the program has set application mode (DECCKM, terminfo's smkx):
  /// the keys of the cursor then send SS3 instead of CSI.
  package var applicationText: String {
    let isCursorKey = ["up", "down", "right", "left", "home", "end"].contains(name)
    return isCursorKey ? text.replacing("[", with: "O") : text
  }

  /// The names of all keys, for who has written none of them.
  package static let names: Set<String> = Set(named.keys).union(controlNames)

  private static let controlNames = (controlLetters + Array("@[\\]^_")).map { "ctrl-\($0)" }
  private static let controlLetters = Array("abcdefghijklmnopqrstuvwxyz")

  private static func controlled(_ name: String) -> String? {
    guard name.hasPrefix("ctrl-"), controlNames.contains(name),
      let character = name.uppercased().unicodeScalars.last
    else { return nil }
    return String(UnicodeScalar(UInt8(truncatingIfNeeded: character.value & 0x1f)))
  }

  private static let named = [
    "enter": "\r", "tab": "\t", "space": " ", "escape": "\u{1b}", "backspace": "\u{7f}",
    "up": "\u{1b}[A", "down": "\u{1b}[B", "right": "\u{1b}[C", "left": "\u{1b}[D",
    "home": "\u{1b}[H", "end": "\u{1b}[F", "insert": "\u{1b}[2~", "delete": "\u{1b}[3~",
    "page-up": "\u{1b}[5~", "page-down": "\u{1b}[6~", "shift-tab": "\u{1b}[Z",
    "f1": "\u{1b}OP", "f2": "\u{1b}OQ", "f3": "\u{1b}OR", "f4": "\u{1b}OS",
    "f5": "\u{1b}[15~", "f6": "\u{1b}[17~", "f7": "\u{1b}[18~", "f8": "\u{1b}[19~",
    "f9": "\u{1b}[20~", "f10": "\u{1b}[21~", "f11": "\u{1b}[23~", "f12": "\u{1b}[24~",
  ]
}

extension TerminalKey: Codable {
  /// Reads the name.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let key = TerminalKey(name: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "no key of a terminal")
    }
    self = key
  }

  /// Writes the name.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
