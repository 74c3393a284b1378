internal import Foundations
internal import Patterns

/// The arguments of a call, whose number and kinds are known to be right.
struct FunctionArguments {
  private let arguments: [FunctionArgument]
  private let function: ExpressionFunction

  init(_ arguments: [FunctionArgument], of function: ExpressionFunction) {
    self.arguments = arguments
    self.function = function
  }

  var count: Int { arguments.count }

  /// The name of the function in messages: `lower()`.
  var caller: String { "\(function.name)()" }
  /// The form of a call.
  var usage: String { function.usage }

  /// A value; null for one that was left out.
  subscript(index: Int) -> Value {
    guard arguments.indices.contains(index), case .value(let value) = arguments[index] else {
      return .null
    }
    return value
  }

  /// The values from a place on.
  func values(from index: Int) -> [Value] { (index..<max(index, count)).map { self[$0] } }

  func text(_ index: Int) -> String { self[index].text ?? "" }

  /// A text that may be left out.
  func text(_ index: Int, default text: String) -> String { self[index].text ?? text }

  func list(_ index: Int) -> [Value] {
    if case .list(let elements) = self[index] { elements } else { [] }
  }

  /// A whole number; `nil` for one that was left out.
  func integer(_ index: Int) -> Int64? {
    if case .integer(let integer) = self[index] { integer } else { nil }
  }

  /// Returns the result of the lambda at a place for a value; the value itself where the lambda was
  /// left out.
  func apply(_ index: Int, _ value: Value) throws(PatternError) -> Value {
    guard arguments.indices.contains(index), case .lambda(let body) = arguments[index] else {
      return value
    }
    return try body([value])
  }

  /// Returns whether the lambda at a place holds for a value; its result must be true or false.
  func holds(_ index: Int, _ value: Value) throws(PatternError) -> Bool {
    guard case .bool(let holds) = try apply(index, value) else {
      throw PatternError(
        "\(caller) needs true or false of its lambda, not \(try apply(index, value).kindWithArticle)",
        help: "compare, as in x => x != null: \(usage)")
    }
    return holds
  }

  /// An error of the function.
  func error(_ message: String, help: String? = nil) -> PatternError {
    PatternError("\(caller) \(message)", help: help ?? "write \(usage)")
  }

  /// The error for an element that a function of lists cannot take.
  func badElement(_ element: Value, at index: Int, help: String) -> PatternError {
    error(
      "cannot take the list: its element \(index) is \(element.kindWithArticle)", help: help)
  }
}

extension Value {
  /// The text of a text.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
