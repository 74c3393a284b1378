/// Writes the parts of a message one after the other.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func tag(_ number: Int, _ type: WireType) {
    varint(UInt64(number) << 3 | UInt64(type.rawValue))
  }

  mutating func fixed(_ value: UInt64, _ count: Int) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  mutating func raw(_ content: [UInt8]) {
    bytes += content
  }

  /// Bytes behind their length.
  mutating func delimited(_ content: [UInt8]) {
    varint(UInt64(content.count))
    bytes += content
  }
}
