internal import Foundations
internal import OrderedCollections
internal import Patterns

extension ExpressionFunction {
  func text(_ arguments: [Value]) throws(PatternError) -> Value {
    switch (self, arguments[0]) {
    case (.len, .string(let text)), (.length, .string(let text)):
      return .integer(Int64(text.count))
    case (.len, .list(let elements)), (.length, .list(let elements)):
      return .integer(Int64(elements.count))
    case (.len, .map(let members)), (.length, .map(let members)):
      return .integer(Int64(members.count))
    case (.lower, .string(let text)): return .string(text.lowercased())
    case (.upper, .string(let text)): return .string(text.uppercased())
    case (.trim, .string(let text)): return .string(Self.trimmed(text))
    case (.replace, .string(let text)):
      guard let old = arguments[1].text, let new = arguments[2].text else { break }
      guard !old.isEmpty else {
        throw PatternError("replace() cannot look for an empty text", help: signature.usage)
      }
      let count = text.ranges(of: old).count
      let more = (new.utf8.count - old.utf8.count).multipliedReportingOverflow(by: count)
      try ExpressionText.check(
        more.overflow ? .max : text.utf8.count + more.partialValue, "replace()")
      return .string(text.replacing(old, with: new))
    case (.split, .string(let text)):
      guard let separator = arguments[1].text else { break }
      guard !separator.isEmpty else { return .list(text.map { .string(String($0)) }) }
      return .list(
        text.split(separator: separator, omittingEmptySubsequences: false).map {
          .string(String($0))
        })
    case (.join, .list(let elements)):
      guard let separator = arguments[1].text else { break }
      var texts: [String] = []
      for (index, element) in elements.enumerated() {
        guard let text = element.textForm else {
          throw PatternError(
            "join() cannot take the list: its element \(index) is \(element.kindWithArticle)",
            help: "join texts, numbers and bools")
        }
        texts.append(text)
      }
      let between = separator.utf8.count.multipliedReportingOverflow(
        by: Swift.max(0, texts.count - 1))
      try ExpressionText.check(
        [between.overflow ? .max : between.partialValue] + texts.map(\.utf8.count), "join()")
      return .string(texts.joined(separator: separator))
    case (.pad, let value): return .string(try padded(value, arguments))
    case (.substr, .string(let text)): return .string(try part(of: text, arguments))
    case (.format, .string(let text)):
      return .string(try Self.filled(text, arguments.dropFirst()))
    default: break
    }
    throw mismatch(arguments[0].kinds, argument: 0, of: arguments.count)
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
    let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.endIndex
    return start < end ? String(text[start..<end]) : ""
  }

  /// A width below zero fills behind.
  private func padded(_ value: Value, _ arguments: [Value]) throws(PatternError) -> String {
    guard let text = value.textForm, case .integer(let width) = arguments[1] else { return "" }
    let fill = arguments.count > 2 ? arguments[2].text ?? "" : " "
    guard fill.count == 1 else {
      throw PatternError("pad() fills with one character, not \"\(fill)\"", help: signature.usage)
    }
    // One character may be of several bytes.
    guard width.magnitude <= UInt64(ExpressionText.limit) else {
      throw ExpressionText.tooLong("pad()")
    }
    let missing = Swift.max(0, Int(width.magnitude) - text.count)
    let filled = missing.multipliedReportingOverflow(by: fill.utf8.count)
    try ExpressionText.check(
      [text.utf8.count, filled.overflow ? .max : filled.partialValue], "pad()")
    let filling = String(repeating: fill, count: missing)
    return width < 0 ? text + filling : filling + text
  }

  /// Places count from 0; a negative one counts from the end.
  private func part(of text: String, _ arguments: [Value]) throws(PatternError) -> String {
    guard case .integer(let start) = arguments[1] else { return "" }
    let count = Int64(text.count)
    let first = Swift.min(Swift.max(start < 0 ? count &+ start : start, 0), count)
    var length = count - first
    if arguments.count > 2, case .integer(let wanted) = arguments[2] {
      guard wanted >= 0 else {
        throw PatternError("substr() cannot take \(wanted) characters", help: signature.usage)
      }
      length = Swift.min(length, wanted)
    }
    return String(text.dropFirst(Int(first)).prefix(Int(length)))
  }

  /// Fills `{0}`, `{1}`; `{{` and `}}` stand for braces.
  private static func filled(
    _ text: String, _ values: ArraySlice<Value>
  ) throws(PatternError) -> String {
    var result = ""
    var rest = Substring(text)
    while let letter = rest.popFirst() {
      if letter == "{" || letter == "}", rest.first == letter {
        rest.removeFirst()
        result.append(letter)
        continue
      }
      guard letter == "{" else {
        result.append(letter)
        continue
      }
      guard let end = rest.firstIndex(of: "}"), let index = Int(rest[..<end]), index >= 0 else {
        throw PatternError(
          "format() cannot read \"\(text)\"",
          help: "write places as {0} and {1}, and a brace twice for itself")
      }
      guard index < values.count, let value = values[values.startIndex + index].textForm else {
        throw PatternError(
          "format() has no value for \"{\(index)}\"", help: "places count from {0}")
      }
      try ExpressionText.check([result.utf8.count, value.utf8.count], "format()")
      result += value
      rest = rest[rest.index(after: end)...]
    }
    return result
  }

  // MARK: - Encodings

  func encoding(_ arguments: [Value]) throws(PatternError) -> Value {
    switch (self, arguments[0]) {
    case (.json, let value): return .string(value.jsonText())
    case (.parse_json, .string(let text)):
      do throws(JSONParseError) {
        return try JSONText.parse(text)
      } catch {
        throw PatternError(
          "parse_json() cannot read the text: \(error.line):\(error.column): \(error.message)",
          help: "hand it JSON")
      }
    case (.base64, .string(let text)): return .string(Base64.encoded(Array(text.utf8)))
    case (.hex, .integer(let integer)):
      return .string(String(integer, radix: 16))
    case (.hex, .string(let text)): return .string(text.utf8.hexadecimal)
    case (.sha256, .string(let text)):
      return .string(SecureDigest.sha256(text.utf8))
    case (.url_encode, .string(let text)): return .string(PercentEncoding.encodedQuery(text))
    case (.uuid5, .string(let space)):
      guard let namespace = UUIDText.namespace(space) else {
        throw PatternError(
          "\"\(space)\" is no namespace", help: "write 'dns', 'url', 'oid', 'x500' or a UUID")
      }
      return .string(UUIDText.version5(namespace, arguments[1].text ?? ""))
    case (.keys, .map(let members)): return .list(members.keys.map(Value.string))
    case (.values, .map(let members)): return .list(Array(members.values))
    default: throw mismatch(arguments[0].kinds, argument: 0, of: arguments.count)
    }
  }
}

extension Value {
  /// The text of a text.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
