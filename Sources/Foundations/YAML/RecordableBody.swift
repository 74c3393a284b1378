/// The form in which the language writes a message's body without loss.
package enum RecordableBody: Sendable, Hashable {
  /// No body.
  case empty
  /// JSON whose meaning is kept when it is written anew.
  case json(Value)
  /// Text.
  case text(String)
  /// Any other body.
  case bytes([UInt8])

  /// Recognizes a body.
  ///
  /// JSON is taken as JSON if its media type does not say something else, and if writing it anew
  /// changes no more than white space and escapes: `1.10`, repeated keys and numbers beyond 64 bits
  /// stay text.
  package init(_ bytes: [UInt8], mediaType: String?) {
    guard !bytes.isEmpty else {
      self = .empty
      return
    }
    let isOtherType = mediaType.map { !$0.lowercased().contains("json") } ?? false
    if !isOtherType, let value = Self.faithfulJSON(bytes) {
      self = .json(value)
    } else if let text = String(validating: bytes, as: UTF8.self), Self.isPlain(text) {
      self = .text(text)
    } else {
      self = .bytes(bytes)
    }
  }

  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar != "\u{FEFF}"
        && !(0xFFFE...0xFFFF).contains(scalar.value)
        || scalar == "\n" || scalar == "\t" || scalar == "\r" || YAMLQuoting.isFormerBreak(scalar)
    }
  }

  /// The value of a JSON text that the language can write.
  static func faithfulJSON(_ bytes: [UInt8]) -> Value? {
    guard let value = try? JSONText.parse(utf8: bytes), isWritable(value, depth: 0),
      compact(bytes) == Array(value.jsonText().utf8)
    else { return nil }
    return value
  }

  /// Generators begin with "$", and data nests less deep than JSON may.
  private static func isWritable(_ value: Value, depth: Int) -> Bool {
    guard depth < YAMLLimits().depth - 16 else { return false }
    switch value {
    case .list(let values):
      return values.allSatisfy { isWritable($0, depth: depth + 1) }
    case .map(let members):
      return members.allSatisfy { key, value in
        !key.hasPrefix("$") && !key.contains("${{") && key != "<<" && key.utf8.count <= 512
          && isPlain(key) && isWritable(value, depth: depth + 1)
      }
    default: return true
    }
  }

  /// The text without white space between its tokens, strings written as this project writes them.
  private static func compact(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        var end = index + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
          end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count,
          let string = try? JSONText.parse(utf8: Array(bytes[index...end]))
        else { return nil }
        result += Array(string.jsonText().utf8)
        index = end + 1
      } else {
        if ![0x20, 0x0A, 0x0D, 0x09].contains(byte) { result.append(byte) }
        index += 1
      }
    }
    return result
  }
}
