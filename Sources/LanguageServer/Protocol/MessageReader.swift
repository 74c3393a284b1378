package import Foundations

/// Cuts what a client sends into messages: a header, a blank line, and JSON of the length that the header says
/// (LSP 3.17, base protocol).
package struct MessageReader: Sendable {
  /// A unit that was cut out of the stream.
  package enum Event: Sendable {
    /// A message.
    case message(Value)
    /// There is none, for this reason: lower case, no full stop.
    case nonsense(String)
  }

  /// A longer message is passed over: no scenario file is so large, escaped as it may be.
  package static let sizeLimit = 256 << 20
  /// A header has two lines at most.
  private static let headerLimit = 4096
  private static let lengthName = "content-length"

  private var buffer: [UInt8] = []
  /// The number of bytes of the buffer that have been read.
  private var position = 0
  /// The number of bytes of a message that is too long which are still to come.
  private var passedOver = 0
  /// True until a header was found again behind nonsense, which is reported once.
  private var isLost = false

  /// Creates a reader that has read nothing.
  package init() {}

  /// True if a message has begun and is not complete.
  package var isWithinMessage: Bool { position < buffer.count || passedOver > 0 }

  /// Adds bytes as they come.
  package mutating func take(_ bytes: some Sequence<UInt8>) {
    if position > 0 {
      buffer.removeSubrange(..<position)
      position = 0
    }
    buffer += bytes
  }

  /// The next message; `nil` if it has not come as a whole.
  package mutating func next() -> Event? {
    while true {
      if passedOver > 0 {
        let count = min(passedOver, buffer.count - position)
        position += count
        passedOver -= count
        guard passedOver == 0 else { return nil }
      }
      if isLost {
        guard findHeader() else { return nil }
        isLost = false
      }
      guard let end = headerEnd() else {
        guard buffer.count - position > Self.headerLimit || !mayBeHeader else { return nil }
        return lose("a message must start with \"Content-Length: N\" and a blank line")
      }
      guard let length = length(of: buffer[position..<end.lowerBound]) else {
        return lose("the header has no \"Content-Length: N\"")
      }
      guard length <= Self.sizeLimit else {
        position = end.upperBound
        passedOver = length
        return .nonsense("the message has \(length) bytes, more than \(Self.sizeLimit)")
      }
      guard buffer.count - end.upperBound >= length else { return nil }
      let content = Array(buffer[end.upperBound..<(end.upperBound + length)])
      position = end.upperBound + length
      do throws(JSONParseError) {
        return .message(try JSONText.parse(utf8: content))
      } catch {
        return .nonsense("the message is not JSON: \(error.line):\(error.column): \(error.message)")
      }
    }
  }

  private mutating func lose(_ message: String) -> Event {
    isLost = true
    // What stands there is no header.
    position = min(position + 1, buffer.count)
    return .nonsense(message)
  }

  /// Skips to the next place where a header may begin; false if there is none yet.
  private mutating func findHeader() -> Bool {
    let name = Array(Self.lengthName.utf8)
    while position < buffer.count {
      let rest = buffer[position...].prefix(name.count)
      if zip(rest, name).allSatisfy({ $0 | 0x20 == $1 }) { return rest.count == name.count }
      position += 1
    }
    return false
  }

  /// Returns whether what has come may be the beginning of a header: words of ASCII with a colon.
  private var mayBeHeader: Bool {
    buffer[position...].prefix(Self.headerLimit).allSatisfy {
      $0 == 0x0D || $0 == 0x0A || (0x20...0x7E).contains($0)
    } && !buffer[position...].starts(with: [UInt8(ascii: "{")])
  }

  /// The blank line behind a header.
  private func headerEnd() -> Range<Int>? {
    var place = position
    let limit = min(buffer.count, position + Self.headerLimit)
    while place + 3 < limit {
      if buffer[place] == 0x0D, buffer[place + 1] == 0x0A, buffer[place + 2] == 0x0D,
        buffer[place + 3] == 0x0A
      {
        return place..<(place + 4)
      }
      place += 1
    }
    return nil
  }

  private func length(of header: ArraySlice<UInt8>) -> Int? {
    for line in header.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2,
        String(decoding: parts[0], as: UTF8.self).lowercased() == Self.lengthName
      else { continue }
      let digits = parts[1].drop { $0 == 0x20 }
      guard let length = Int(String(decoding: digits, as: UTF8.self)), length >= 0 else {
        return nil
      }
      return length
    }
    return nil
  }
}
