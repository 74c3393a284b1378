internal import OrderedCollections
internal import ScenarioModel

/// A function of the language.
enum ExpressionFunction: String, CaseIterable {
  case length
  case lower
  case trim
  case upper

  /// Applies the function to its one argument.
  func callAsFunction(_ argument: Value) throws(PatternError) -> Value {
    switch (self, argument) {
    case (.length, .string(let text)): return .integer(Int64(text.count))
    case (.length, .list(let elements)): return .integer(Int64(elements.count))
    case (.length, .map(let members)): return .integer(Int64(members.count))
    case (.lower, .string(let text)): return .string(text.lowercased())
    case (.upper, .string(let text)): return .string(text.uppercased())
    case (.trim, .string(let text)):
      let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
      let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.endIndex
      return .string(String(text[start..<end]))
    default:
      throw PatternError(
        "\(rawValue)() cannot take \(argument.kindWithArticle)",
        help: self == .length ? "hand it text, a list or a map" : "hand it text")
    }
  }

  static func unknown(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "unknown function \"\(name.value)\"", at: name.range,
      help: Suggestion.help(
        for: name.value, in: allCases.map(\.rawValue), label: "known functions"))
  }
}
