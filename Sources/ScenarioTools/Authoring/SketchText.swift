internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// Pieces of the text of a generated scenario.
enum SketchText {
  /// A key with a condition on text, with the line's end.
  ///
  /// - Parameters:
  ///   - key: As it is written.
  ///   - other: A condition that holds as well; `nil` for none.
  static func matcher(
    _ key: String, _ expectation: OutputTemplate.Expectation, beside other: String? = nil,
    indentation: Int = 2
  ) -> String {
    let margin = String(repeating: " ", count: indentation)
    if case .equals(let text) = expectation, other == nil, !PlaceMark.needPattern(in: text) {
      return "\(margin)\(key):\(value(text, indentation: indentation + 2))"
    }
    let lines = (other.map { ["\($0)\n"] } ?? []) + conditions(expectation, indentation + 2)
    guard let first = lines.first else { return "" }
    return lines.count == 1 && other == nil && !first.dropLast().contains("\n")
      ? "\(margin)\(key): { \(first.dropLast()) }\n"
      : "\(margin)\(key):\n" + lines.map { "\(margin)  \($0)" }.joined()
  }

  /// The conditions below a key, each with its line's end, and what is below it at its place.
  private static func conditions(
    _ expectation: OutputTemplate.Expectation, _ indentation: Int
  ) -> [String] {
    let margin = String(repeating: " ", count: indentation + 2)
    switch expectation {
    case .empty: return ["empty: true\n"]
    case .anything: return ["not: { empty: true }\n"]
    case .unknown: return []
    case .equals(let text) where PlaceMark.needPattern(in: text):
      return conditions(.lines(PlannedMatcher.lines(of: text).map { .text($0) }), indentation)
    case .equals(let text): return ["equals:\(value(text, indentation: indentation + 2))"]
    case .unordered(let lines):
      var reported: Set<String> = [""]
      let parts = lines.filter { reported.insert($0).inserted }.map {
        "\(margin)- \(part($0))\n"
      }
      return ["all_of:\n\(margin)- line_count: \(lines.count)\n\(parts.joined())"]
    case .contains(let parts):
      guard parts.count != 1 else { return ["\(part(parts[0]))\n"] }
      let list = parts.map { "{ \(part($0)) }" }
      return ["all_of: [\(list.joined(separator: ", "))]\n"]
    case .lines(let lines):
      let list = lines.map { line -> String in
        switch line {
        case .text(let text): "\(margin)- \(condition(text))\n"
        case .pattern(let pattern): "\(margin)- { \(matches(pattern)) }\n"
        }
      }
      return ["lines:\n" + list.joined()]
    }
  }

  /// The condition that a line is this text.
  static func condition(_ text: String) -> String {
    PlaceMark.needPattern(in: text)
      ? "{ \(matches("^\(GeneralizedPattern.escaped(text))$")) }" : quoted(text)
  }

  /// The condition that a text has this part.
  private static func part(_ text: String) -> String {
    PlaceMark.needPattern(in: text)
      ? matches(GeneralizedPattern.escaped(text)) : "contains: \(quoted(text))"
  }

  /// The condition that a text matches a regular expression, in which no expression can stand for a path.
  private static func matches(_ pattern: String) -> String {
    "matches: \(quoted(PlaceMark.matched(pattern)))"
  }

  /// Returns the text behind a colon, with the line's end.
  static func value(_ text: String, indentation: Int) -> String {
    let literal = escaped(text)
    if let block = YAMLQuoting.block(literal, indentation: indentation) { return " \(block)\n" }
    return " \(written(literal))\n"
  }

  /// A text that means itself, in quotes where it needs them.
  static func quoted(_ text: String) -> String { written(escaped(text)) }

  /// Returns a text as one line of YAML, valid at any place: without quotes where it means the
  /// same, else in double ones.
  static func written(_ text: String) -> String {
    let isPlain =
      text.contains(where: \.isLetter) && !text.hasPrefix("- ") && !text.hasPrefix("---")
      && !text.hasPrefix("...")
      && YAMLQuoting.isPlain(text, beginning: "_/.-", marks: " _./+-=@")
    return isPlain ? text : YAMLQuoting.quoted(text)
  }

  /// An expression's beginning that is meant as text.
  private static func escaped(_ text: String) -> String {
    PlaceMark.expressed(Template.shielded(text))
  }
}
