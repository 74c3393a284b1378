internal import Foundations

/// Changes the strings of a JSON text that are values, and leaves everything else as it is, byte for byte.
struct JSONStringRewriter {
  /// Returns the new text of a string, by its own and the key in front of it.
  let rewrite: (_ text: String, _ key: String) -> String

  /// The text with its strings changed; `nil` if none has.
  func rewritten(_ json: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var position = 0
    var index = 0
    var key = ""
    while index < json.count {
      guard json[index] == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      let end = Self.end(of: json, from: index)
      let content = json[(index + 1)..<max(index + 1, end - 1)]
      let text = Self.text(content)
      if end < json.count, json[end] == UInt8(ascii: ":") {
        key = text
      } else {
        let changed = rewrite(text, key)
        if changed != text {
          result += json[position..<index]
          result += Array(Value.string(changed).jsonText().utf8)
          position = end
        }
      }
      index = end
    }
    return position == 0 ? nil : result + json[position...]
  }

  /// Returns the end of the string whose quote is at `start`: behind the other quote.
  private static func end(of json: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < json.count, json[index] != UInt8(ascii: "\"") {
      index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, json.count)
  }

  private static func text(_ content: ArraySlice<UInt8>) -> String {
    guard content.contains(UInt8(ascii: "\\")) else {
      return String(decoding: content, as: UTF8.self)
    }
    return String(decoding: DecodedText(Array(content), .backslash).bytes, as: UTF8.self)
  }
}
