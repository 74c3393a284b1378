/// The reason why bytes are no message.
package struct WireProblem: Error, Sendable, Hashable {
  /// The message that was read: its full name.
  package var message: String
  /// The field, with its number; `nil` between fields.
  package var field: String?
  /// The offset in the bytes of the whole message, from 0.
  package var offset: Int
  /// Lower case, no full stop.
  package var reason: String

  /// `shop.Order, field "id" (1), byte 3: …`.
  package var text: String {
    "\(message)\(field.map { ", field \($0)" } ?? ""), byte \(offset): \(reason)"
  }
}

/// The forms of values on the wire (protobuf.dev, "Encoding", section "Message Structure").
enum WireType: Int, Sendable {
  case varint = 0
  case fixed64 = 1
  case length = 2
  case start = 3
  case end = 4
  case fixed32 = 5

  var text: String {
    switch self {
    case .varint: "a varint"
    case .fixed64: "8 bytes"
    case .length: "a length and bytes"
    case .start: "the start of a group"
    case .end: "the end of a group"
    case .fixed32: "4 bytes"
    }
  }
}

/// Reads the parts of a message one after the other.
struct WireReader {
  /// What is wrong, without the place in the schema.
  struct Failure: Error {
    var offset: Int
    var reason: String
  }

  let bytes: [UInt8]
  private(set) var position: Int
  let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position >= end }

  mutating func varint() throws(Failure) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard position < end else {
        throw Failure(offset: start, reason: "the message ends within a number")
      }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw Failure(offset: start, reason: "a number has more than 10 bytes")
  }

  mutating func fixed(_ count: Int) throws(Failure) -> UInt64 {
    guard end - position >= count else {
      throw Failure(
        offset: position, reason: "\(count) bytes are needed, \(end - position) are left")
    }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += count
    return value
  }

  /// The range of a value behind its length.
  mutating func range() throws(Failure) -> Range<Int> {
    let start = position
    let length = try varint()
    guard length <= UInt64(end - position) else {
      throw Failure(
        offset: start, reason: "the length is \(length), but \(end - position) bytes are left")
    }
    let range = position..<position + Int(length)
    position = range.upperBound
    return range
  }

  /// The number of a field and the form of what follows.
  mutating func tag() throws(Failure) -> (number: Int, type: WireType) {
    let start = position
    let tag = try varint()
    guard let type = WireType(rawValue: Int(tag & 7)), tag >> 3 <= 536_870_911, tag >> 3 > 0 else {
      throw Failure(offset: start, reason: "\(tag) is no tag of a field")
    }
    return (Int(tag >> 3), type)
  }

  /// Passes over a value of a field that is not known.
  mutating func skip(_ type: WireType, number: Int, depth: Int) throws(Failure) {
    switch type {
    case .varint: _ = try varint()
    case .fixed64: _ = try fixed(8)
    case .fixed32: _ = try fixed(4)
    case .length: _ = try range()
    case .start: _ = try group(number: number, depth: depth)
    case .end: throw Failure(offset: position, reason: "a group ends that did not start")
    }
  }

  /// The range of a group whose start has been read.
  mutating func group(number: Int, depth: Int) throws(Failure) -> Range<Int> {
    guard depth < ProtoLimits.depth else {
      throw Failure(
        offset: position, reason: "messages are nested more than \(ProtoLimits.depth) deep")
    }
    let start = position
    while true {
      let before = position
      guard !isAtEnd else {
        throw Failure(offset: start, reason: "the group does not end")
      }
      let (inner, type) = try tag()
      if type == .end {
        guard inner == number else {
          throw Failure(offset: before, reason: "the end of another group")
        }
        return start..<before
      }
      try skip(type, number: inner, depth: depth + 1)
    }
  }
}
