internal import Foundations

/// A scalar on the wire, and its form in JSON.
enum WireScalar: Hashable {
  case varint(UInt64)
  case fixed32(UInt32)
  case fixed64(UInt64)
  case bytes([UInt8])

  var type: WireType {
    switch self {
    case .varint: .varint
    case .fixed32: .fixed32
    case .fixed64: .fixed64
    case .bytes: .length
    }
  }

  func write(to writer: inout WireWriter) {
    switch self {
    case .varint(let value): writer.varint(value)
    case .fixed32(let value): writer.fixed(UInt64(value), 4)
    case .fixed64(let value): writer.fixed(value, 8)
    case .bytes(let bytes): writer.delimited(bytes)
    }
  }

  /// True of the value that a field without presence has where it is not there.
  var isDefault: Bool {
    switch self {
    case .varint(let value), .fixed64(let value): value == 0
    case .fixed32(let value): value == 0
    case .bytes(let bytes): bytes.isEmpty
    }
  }
}

extension ProtoScalar {
  var wireType: WireType {
    switch self {
    case .double, .fixed64, .sfixed64: .fixed64
    case .float, .fixed32, .sfixed32: .fixed32
    case .string, .bytes: .length
    case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool: .varint
    }
  }

  /// The value of a field that is not there, as JSON has it.
  var zero: Value {
    switch self {
    case .double, .float: .integer(0)
    case .int64, .uint64, .sint64, .fixed64, .sfixed64: .string("0")
    case .int32, .uint32, .sint32, .fixed32, .sfixed32: .integer(0)
    case .bool: .bool(false)
    case .string, .bytes: .string("")
    }
  }

  /// Reads a scalar that is no text and no bytes.
  func read(_ reader: inout WireReader) throws(WireReader.Failure) -> Value {
    switch wireType {
    case .varint: return value(ofVarint: try reader.varint())
    case .fixed32: return value(of32: UInt32(truncatingIfNeeded: try reader.fixed(4)))
    default: return value(of64: try reader.fixed(8))
    }
  }

  private func value(ofVarint bits: UInt64) -> Value {
    switch self {
    case .bool: .bool(bits != 0)
    case .int32: .integer(Int64(Int32(truncatingIfNeeded: bits)))
    case .uint32: .integer(Int64(UInt32(truncatingIfNeeded: bits)))
    case .sint32:
      .integer(Int64(Int32(truncatingIfNeeded: Self.unfold(bits & 0xFFFF_FFFF))))
    case .int64: .string(String(Int64(bitPattern: bits)))
    case .sint64: .string(String(Self.unfold(bits)))
    default: .string(String(bits))
    }
  }

  /// "Encoding", section "Signed Integers".
  private static func unfold(_ bits: UInt64) -> Int64 {
    Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
  }

  private static func fold(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }

  private func value(of32 bits: UInt32) -> Value {
    switch self {
    case .float:
      let number = Float(bitPattern: bits)
      // The shortest digits that read back as this value, as JSON shows it.
      return Self.value(of: number.isFinite ? Double(number.description) ?? 0 : Double(number))
    case .sfixed32: return .integer(Int64(Int32(bitPattern: bits)))
    default: return .integer(Int64(bits))
    }
  }

  private func value(of64 bits: UInt64) -> Value {
    switch self {
    case .double: Self.value(of: Double(bitPattern: bits))
    case .sfixed64: .string(String(Int64(bitPattern: bits)))
    default: .string(String(bits))
    }
  }

  private static func value(of number: Double) -> Value {
    if number.isNaN { return .string("NaN") }
    if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
    if let integer = Int64(exactly: number), number.sign == .plus || integer != 0 {
      return .integer(integer)
    }
    return .number(number)
  }

  // MARK: - From JSON

  /// The scalar that a value of JSON means; `nil` with a reason if it is none.
  func scalar(from value: Value) throws(MessageProblem) -> WireScalar {
    switch self {
    case .bool:
      guard case .bool(let truth) = value else { throw misfit(value, "write true or false") }
      return .varint(truth ? 1 : 0)
    case .string:
      guard case .string(let text) = value else {
        throw misfit(value, "write the text between quotes")
      }
      return .bytes(Array(text.utf8))
    case .bytes:
      guard case .string(let text) = value else { throw misfit(value, "write the bytes in Base64") }
      let standard = text.replacing("-", with: "+").replacing("_", with: "/")
      guard let bytes = Base64.decoded(standard) else {
        throw misfit(value, "write the bytes in Base64")
      }
      return .bytes(bytes)
    case .double, .float: return try number(value)
    case .int32, .sint32, .sfixed32:
      let whole = try integer(value, Int64(Int32.min)...Int64(Int32.max))
      if self == .sfixed32 { return .fixed32(UInt32(bitPattern: Int32(whole))) }
      return .varint(self == .sint32 ? Self.fold(whole) & 0xFFFF_FFFF : UInt64(bitPattern: whole))
    case .uint32, .fixed32:
      let whole = try integer(value, 0...Int64(UInt32.max))
      return self == .fixed32 ? .fixed32(UInt32(whole)) : .varint(UInt64(whole))
    case .int64, .sint64, .sfixed64:
      let whole = try integer(value, Int64.min...Int64.max)
      if self == .sfixed64 { return .fixed64(UInt64(bitPattern: whole)) }
      return .varint(self == .sint64 ? Self.fold(whole) : UInt64(bitPattern: whole))
    case .uint64, .fixed64:
      let whole = try unsigned(value)
      return self == .fixed64 ? .fixed64(whole) : .varint(whole)
    }
  }

  private func misfit(_ value: Value, _ help: String) -> MessageProblem {
    MessageProblem("expected \(expectation), got \(value.excerpt())", help: help)
  }

  private var expectation: String {
    switch self {
    case .bool: "true or false"
    case .string: "text (string)"
    case .bytes: "bytes in Base64"
    case .double, .float: "a number (\(rawValue))"
    default: "a whole number (\(rawValue))"
    }
  }

  private func integer(
    _ value: Value, _ range: ClosedRange<Int64>
  ) throws(MessageProblem) -> Int64 {
    let whole: Int64?
    switch value {
    case .integer(let integer): whole = integer
    case .number(let number): whole = Int64(exactly: number)
    case .string(let text): whole = Self.whole(text)
    case .null, .bool, .list, .map: whole = nil
    }
    guard let whole, range.contains(whole) else {
      throw misfit(value, "write a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  private func unsigned(_ value: Value) throws(MessageProblem) -> UInt64 {
    let whole: UInt64?
    switch value {
    case .integer(let integer): whole = UInt64(exactly: integer)
    case .number(let number): whole = UInt64(exactly: number)
    case .string(let text): whole = UInt64(text) ?? Self.whole(text).flatMap { UInt64(exactly: $0) }
    case .null, .bool, .list, .map: whole = nil
    }
    guard let whole else { throw misfit(value, "write a number from 0 to \(UInt64.max)") }
    return whole
  }

  /// Digits, or a number such as `1e3` that is whole.
  private static func whole(_ text: String) -> Int64? {
    guard text.utf8.count < 64, text.utf8.allSatisfy({ $0 > 0x20 }), !text.hasPrefix("+") else {
      return nil
    }
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
  }

  private func number(_ value: Value) throws(MessageProblem) -> WireScalar {
    let number: Double?
    switch value {
    case .integer(let integer): number = Double(integer)
    case .number(let double): number = double
    case .string("NaN"): number = .nan
    case .string("Infinity"): number = .infinity
    case .string("-Infinity"): number = -.infinity
    case .string(let text):
      let first = text.utf8.first { $0 != UInt8(ascii: "-") } ?? 0
      number =
        (0x30...0x39).contains(first) && !text.lowercased().contains("x") ? Double(text) : nil
    case .null, .bool, .list, .map: number = nil
    }
    guard let number else {
      throw misfit(value, "write a number, or \"NaN\", \"Infinity\" or \"-Infinity\"")
    }
    if self == .double { return .fixed64(number.bitPattern) }
    let float = Float(number)
    guard float.isFinite || !number.isFinite else {
      throw misfit(value, "write a number that a float can hold")
    }
    return .fixed32(float.bitPattern)
  }
}
