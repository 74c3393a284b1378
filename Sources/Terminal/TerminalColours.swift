/// The colours of text, background and cursor, by the numbers that they have in OSC.
struct TerminalColours: Hashable, Sendable {
  /// The numbers.
  static let numbers = 10...12

  /// Red, green and blue of what the program has set.
  private var own: [Int: [UInt16]] = [:]

  /// Returns a colour as XParseColor(3) writes it; the default is black on white, as xterm's.
  subscript(number: Int) -> String {
    let parts = own[number] ?? [UInt16](repeating: number == 11 ? 0xFFFF : 0, count: 3)
    let digits = parts.map { part in
      let text = String(part, radix: 16)
      return String(repeating: "0", count: 4 - text.count) + text
    }
    return "rgb:" + digits.joined(separator: "/")
  }

  /// Sets a colour; what is neither `rgb:R/G/B` nor `#RGB` is left out.
  mutating func set(_ number: Int, to text: some StringProtocol) {
    guard let parts = Self.parts(of: text) else { return }
    own[number] = parts
  }

  /// Resets a colour to its initial one.
  mutating func reset(_ number: Int) { own[number] = nil }

  /// XParseColor(3): parts behind `rgb:` are scaled, those behind `#` are the upper bits.
  private static func parts(of text: some StringProtocol) -> [UInt16]? {
    if text.hasPrefix("rgb:") {
      let words = text.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false)
      let parts = words.compactMap { word in
        part(word).map { UInt16($0 * 0xFFFF / ((1 << (4 * word.count)) - 1)) }
      }
      return words.count == 3 && parts.count == 3 ? parts : nil
    }
    guard text.hasPrefix("#") else { return nil }
    let digits = Array(text.dropFirst())
    guard [3, 6, 9, 12].contains(digits.count) else { return nil }
    let length = digits.count / 3
    let parts = (0..<3).compactMap { place in
      part(String(digits[place * length..<(place + 1) * length])).map {
        UInt16($0 << (4 * (4 - length)))
      }
    }
    return parts.count == 3 ? parts : nil
  }

  private static func part(_ word: some StringProtocol) -> Int? {
    guard (1...4).contains(word.count), word.allSatisfy(\.isHexDigit) else { return nil }
    return Int(word, radix: 16)
  }
}
