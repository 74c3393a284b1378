internal import Foundations

/// A value in the distinguished encoding rules of ASN.1 (ITU-T X.690): a tag, a length, and what it holds.
struct DERValue: Hashable, Sendable {
  let bytes: [UInt8]

  init(tag: UInt8, _ content: [UInt8]) {
    bytes = [tag] + Self.length(content.count) + content
  }

  /// Section 8.1.3: one byte below 128, else the number of bytes that follow.
  private static func length(_ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [UInt8(count)] }
    let digits = bigEndian(UInt64(count))
    return [0x80 | UInt8(digits.count)] + digits
  }

  /// The bytes of a number from the highest one that is not 0.
  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
      .drop { $0 == 0 }.map { $0 }
  }

  // MARK: - Universal types

  static func sequence(_ values: [DERValue]) -> DERValue {
    DERValue(tag: 0x30, values.flatMap(\.bytes))
  }

  /// A set of one value, which needs no order.
  static func set(of value: DERValue) -> DERValue {
    DERValue(tag: 0x31, value.bytes)
  }

  static let yes = DERValue(tag: 0x01, [0xff])

  /// A number that is not negative, from its bytes with the highest one first; as few as are needed stay (section 8.3.2).
  static func integer(_ magnitude: [UInt8]) -> DERValue {
    let digits = Array(magnitude.drop { $0 == 0 })
    // The highest bit is the sign.
    let needsZero = (digits.first ?? 0x80) >= 0x80
    return DERValue(tag: 0x02, needsZero ? [0] + digits : digits)
  }

  static func bitString(_ bytes: [UInt8], unusedBits: UInt8 = 0) -> DERValue {
    DERValue(tag: 0x03, [unusedBits] + bytes)
  }

  static func octetString(_ bytes: [UInt8]) -> DERValue {
    DERValue(tag: 0x04, bytes)
  }

  static func utf8String(_ text: String) -> DERValue {
    DERValue(tag: 0x0c, Array(text.utf8))
  }

  /// An object identifier of two or more numbers (section 8.19).
  static func objectIdentifier(_ first: UInt64, _ second: UInt64, _ rest: UInt64...) -> DERValue {
    DERValue(tag: 0x06, ([40 * first + second] + rest).flatMap { Base128.encoded($0) })
  }

  // MARK: - Context-specific tags

  /// A value whole, behind a tag of its own.
  static func explicit(_ number: UInt8, _ value: DERValue) -> DERValue {
    DERValue(tag: 0xa0 | number, value.bytes)
  }

  /// The content of a value that is not made of others, with another tag in the place of its own.
  static func implicit(_ number: UInt8, _ content: [UInt8]) -> DERValue {
    DERValue(tag: 0x80 | number, content)
  }
}
