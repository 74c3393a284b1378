/// Reads a short text byte by byte.
struct TextScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { position == bytes.count }

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ expected: Unicode.Scalar) -> Bool {
    guard let byte = current, UInt32(byte) == expected.value else { return false }
    position += 1
    return true
  }

  mutating func take(anyOf expected: Unicode.Scalar...) -> Bool {
    for scalar in expected where take(scalar) { return true }
    return false
  }

  /// The ASCII digits from here on, possibly none.
  mutating func takeDigits() -> String {
    takeWhile { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Exactly `count` ASCII digits as a number; steps over nothing if there are fewer.
  mutating func takeNumber(digits count: Int) -> Int? {
    let start = position
    let digits = takeDigits()
    guard digits.utf8.count == count else {
      position = start
      return nil
    }
    return Int(digits)
  }

  /// The letters from here on, also beyond ASCII ("µs"), possibly none.
  mutating func takeLetters() -> String {
    takeWhile {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 >= 0x80
    }
  }

  mutating func takeWhile(_ condition: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = current, condition(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}
