/// Reads values in the distinguished encoding rules of ASN.1 (ITU-T X.690), one behind the other.
struct DERReader {
  /// A value: its tag, and what it holds.
  struct Value {
    let tag: UInt8
    let content: ArraySlice<UInt8>

    /// The values that it is made of.
    var parts: DERReader { DERReader(content) }
    var all: [Value] { parts.all }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The next value; `nil` at the end, and where the bytes are none.
  mutating func next() -> Value? {
    guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      // Section 8.1.3.5; no certificate has 2^24 bytes.
      guard (0x81...0x83).contains(first) else { return nil }
      length = 0
      for _ in 0..<(first & 0x7f) {
        guard let digit = rest.popFirst() else { return nil }
        length = length << 8 | Int(digit)
      }
    }
    guard length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(length) }
    return Value(tag: tag, content: rest.prefix(length))
  }

  /// The next value if it has a tag, which is passed over then.
  mutating func next(_ tag: UInt8) -> Value? {
    rest.first == tag ? next() : nil
  }

  /// All values that are left.
  var all: [Value] {
    var reader = self
    var values: [Value] = []
    while let value = reader.next() { values.append(value) }
    return values
  }
}
