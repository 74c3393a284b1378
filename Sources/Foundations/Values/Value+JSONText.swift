internal import OrderedCollections

extension Value {
  /// The value as JSON: keys in their order, the same text for the same value every time.
  ///
  /// A `pretty` text has two spaces of indentation and no final newline. A number that is not
  /// finite has no JSON form and is written as null.
  package func jsonText(pretty: Bool = false) -> String {
    var writer = JSONWriter(isPretty: pretty)
    writer.write(self)
    return writer.text
  }
}

extension Value: Codable {
  /// Reads the compact JSON text that `encode(to:)` writes.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(JSONParseError) {
      self = try JSONText.parse(text)
    } catch {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(error.line):\(error.column): \(error.message)")
    }
  }

  /// Writes the value as one string of compact JSON.
  ///
  /// An encoder's own maps would lose the keys' order.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(jsonText())
  }
}

private struct JSONWriter {
  var text = ""
  private let isPretty: Bool
  private var depth = 0

  init(isPretty: Bool) {
    self.isPretty = isPretty
  }

  mutating func write(_ value: Value) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += String(integer)
    case .number(let number): text += number.isFinite ? number.description : "null"
    case .string(let string): write(string)
    case .list(let elements):
      guard !elements.isEmpty else { return text += "[]" }
      text += "["
      depth += 1
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        breakLine()
        write(element)
      }
      depth -= 1
      breakLine()
      text += "]"
    case .map(let members):
      guard !members.isEmpty else { return text += "{}" }
      text += "{"
      depth += 1
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        breakLine()
        write(member.key)
        text += isPretty ? ": " : ":"
        write(member.value)
      }
      depth -= 1
      breakLine()
      text += "}"
    }
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    text += "\n" + String(repeating: "  ", count: depth)
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\u{0}"..<"\u{20}":
        text += "\\u00" + String(scalar.value, radix: 16).padded(to: 2)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
