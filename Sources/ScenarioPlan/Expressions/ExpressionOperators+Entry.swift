internal import Foundations
internal import ScenarioModel

extension UnaryOperator {
  /// The operator's entry in the reference.
  var entry: ExpressionEntry {
    switch self {
    case .not:
      ExpressionEntry(
        name: "!", usage: "!a", summary: "The opposite of true or false.",
        example: .init("!(1 > 2)", "true"), mistake: .init("!0", "\"!\" cannot take a number"))
    case .minus:
      ExpressionEntry(
        name: "-", usage: "-a", summary: "The negative of a number.",
        example: .init("-len('ab')", "-2"), mistake: .init("-'a'", "\"-\" cannot take text"))
    }
  }
}

extension BinaryOperator {
  /// The operator's entry in the reference.
  var entry: ExpressionEntry {
    let (summary, expression, result, mistake, message) = description
    return ExpressionEntry(
      name: rawValue, usage: "a \(rawValue) b", summary: summary,
      example: .init(expression, result),
      mistake: mistake.isEmpty ? nil : .init(mistake, message))
  }

  private var description: (String, String, String, String, String) {
    switch self {
    case .coalesce: ("`a`, or `b` where `a` is null.", "null ?? 1", "1", "", "")
    case .or:
      (
        "Whether one of two holds; `b` is asked only if `a` does not.", "1 > 2 || 2 > 1", "true",
        "1 || true", "\"||\" is not defined for a number and a bool"
      )
    case .and:
      (
        "Whether both hold; `b` is asked only if `a` does.", "1 < 2 && 2 < 1", "false",
        "null && true", "\"&&\" is not defined for null and a bool"
      )
    case .equal:
      (
        "Whether two values are equal; null is compared with anything, all else like with like.",
        "1 == 1.0", "true", "1 == '1'", "\"==\" is not defined for a number and text"
      )
    case .unequal:
      (
        "Whether two values differ.", "'a' != 'b'", "true", "[1] != 1",
        "\"!=\" is not defined for a list and a number"
      )
    case .less:
      (
        "Whether a number or text comes before another.", "'a' < 'b'", "true", "1 < 'b'",
        "\"<\" is not defined for a number and text"
      )
    case .lessOrEqual: ("Whether `a` is less than or equal to `b`.", "2 <= 2", "true", "", "")
    case .greater: ("Whether `a` is greater than `b`.", "3 > 2", "true", "", "")
    case .greaterOrEqual:
      ("Whether `a` is greater than or equal to `b`.", "2 >= 3", "false", "", "")
    case .membership:
      (
        "Whether a list has an element, a map a key, or a text another text.", "'b' in ['a', 'b']",
        "true", "1 in 2", "\"in\" is not defined for a number and a number"
      )
    case .plus:
      (
        "The sum of numbers, or the concatenation of two texts or lists.", "'a' + string(1)",
        #""a1""#,
        "'a' + 1",
        "\"+\" is not defined for text and a number"
      )
    case .minus: ("The difference of numbers.", "3 - 0.5", "2.5", "", "")
    case .times:
      (
        "The product of numbers.", "3 * 2", "6", "3 * 'a'",
        "\"*\" is not defined for a number and text"
      )
    case .divided:
      (
        "The quotient of numbers: whole if there is no remainder, else a fraction; `div(a, b)` is always whole.",
        "7 / 2", "3.5", "1 / 0", "1 / 0 has no value"
      )
    case .remainder:
      (
        "The remainder of a division of whole numbers.", "7 % 2", "1", "7 % 0.5",
        "\"%\" takes two whole numbers"
      )
    }
  }
}
