internal import Foundations
internal import ScenarioModel

/// Pieces of the text of a generated scenario.
enum SketchText {
  /// The character that replaces the target's working directory in texts, which differs in each
  /// run.
  static let folder = "\u{E000}"

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
    if let other {
      let head = "\(margin)\(key):\n\(margin)  \(other)\n"
      switch expectation {
      case .empty: return head + "\(margin)  empty: true\n"
      case .anything: return head + "\(margin)  empty: false\n"
      case .unknown: return head
      case .equals: return head + matcher("equals", expectation, indentation: indentation + 2)
      case .contains(let parts):
        return head + "\(margin)  contains: [\(parts.map(quoted).joined(separator: ", "))]\n"
      case .unordered, .lines:
        let lines = matcher(key, expectation, indentation: indentation).split(
          separator: "\n", maxSplits: 1)
        return head + (lines.last ?? "")
      }
    }
    switch expectation {
    case .empty: return "\(margin)\(key): { empty: true }\n"
    case .anything: return "\(margin)\(key): { not: { empty: true } }\n"
    case .unknown: return ""
    case .equals(let text):
      return "\(margin)\(key):\(value(text, indentation: indentation + 2))"
    case .unordered(let lines):
      var reported: Set<String> = [""]
      let conditions = lines.filter { reported.insert($0).inserted }.map {
        "\(margin)    - contains: \(quoted($0))\n"
      }
      return "\(margin)\(key):\n\(margin)  all_of:\n\(margin)    - line_count: \(lines.count)\n"
        + conditions.joined()
    case .contains(let parts):
      let list = parts.map { "{ contains: \(quoted($0)) }" }
      return parts.count == 1
        ? "\(margin)\(key): \(list[0])\n"
        : "\(margin)\(key): { all_of: [\(list.joined(separator: ", "))] }\n"
    case .lines(let lines):
      let list = lines.map { line -> String in
        switch line {
        case .text(let text): "\(margin)    - \(quoted(text))\n"
        case .pattern(let pattern):
          // No expression can stand in a regular expression.
          "\(margin)    - { matches: \(quoted(pattern.replacing(folder, with: #"\S*"#))) }\n"
        }
      }
      return "\(margin)\(key):\n\(margin)  lines:\n" + list.joined()
    }
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
  /// same, in single quotes where that saves escapes, else in double ones.
  static func written(_ text: String) -> String {
    let isPlain =
      text.contains(where: \.isLetter) && !text.hasPrefix("- ") && !text.hasPrefix("---")
      && !text.hasPrefix("...")
      && YAMLQuoting.isPlain(text, beginning: "_/.-", marks: " _./+-=@")
    if isPlain { return text }
    let hasEscapes = text.contains("\"") || text.contains("\\")
    let isPrintable = text.unicodeScalars.allSatisfy(YAMLQuoting.isPrintable)
    return hasEscapes && isPrintable && !text.contains("'") ? "'\(text)'" : YAMLQuoting.quoted(text)
  }

  /// An expression's beginning that is meant as text.
  private static func escaped(_ text: String) -> String {
    Template.shielded(text)
      .replacing(folder, with: "${{ dir }}")
  }
}
