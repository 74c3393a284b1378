/// Reads numbers one behind the other, as call frame and debugging information have them (DWARF 5, section 7.6).
struct ByteCursor {
  private var bytes: ArraySlice<UInt8>
  /// The address of the next byte: in the target's memory, or in a section.
  private(set) var address: UInt64

  /// - Parameter address: where the first byte is.
  init(_ bytes: [UInt8], address: UInt64) {
    self.bytes = bytes[...]
    self.address = address
  }

  /// Begins at a place of a section, which is its address; empty where the place is not before the end.
  init(section: [UInt8], at place: UInt64, end: Int) {
    let end = min(end, section.count)
    let start = min(Int(clamping: place), end)
    bytes = section[start..<end]
    address = UInt64(start)
  }

  /// The number of bytes that are left.
  var count: Int { bytes.count }

  /// The next byte; `nil` at the end.
  mutating func byte() -> UInt8? {
    guard let byte = bytes.popFirst() else { return nil }
    address &+= 1
    return byte
  }

  /// Skips bytes, up to the end.
  mutating func skip(_ count: UInt64) {
    let count = min(Int(clamping: count), bytes.count)
    bytes = bytes.dropFirst(count)
    address &+= UInt64(count)
  }

  /// A number of as many bytes as its type has, the lowest first; `nil` if there are fewer.
  mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let count = MemoryLayout<Number>.size
    guard bytes.count >= count else { return nil }
    let number = bytes.prefix(count).reversed().reduce(Number(0)) {
      $0 << 8 | Number(truncatingIfNeeded: $1)
    }
    skip(UInt64(count))
    return number
  }

  /// A number of so many bytes, at most 8, the lowest first; `nil` if there are fewer.
  mutating func fixed(_ count: Int) -> UInt64? {
    guard bytes.count >= count else { return nil }
    var number: UInt64 = 0
    for (index, byte) in bytes.prefix(count).enumerated() {
      number |= UInt64(byte) << (8 * UInt64(index))
    }
    skip(UInt64(count))
    return number
  }

  /// A ULEB128 number; what does not fit into 64 bits is cut off.
  mutating func unsigned() -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = byte() {
      if shift < 64 { number |= UInt64(byte & 0x7f) << shift }
      shift += 7
      if byte & 0x80 == 0 { return number }
    }
    return nil
  }

  /// An SLEB128 number; what does not fit into 64 bits is cut off.
  mutating func signed() -> Int64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = byte() {
      if shift < 64 { number |= UInt64(byte & 0x7f) << shift }
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      if byte & 0x40 != 0, shift < 64 { number |= ~0 << shift }
      return Int64(bitPattern: number)
    }
    return nil
  }

  /// The bytes before the next zero byte, which is left out.
  mutating func text() -> [UInt8]? {
    guard let end = bytes.firstIndex(of: 0) else { return nil }
    let text = Array(bytes[..<end])
    skip(UInt64(text.count) + 1)
    return text
  }

  /// An address of an encoding (Linux Standard Base, "DWARF Exception Header Encoding"): absolute or relative
  /// to itself; `nil` for the others.
  mutating func pointer(_ encoding: UInt8) -> UInt64? {
    let own = address
    let value: UInt64?
    switch encoding & 0x0f {
    case 0x00, 0x04: value = fixed(UInt64.self)
    case 0x02: value = fixed(UInt16.self).map(UInt64.init)
    case 0x03: value = fixed(UInt32.self).map(UInt64.init)
    case 0x0a: value = fixed(UInt16.self).map { UInt64(bitPattern: Int64(Int16(bitPattern: $0))) }
    case 0x0b: value = fixed(UInt32.self).map { UInt64(bitPattern: Int64(Int32(bitPattern: $0))) }
    case 0x0c: value = fixed(UInt64.self)
    default: value = nil
    }
    guard let value else { return nil }
    switch encoding & 0xf0 {
    case 0x00: return value
    case 0x10: return value &+ own
    // The address of a pointer, as a language's runtime has it, is only to be left out.
    case 0x90: return value
    default: return nil
    }
  }
}
