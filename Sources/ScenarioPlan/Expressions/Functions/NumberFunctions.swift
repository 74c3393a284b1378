internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioModel

extension ExpressionFunction {
  static let numbers: [ExpressionFunction] = [
    ExpressionFunction(
      "int", .numbers, [.value("x", [.text, .integer, .fraction])], gives: .integer,
      "A whole number from digits, or from a number, truncated toward zero.",
      example: Example("int('42') + int(1.9)", "43"),
      mistake: Example("int('x')", "int() cannot read \"x\"")
    ) { (arguments) throws(PatternError) in .integer(try whole(arguments)) },
    ExpressionFunction(
      "float", .numbers, [.value("x", [.text, .integer, .fraction])], gives: .fraction,
      "A number with a fraction, of digits or of a whole number.",
      example: Example("float('1.5')", "1.5"),
      mistake: Example("float('1,5')", "float() cannot read \"1,5\"")
    ) { (arguments) throws(PatternError) in .number(try fraction(arguments)) },
    ExpressionFunction(
      "bool", .numbers, [.value("x", [.text, .bool])], gives: .bool,
      "The truth value that a text names: `true` or `false`.",
      example: Example("bool('true')", "true"),
      mistake: Example("bool('yes')", "bool() cannot read \"yes\"")
    ) { (arguments) throws(PatternError) in
      if case .bool = arguments[0] { return arguments[0] }
      guard let bool = Bool(arguments.text(0)) else {
        throw arguments.error(
          "cannot read \"\(arguments.text(0))\"", help: "hand it 'true' or 'false'")
      }
      return .bool(bool)
    },
    ExpressionFunction(
      "abs", .numbers, [.value("x", .number)], result: numberOfFirst,
      "The number without its sign.", example: Example("abs(-3)", "3"),
      mistake: Example("abs('3')", "abs() cannot take text"),
      .eager { (arguments) throws(PatternError) in
        switch arguments[0] {
        case .integer(let integer) where integer < 0: try UnaryOperator.minus(.integer(integer))
        case .number(let number): .number(number.magnitude)
        default: arguments[0]
        }
      }),
    ExpressionFunction(
      "round", .numbers,
      [.value("x", .number), .value("digits", .integer, isOptional: true)], gives: .number,
      "The nearest whole number, or the nearest with so many digits after the decimal point; halves go away from 0.",
      example: Example("round(2.345, 1)", "2.3"),
      mistake: Example("round(1.5, 20)", "round() keeps 0 to 15 digits, not 20")
    ) { (arguments) throws(PatternError) in try rounded(arguments) },
    ExpressionFunction(
      "floor", .numbers, [.value("x", .number)], gives: .integer,
      "The greatest whole number that is not greater.", example: Example("floor(-1.5)", "-2"),
      mistake: Example("floor(1e30)", "floor() of 1e+30 leaves the range of whole numbers")
    ) { (arguments) throws(PatternError) in
      guard case .number(let number) = arguments[0] else { return arguments[0] }
      return .integer(try exactly(number.rounded(.down), of: number, arguments))
    },
    ExpressionFunction(
      "ceil", .numbers, [.value("x", .number)], gives: .integer,
      "The least whole number that is not less.", example: Example("ceil(7 / 2)", "4"),
      mistake: Example("ceil(true)", "ceil() cannot take a bool")
    ) { (arguments) throws(PatternError) in
      guard case .number(let number) = arguments[0] else { return arguments[0] }
      return .integer(try exactly(number.rounded(.up), of: number, arguments))
    },
    ExpressionFunction(
      "div", .numbers, [.value("a", .integer), .value("b", .integer)], gives: .integer,
      "How often `b` goes into `a`, without what is left over, which `a % b` gives.",
      example: Example("div(7, 2)", "3"), mistake: Example("div(7, 0)", "div() cannot divide by 0")
    ) { (arguments) throws(PatternError) in
      let (a, b) = (arguments.integer(0) ?? 0, arguments.integer(1) ?? 1)
      guard b != 0 else {
        throw arguments.error("cannot divide by 0", help: "ask before: case(b == 0, 0, div(a, b))")
      }
      let (result, overflow) = a.dividedReportingOverflow(by: b)
      guard !overflow else { throw arguments.error("leaves the range of whole numbers") }
      return .integer(result)
    },
    ExpressionFunction(
      "min", .numbers, [.value("a", [.integer, .fraction, .list])], more: .number,
      result: extremeKinds, "The least of some numbers, or of those of a list.",
      example: Example("min(3, 1.5, 2)", "1.5"),
      mistake: Example("min([])", "min() of nothing has no value"),
      .eager { (arguments) throws(PatternError) in try extreme(arguments, .less) }),
    ExpressionFunction(
      "max", .numbers, [.value("a", [.integer, .fraction, .list])], more: .number,
      result: extremeKinds, "The greatest of some numbers, or of those of a list.",
      example: Example("max([3, 1, 2])", "3"),
      mistake: Example("max(['a'])", "max() cannot take the list: its element 0 is text"),
      .eager { (arguments) throws(PatternError) in try extreme(arguments, .greater) }),
  ]

  private static let numberOfFirst: @Sendable ([ValueKinds]) -> ValueKinds = { kinds in
    let number = kinds.first?.intersection(.number) ?? []
    return number.isEmpty ? .number : number
  }

  /// The kinds of an extreme value; that of a list is known once the list is.
  private static let extremeKinds: @Sendable ([ValueKinds]) -> ValueKinds = { kinds in
    kinds.contains { $0.contains(.list) } ? .number : numberOfFirst(kinds)
  }

  private static func extreme(
    _ arguments: FunctionArguments, _ sign: BinaryOperator
  ) throws(PatternError) -> Value {
    var values = arguments.values(from: 0)
    if case .list(let elements) = arguments[0] { values = elements + values.dropFirst() }
    guard var best = values.first else {
      throw arguments.error("of nothing has no value", help: "hand it numbers")
    }
    for (index, value) in values.enumerated() {
      guard value.double != nil else {
        throw arguments.badElement(value, at: index, help: "hand it numbers")
      }
      if try sign(value, best) == .bool(true) { best = value }
    }
    return best
  }

  private static func rounded(_ arguments: FunctionArguments) throws(PatternError) -> Value {
    guard let digits = arguments.integer(1) else {
      guard case .number(let number) = arguments[0] else { return arguments[0] }
      return .integer(try exactly(number.rounded(), of: number, arguments))
    }
    guard (0...15).contains(digits) else {
      throw arguments.error("keeps 0 to 15 digits, not \(digits)")
    }
    guard case .number(let number) = arguments[0] else { return arguments[0] }
    let scale = Glibc.pow(10, Double(digits))
    let scaled = (number * scale).rounded() / scale
    return .number(scaled.isFinite ? scaled : number)
  }

  private static func exactly(
    _ whole: Double, of number: Double, _ arguments: FunctionArguments
  ) throws(PatternError) -> Int64 {
    guard let integer = Int64(exactly: whole) else {
      throw arguments.error(
        "of \(number) leaves the range of whole numbers", help: "use a smaller number")
    }
    return integer
  }

  private static func whole(_ arguments: FunctionArguments) throws(PatternError) -> Int64 {
    switch arguments[0] {
    case .integer(let integer): return integer
    case .number(let number): return try exactly(number.rounded(.towardZero), of: number, arguments)
    default:
      guard let integer = Int64(arguments.text(0)) else {
        throw arguments.error(
          "cannot read \(arguments[0].excerpt())", help: "hand it digits, such as '42'")
      }
      return integer
    }
  }

  private static func fraction(_ arguments: FunctionArguments) throws(PatternError) -> Double {
    if let number = arguments[0].double { return number }
    guard let number = Double(arguments.text(0)), number.isFinite else {
      throw arguments.error(
        "cannot read \(arguments[0].excerpt())", help: "hand it a number, such as '1.5'")
    }
    return number
  }
}
