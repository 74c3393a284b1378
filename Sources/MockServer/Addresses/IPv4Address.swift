/// An IPv4 address.
struct IPv4Address: Hashable, Sendable, CustomStringConvertible {
  /// The address as one number, most significant byte first.
  var rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    rawValue =
      UInt32(first) << 24 | UInt32(second) << 16 | UInt32(third) << 8 | UInt32(fourth)
  }

  /// Creates an address from four bytes in network order; `nil` for another number of bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 else { return nil }
    rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Reads the dotted form `198.18.0.1`: four decimal numbers, no leading zeros.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count),
        part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"), let byte = UInt8(part)
      else { return nil }
      value = value << 8 | UInt32(byte)
    }
    rawValue = value
  }

  /// The four bytes in network order.
  var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
  }

  var description: String {
    bytes.map { String($0) }.joined(separator: ".")
  }
}
