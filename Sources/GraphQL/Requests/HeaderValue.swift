/// A media type or its like: a name and its parameters (RFC 9110, section 5.6.6).
package struct HeaderValue: Hashable {
  /// The name in lower case.
  package var name: String
  /// The parameters by their names in lower case.
  var parameters: [String: String] = [:]

  init(_ text: some StringProtocol) {
    var parts = Self.split(text, at: ";")
    name = parts.isEmpty ? "" : Self.trimmed(parts.removeFirst()).lowercased()
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { continue }
      let key = Self.trimmed(pair[0]).lowercased()
      if parameters[key] == nil { parameters[key] = Self.unquoted(Self.trimmed(pair[1])) }
    }
  }

  /// The elements of a list such as the value of `accept`.
  package static func list(_ text: String) -> [HeaderValue] {
    split(text, at: ",").map { HeaderValue($0) }.filter { !$0.name.isEmpty }
  }

  /// The weight of an element of `accept`, 0 to 1 (RFC 9110, section 12.4.2).
  package var weight: Double {
    parameters["q"].flatMap { Double($0) }.map { min(1, max(0, $0)) } ?? 1
  }

  /// Splits at a mark outside of quotes.
  private static func split(_ text: some StringProtocol, at mark: Character) -> [String] {
    var parts: [String] = []
    var part = ""
    var isQuoted = false
    var isEscaped = false
    for letter in text {
      if letter == mark, !isQuoted {
        parts.append(part)
        part = ""
        continue
      }
      if letter == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && letter == "\\" && !isEscaped
      part.append(letter)
    }
    return parts + [part]
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.reversed().drop { $0 == " " || $0 == "\t" }
    return String(end.reversed())
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    var result = ""
    var isEscaped = false
    for letter in text.dropFirst().dropLast() {
      if letter == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      isEscaped = false
      result.append(letter)
    }
    return result
  }
}
