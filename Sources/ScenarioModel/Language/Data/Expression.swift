package import Foundations

/// An expression inside `${{ … }}`.
package indirect enum Expression: Hashable, Sendable, Codable {
  /// A value written out: text in quotes, a number, true, false, null.
  case literal(Value)
  /// A path such as `build.user.tags[0]`: the root's name, then steps into it.
  case path(root: Located<String>, steps: [PathStep])
  /// A key of what an expression gives: `first(users).name`, and with `?.` null where there is no map.
  case member(Expression, key: Located<String>, isOptional: Bool)
  /// A place or a key that is computed: `prices[index]`; with `?[` null where there is nothing.
  case element(Expression, index: Expression, isOptional: Bool, at: SourceRange)
  /// A function of the language, such as `lower(name)`.
  case call(function: Located<String>, arguments: [Expression])
  /// `i => i.price`, `(a, b) => a + b`: what becomes of values that a function hands over; an argument of one.
  case lambda(names: [Located<String>], Expression)
  /// An operator in front of its operand.
  case unary(Located<UnaryOperator>, Expression)
  /// An operator between its operands.
  case binary(Located<BinaryOperator>, Expression, Expression)
  /// `[a, b]`
  case list([Expression])
  /// `{'key': a}`
  case map([ExpressionMember])
}

/// One key of a map in an expression and what belongs to it.
package struct ExpressionMember: Hashable, Sendable, Codable {
  /// The key.
  package var key: Located<String>
  /// The value.
  package var value: Expression

  /// Creates a member.
  package init(key: Located<String>, value: Expression) {
    self.key = key
    self.value = value
  }
}

/// Operators with one operand.
package enum UnaryOperator: String, Hashable, Sendable, Codable {
  /// The opposite of a bool.
  case not = "!"
  /// The negative of a number.
  case minus = "-"
}

/// Operators with two operands.
package enum BinaryOperator: String, Hashable, Sendable, Codable, CaseIterable {
  /// The left operand unless it is null.
  case coalesce = "??"
  /// At least one of two bools; the right one is evaluated only if needed.
  case or = "||"
  /// Both of two bools, the right one asked only if needed.
  case and = "&&"
  /// Equal.
  case equal = "=="
  /// Two values are not equal.
  case unequal = "!="
  /// The left value is less.
  case less = "<"
  /// The left value is less or equal.
  case lessOrEqual = "<="
  /// Greater.
  case greater = ">"
  /// Greater or equal.
  case greaterOrEqual = ">="
  /// An element of a list, a key of a map, a part of a text.
  case membership = "in"
  /// The sum of numbers, or one text behind another.
  case plus = "+"
  /// The difference of numbers.
  case minus = "-"
  /// The product of numbers.
  case times = "*"
  /// The quotient of numbers; that of whole numbers is one where nothing is left over.
  case divided = "/"
  /// The rest of a division of whole numbers.
  case remainder = "%"

  /// The precedence of the operator; a greater number binds before a smaller one.
  package var precedence: Int {
    switch self {
    case .coalesce: 1
    case .or: 2
    case .and: 3
    case .equal, .unequal: 4
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .membership: 5
    case .plus, .minus: 6
    case .times, .divided, .remainder: 7
    }
  }

  /// True if the operator may not be chained with others of the same precedence: `a < b < c`.
  var standsAlone: Bool { precedence == 4 || precedence == 5 }
}
