internal import Foundations

/// An expression between double braces without the "$" in front, as templates of other tools have it: `{{ user.name }}`,
/// `{{ user.name | upper }}`, `{{ now() }}`, `{{- x }}`, `{{{ x }}}`.
///
/// Here that is text. An author who writes it means an expression far more often, and a comparison with the text itself
/// fails for ever, or holds for ever behind `not`.
package struct ForeignTemplate: Hashable {
  /// The whole of it, braces included.
  package let text: String
  /// The expression that means the same, filters as functions; `nil` if there is none.
  package let expression: String?
  /// What to write in place of filters that no functions of the same names replace; `nil` if that is no matter.
  package let filterHelp: String?

  /// Names with which expressions of this language begin, and templates of others hardly ever do: those know an
  /// `env` and a `request`, too.
  static let roots: Set<String> = [
    "build", "capture", "clock", "matrix", "scenario", "secrets", "targets", "vars", "with",
  ]

  /// The first one in a text; `nil` if there is none.
  ///
  /// - Parameter oursAlone: whether only one counts that is an expression of this language.
  package init?(in text: String, oursAlone: Bool = false) {
    let places = Self.places(in: text, limit: oursAlone ? .max : 1)
    guard let found = places.first(where: { $0.isOurs || !oursAlone }) else { return nil }
    self.text = String(String.UnicodeScalarView(found.text))
    let content = String(String.UnicodeScalarView(found.content))
    let isExpression = ExpressionParser.expression(in: content) != nil
    let chain = isExpression ? nil : FilterChain(in: Array("\(content)}}".unicodeScalars), from: 0)
    expression = isExpression ? content : chain?.expression
    filterHelp = expression == nil ? chain?.help : nil
  }

  /// The place of a foreign template.
  private struct Place {
    var start: Int
    var text: ArraySlice<Unicode.Scalar>
    var content: ArraySlice<Unicode.Scalar>
    var isOurs: Bool
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

  /// The longest expression that is looked for, in characters.
  private static let lengthLimit = 500

  private static func places(in text: String, limit: Int) -> [Place] {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return [] }
    let scalars = Array(text.unicodeScalars)
    var places: [Place] = []
    var index = 0
    while index + 4 < scalars.count, places.count < limit {
      guard scalars[index] == "{", scalars[index + 1] == "{" else {
        index += 1
        continue
      }
      let isEscaped = index > 0 && scalars[index - 1] == "$"
      var start = index + 2
      while start < scalars.count, scalars[start] == "{" { start += 1 }
      guard !isEscaped, start - index <= 3,
        let place = place(in: scalars, from: index, behind: start)
      else {
        index = start
        continue
      }
      places.append(place)
      index = place.text.endIndex
    }
    return places
  }

  /// The template whose braces begin at a place.
  private static func place(
    in scalars: [Unicode.Scalar], from start: Int, behind opening: Int
  ) -> Place? {
    var close = opening
    while close < scalars.count, scalars[close] != "\n", close - opening < lengthLimit,
      !(scalars[close] == "}" && close + 1 < scalars.count && scalars[close + 1] == "}")
    { close += 1 }
    guard close + 1 < scalars.count, scalars[close] == "}" else { return nil }
    var end = close + 2
    if opening - start == 3, end < scalars.count, scalars[end] == "}" { end += 1 }
    let content = trimmed(scalars[opening..<close])
    let expression = ExpressionParser.expression(in: String(String.UnicodeScalarView(content)))
    let path = content.prefix(while: isPartOfPath)
    guard isName(path, followedBy: content[path.endIndex...]) || expression?.roots.isEmpty == false
    else { return nil }
    return Place(
      start: start, text: scalars[start..<end], content: content,
      isOurs: isOurs(path) || expression.map(isOurs) ?? false)
  }

  /// The text between the braces without blanks, and without the signs by which other tools trim what is around.
  private static func trimmed(_ content: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    var content = content
    if let first = content.first, first == "-" || first == "~" { content.removeFirst() }
    if let last = content.last, last == "-" || last == "~" { content.removeLast() }
    while content.first == " " { content.removeFirst() }
    while content.last == " " { content.removeLast() }
    return content
  }

  /// Returns whether a path is one that templates have: alone, behind `|` filtered, or called.
  private static func isName(
    _ path: ArraySlice<Unicode.Scalar>, followedBy rest: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = path.first, beginsName(first), path.last != "." else { return false }
    guard let next = rest.first(where: { $0 != " " }) else { return true }
    return (next == "|" || next == "(") && !rest.contains { $0 == "{" || $0 == "}" }
  }

  private static func isOurs(_ path: ArraySlice<Unicode.Scalar>) -> Bool {
    let root = path.prefix { $0 != "." && $0 != "[" }
    return root.count < path.count && roots.contains(String(String.UnicodeScalarView(root)))
  }

  private static func isOurs(_ expression: Expression) -> Bool {
    if case .path(_, let steps) = expression, steps.isEmpty { return false }
    return !roots.isDisjoint(with: expression.roots)
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
