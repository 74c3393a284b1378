package import Foundations

extension Template {
  /// Reads text with expressions: `Hello ${{ user.name }}!`, where `$${{` stands for a plain `${{`.
  ///
  /// `range` is where the text stands; the places of the expressions are counted from there.
  package init(text: String, at range: SourceRange) throws(Diagnostic) {
    self = try TemplateParser(text: text, places: TextPlaces(text, at: range)).parse()
  }

  /// The text, if there is no expression in it.
  package var literal: String? {
    guard segments.count == 1, case .literal(let text) = segments[0] else { return nil }
    return text
  }
}

/// Cuts text into literals and expressions.
package struct TemplateParser {
  private static let opening = Array("${{".unicodeScalars)
  private static let escape = Array("$${{".unicodeScalars)

  private let scalars: [Unicode.Scalar]
  private let places: TextPlaces

  /// Creates a parser of a text whose parts have the given places.
  package init(text: String, places: TextPlaces) {
    scalars = Array(text.unicodeScalars)
    self.places = places
  }

  /// Returns whether text needs a parser at all.
  package static func isNeeded(for text: String) -> Bool {
    text.mayHoldExpressions
  }

  /// Parses the text.
  package func parse() throws(Diagnostic) -> Template {
    var segments: [Template.Segment] = []
    var literal = String.UnicodeScalarView()
    var position = 0
    while position < scalars.count {
      if starts(with: Self.escape, at: position) {
        literal.append(contentsOf: Self.opening)
        position += Self.escape.count
      } else if starts(with: Self.opening, at: position) {
        if !literal.isEmpty { segments.append(.literal(String(literal))) }
        literal = String.UnicodeScalarView()
        var parser = ExpressionParser(
          scalars: scalars, from: position, behind: position + Self.opening.count, places: places)
        segments.append(.expression(try parser.parse()))
        position = parser.end
      } else {
        literal.append(scalars[position])
        position += 1
      }
    }
    if !literal.isEmpty || segments.isEmpty { segments.append(.literal(String(literal))) }
    return Template(segments: segments)
  }

  private func starts(with prefix: [Unicode.Scalar], at position: Int) -> Bool {
    position + prefix.count <= scalars.count
      && scalars[position..<(position + prefix.count)].elementsEqual(prefix)
  }
}
