internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioModel

extension ExpressionFunction {
  func number(_ arguments: [Value]) throws(PatternError) -> Value {
    switch (self, arguments[0]) {
    case (.int, let value): return .integer(try whole(value))
    case (.float, let value): return .number(try fraction(value))
    case (.string, let value): return .string(value.textForm ?? "")
    case (.bool, .bool(let bool)): return .bool(bool)
    case (.bool, .string(let text)):
      guard let bool = Bool(text) else {
        throw PatternError("bool() cannot read \"\(text)\"", help: "hand it 'true' or 'false'")
      }
      return .bool(bool)
    case (.abs, .integer(let integer)):
      return integer < 0 ? try UnaryOperator.minus(.integer(integer)) : .integer(integer)
    case (.abs, .number(let number)): return .number(number.magnitude)
    case (.floor, .integer(let integer)): return .integer(integer)
    case (.floor, .number(let number)):
      return .integer(try exactly(number.rounded(.down), of: number))
    case (.round, let value): return try rounded(value, arguments)
    case (.sum, .list(let elements)):
      var sum = Value.integer(0)
      for (index, element) in elements.enumerated() {
        try check(element, at: index)
        sum = try BinaryOperator.plus(sum, element)
      }
      return sum
    case (.min, .list(let elements)), (.max, .list(let elements)):
      return try extreme(elements + arguments.dropFirst())
    case (.min, _), (.max, _): return try extreme(arguments)
    default: throw mismatch(arguments[0].kinds, argument: 0, of: arguments.count)
    }
  }

  private func check(_ element: Value, at index: Int) throws(PatternError) {
    guard element.double != nil else {
      throw PatternError(
        "\(rawValue)() cannot take the list: its element \(index) is \(element.kindWithArticle)",
        help: "hand it numbers")
    }
  }

  private func extreme(_ values: [Value]) throws(PatternError) -> Value {
    guard var best = values.first else {
      throw PatternError("\(rawValue)() of nothing has no value", help: "hand it numbers")
    }
    for (index, value) in values.enumerated() {
      try check(value, at: index)
      let sign = self == .min ? BinaryOperator.less : .greater
      if try sign(value, best) == .bool(true) { best = value }
    }
    return best
  }

  /// Halves go away from zero.
  private func rounded(_ value: Value, _ arguments: [Value]) throws(PatternError) -> Value {
    guard arguments.count > 1, case .integer(let digits) = arguments[1] else {
      if case .integer = value { return value }
      let number = value.double ?? 0
      return .integer(try exactly(number.rounded(), of: number))
    }
    guard (0...15).contains(digits) else {
      throw PatternError("round() keeps 0 to 15 digits, not \(digits)", help: signature.usage)
    }
    guard case .number(let number) = value else { return value }
    let scale = Glibc.pow(10, Double(digits))
    let scaled = (number * scale).rounded() / scale
    return .number(scaled.isFinite ? scaled : number)
  }

  private func exactly(_ whole: Double, of number: Double) throws(PatternError) -> Int64 {
    guard let integer = Int64(exactly: whole) else {
      throw PatternError(
        "\(rawValue)() of \(number) leaves the range of whole numbers", help: "use a smaller number"
      )
    }
    return integer
  }

  private func whole(_ value: Value) throws(PatternError) -> Int64 {
    switch value {
    case .integer(let integer): return integer
    case .number(let number): return try exactly(number.rounded(.towardZero), of: number)
    default:
      guard let text = value.text, let integer = Int64(text) else {
        throw PatternError(
          "int() cannot read \(value.excerpt())", help: "hand it digits, such as '42'")
      }
      return integer
    }
  }

  private func fraction(_ value: Value) throws(PatternError) -> Double {
    if let number = value.double { return number }
    guard let text = value.text, let number = Double(text), number.isFinite else {
      throw PatternError(
        "float() cannot read \(value.excerpt())", help: "hand it a number, such as '1.5'")
    }
    return number
  }

  // MARK: - Times

  func time(_ arguments: [Value]) throws(PatternError) -> Value {
    let instant = try instant(arguments[0].text ?? "")
    let second = arguments[1].text ?? ""
    guard self == .add_time else { return .string(try TimeFormat.text(of: instant, as: second)) }
    do throws(ValueGrammarError) {
      return .string((instant + (try Nanoseconds(text: second))).description)
    } catch {
      throw PatternError("add_time(): \(error.message)", help: error.help)
    }
  }

  private func instant(_ text: String) throws(PatternError) -> WallInstant {
    do throws(ValueGrammarError) {
      return try WallInstant(text: text)
    } catch {
      throw PatternError("\(rawValue)(): \(error.message)", help: error.help)
    }
  }
}
