/// A name between double braces without the "$" in front, as templates of other tools have it: `{{ user.name }}`,
/// `{{ user.name | upper }}`, `{{ now() }}`.
///
/// Here that is text. An author who writes it means an expression far more often, and a comparison with the text itself
/// fails for ever, or holds for ever behind `not`.
package struct ForeignTemplate: Hashable {
  /// The whole of it, braces included.
  package let text: String
  /// The text between the braces, without blanks around it.
  let path: String
  /// True if the name begins as expressions of this language do, and hardly any others.
  package let isOurs: Bool

  /// Names with which expressions of this language begin, and templates of others hardly ever do: those know an
  /// `env` and a `request`, too.
  private static let roots: Set<String> = [
    "build", "capture", "matrix", "scenario", "secrets", "vars",
  ]

  /// The first one in a text; `nil` if there is none.
  package init?(in text: String) {
    guard let found = Self.places(in: text, limit: 1).first else { return nil }
    self.text = String(String.UnicodeScalarView(found.text))
    path = String(String.UnicodeScalarView(found.path))
    let root = path.prefix { $0 != "." && $0 != "[" }
    isOurs = root.count < path.count && Self.roots.contains(String(root))
  }

  /// The place of a foreign template.
  private struct Place {
    var start: Int
    var text: ArraySlice<Unicode.Scalar>
    var path: ArraySlice<Unicode.Scalar>
  }

  /// The text with each of them written so that it is text for a reader of this language.
  static func shielded(_ text: String) -> String {
    let places = places(in: text, limit: .max)
    guard !places.isEmpty else { return text }
    var result = String.UnicodeScalarView()
    var position = 0
    let scalars = Array(text.unicodeScalars)
    for place in places {
      result.append(contentsOf: scalars[position..<place.start])
      result.append(contentsOf: "${{ '{{' }}".unicodeScalars)
      position = place.start + 2
    }
    result.append(contentsOf: scalars[position...])
    return String(result)
  }

  private static func places(in text: String, limit: Int) -> [Place] {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return [] }
    let scalars = Array(text.unicodeScalars)
    var places: [Place] = []
    var index = 0
    while index + 4 < scalars.count, places.count < limit {
      defer { index += 1 }
      guard scalars[index] == "{", scalars[index + 1] == "{",
        index == 0 || scalars[index - 1] != "$" && scalars[index - 1] != "{"
      else { continue }
      var start = index + 2
      while start < scalars.count, scalars[start] == " " { start += 1 }
      var end = start
      while end < scalars.count, isPartOfPath(scalars[end]) { end += 1 }
      var close = end
      while close < scalars.count, scalars[close] == " " { close += 1 }
      // `{{ name | filter }}`, `{{ function() }}`.
      if close < scalars.count, scalars[close] == "|" || scalars[close] == "(" {
        while close < scalars.count, !"{}\n".unicodeScalars.contains(scalars[close]) { close += 1 }
      }
      guard end > start, beginsName(scalars[start]), scalars[end - 1] != ".",
        close + 1 < scalars.count, scalars[close] == "}", scalars[close + 1] == "}"
      else { continue }
      places.append(
        Place(start: index, text: scalars[index..<(close + 2)], path: scalars[start..<end]))
      index = close + 1
    }
    return places
  }

  private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic
  }

  private static func isPartOfPath(_ scalar: Unicode.Scalar) -> Bool {
    beginsName(scalar) || ("0"..."9").contains(scalar) || scalar == "." || scalar == "["
      || scalar == "]"
  }
}

extension Template {
  /// Returns text, escaped for a place that takes expressions, so that it is read as itself.
  package static func shielded(_ text: String) -> String {
    ForeignTemplate.shielded(text.replacing("${{", with: "$${{"))
  }
}
