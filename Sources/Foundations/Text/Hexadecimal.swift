extension Sequence<UInt8> {
  /// The bytes in lower-case hexadecimal digits, two for each.
  package var hexadecimal: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      digits.append(hexadecimalDigit(of: byte >> 4))
      digits.append(hexadecimalDigit(of: byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

private func hexadecimalDigit(of value: UInt8) -> UInt8 {
  value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
}
