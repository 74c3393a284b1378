package import Foundations
internal import OrderedCollections
package import Patterns
package import ScenarioModel

extension UnaryOperator {
  /// Returns the result for an operand.
  package func callAsFunction(_ operand: Value) throws(PatternError) -> Value {
    switch (self, operand) {
    case (.not, .bool(let bool)): return .bool(!bool)
    case (.minus, .integer(let integer)):
      guard integer != .min else {
        throw PatternError(
          "-(\(integer)) leaves the range of whole numbers", help: "write float(…) for a fraction")
      }
      return .integer(-integer)
    case (.minus, .number(let number)): return .number(-number)
    default: throw mismatch(operand.kinds)
    }
  }

  /// The kinds of operand that the operator takes.
  package var operands: ValueKinds { self == .not ? .bool : .number }

  /// The error for an operand of a kind that the operator does not take.
  package func mismatch(_ kinds: ValueKinds) -> PatternError {
    PatternError(
      "\"\(rawValue)\" cannot take \(kinds.described)",
      help: self == .not
        ? "\"!\" takes a bool; compare the value, as in x == null" : "\"-\" takes a number")
  }
}

extension BinaryOperator {
  /// Returns the result for two operands, both of them known.
  package func callAsFunction(_ left: Value, _ right: Value) throws(PatternError) -> Value {
    switch self {
    case .coalesce: return left == .null ? right : left
    case .or, .and:
      guard case .bool(let first) = left, case .bool(let second) = right else {
        throw mismatch(left.kinds, right.kinds)
      }
      return .bool(self == .or ? first || second : first && second)
    case .equal, .unequal:
      guard Self.areComparable(left.kinds, right.kinds) else {
        throw mismatch(left.kinds, right.kinds)
      }
      return .bool(left.isEqual(to: right) == (self == .equal))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return .bool(try order(left, right))
    case .membership: return .bool(try contains(left, right))
    case .plus, .minus, .times, .divided, .remainder: return try arithmetic(left, right)
    }
  }

  /// Numbers compare with numbers, null with everything, and else like with like.
  static func areComparable(_ left: ValueKinds, _ right: ValueKinds) -> Bool {
    func grouped(_ kinds: ValueKinds) -> ValueKinds {
      kinds.isDisjoint(with: .number) ? kinds : kinds.union(.number)
    }
    return left.contains(.null) || right.contains(.null)
      || !grouped(left).isDisjoint(with: grouped(right))
  }

  private func order(_ left: Value, _ right: Value) throws(PatternError) -> Bool {
    let isLess: Bool
    let isEqual: Bool
    switch (left, right) {
    case (.integer(let first), .integer(let second)):
      (isLess, isEqual) = (first < second, first == second)
    case (.string(let first), .string(let second)):
      let (first, second) = (first.unicodeScalars, second.unicodeScalars)
      isLess = first.lexicographicallyPrecedes(second)
      isEqual = first.elementsEqual(second)
    default:
      guard let first = left.double, let second = right.double else {
        throw mismatch(left.kinds, right.kinds)
      }
      (isLess, isEqual) = (first < second, first == second)
    }
    return switch self {
    case .less: isLess
    case .lessOrEqual: isLess || isEqual
    case .greater: !isLess && !isEqual
    default: !isLess
    }
  }

  private func contains(_ part: Value, _ whole: Value) throws(PatternError) -> Bool {
    switch (part, whole) {
    case (_, .list(let elements)): return elements.contains { $0.isEqual(to: part) }
    case (.string(let key), .map(let members)): return members[key] != nil
    case (.string(let text), .string(let whole)): return text.isEmpty || whole.contains(text)
    default: throw mismatch(part.kinds, whole.kinds)
    }
  }

  // MARK: - Numbers

  private func arithmetic(_ left: Value, _ right: Value) throws(PatternError) -> Value {
    switch (left, right) {
    case (.string(let first), .string(let second)) where self == .plus:
      try ExpressionText.check([first.utf8.count, second.utf8.count], "\"+\"")
      return .string(first + second)
    case (.list(let first), .list(let second)) where self == .plus:
      guard first.count + second.count <= ExpressionText.limit else {
        throw PatternError(
          "\"+\" makes a list of more than \(ExpressionText.limit) elements",
          help: "make shorter lists")
      }
      return .list(first + second)
    case (.integer(let first), .integer(let second)) where self == .divided:
      return try quotient(first, second)
    case (.integer(let first), .integer(let second)):
      return .integer(try whole(first, second))
    default:
      guard self != .remainder, let first = left.double, let second = right.double else {
        throw mismatch(left.kinds, right.kinds)
      }
      return .number(try fraction(first, second))
    }
  }

  /// JSON has one kind of number, so that a quotient is whole where it can be.
  private func quotient(_ left: Int64, _ right: Int64) throws(PatternError) -> Value {
    guard right != 0 else { throw divisionByZero(String(left)) }
    let (quotient, overflow) = left.dividedReportingOverflow(by: right)
    guard overflow || left % right != 0 else { return .integer(quotient) }
    return .number(Double(left) / Double(right))
  }

  private func whole(_ left: Int64, _ right: Int64) throws(PatternError) -> Int64 {
    if self == .remainder, right == 0 { throw divisionByZero(String(left)) }
    let (result, overflow) =
      switch self {
      case .plus: left.addingReportingOverflow(right)
      case .minus: left.subtractingReportingOverflow(right)
      case .times: left.multipliedReportingOverflow(by: right)
      default: left.remainderReportingOverflow(dividingBy: right)
      }
    guard !overflow else {
      throw PatternError(
        "\(left) \(rawValue) \(right) leaves the range of whole numbers",
        help: "write float(…) around one of them for a fraction")
    }
    return result
  }

  private func fraction(_ left: Double, _ right: Double) throws(PatternError) -> Double {
    if self == .divided, right == 0 { throw divisionByZero("\(left)") }
    let result =
      switch self {
      case .plus: left + right
      case .minus: left - right
      case .times: left * right
      default: left / right
      }
    guard result.isFinite else {
      throw PatternError(
        "\(left) \(rawValue) \(right) leaves the range of numbers", help: "use smaller numbers")
    }
    return result
  }

  private func divisionByZero(_ dividend: String) -> PatternError {
    PatternError(
      "\(dividend) \(rawValue) 0 has no value",
      help: "ask before: case(b == 0, 0, a \(rawValue) b)")
  }

  // MARK: - Kinds

  /// Returns the kinds of the result for operands of some kinds; `nil` if the operator takes none
  /// of them.
  package func result(_ left: ValueKinds, _ right: ValueKinds) -> ValueKinds? {
    let both = left.intersection(right)
    switch self {
    case .coalesce: return left.subtracting(.null).union(right)
    case .or, .and:
      return left.contains(.bool) && right.contains(.bool) ? .bool : nil
    case .equal, .unequal: return Self.areComparable(left, right) ? .bool : nil
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return both.contains(.text) || Self.haveNumbers(left, right) ? .bool : nil
    case .membership:
      let isIn =
        right.contains(.list)
        || left.contains(.text) && !right.isDisjoint(with: [.map, .text])
      return isIn ? .bool : nil
    case .plus, .minus, .times, .divided, .remainder:
      var result: ValueKinds = []
      if self == .plus { result = both.intersection([.text, .list]) }
      if both.contains(.integer) {
        result.insert(.integer)
        if self == .divided { result.insert(.fraction) }
      }
      if self != .remainder, Self.haveNumbers(left, right),
        left.contains(.fraction) || right.contains(.fraction)
      {
        result.insert(.fraction)
      }
      return result.isEmpty ? nil : result
    }
  }

  private static func haveNumbers(_ left: ValueKinds, _ right: ValueKinds) -> Bool {
    !left.isDisjoint(with: .number) && !right.isDisjoint(with: .number)
  }

  /// Returns the error for operands that the operator does not take.
  package func mismatch(_ left: ValueKinds, _ right: ValueKinds) -> PatternError {
    if self == .remainder, Self.haveNumbers(left, right) {
      return PatternError("\"%\" takes two whole numbers", help: help)
    }
    return PatternError(
      "\"\(rawValue)\" is not defined for \(left.described) and \(right.described)", help: help)
  }

  private var help: String {
    switch self {
    case .coalesce: "a ?? b is b where a is null"
    case .or, .and: "\"\(rawValue)\" takes two bools; compare the values, as in x != null"
    case .equal, .unequal:
      "compare like with like: convert one with int(), float(), string() or bool()"
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      "order numbers with numbers, text with text; int(x) and float(x) make a number of text"
    case .membership: "write VALUE in LIST, KEY in MAP, or TEXT in TEXT"
    case .plus:
      "add numbers to numbers, text to text and lists to lists; string(x) makes text of a number, int(x) a number"
        + " of text"
    case .remainder: "\"%\" takes whole numbers"
    case .minus, .times, .divided: "\"\(rawValue)\" takes numbers; int(x) makes one of text"
    }
  }
}

extension Value {
  /// The value of a number of either kind.
  package var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
