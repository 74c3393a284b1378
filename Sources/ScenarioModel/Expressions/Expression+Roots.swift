internal import Foundations

extension Expression {
  /// The names that the expression begins its paths with, in order.
  package var roots: [String] {
    switch self {
    case .literal: []
    case .path(let root, _): [root.value]
    case .member(let inner, _, _): inner.roots
    case .element(let inner, let index, _, _): inner.roots + index.roots
    case .call(_, let arguments): arguments.flatMap(\.roots)
    case .lambda(let names, let body):
      body.roots.filter { root in !names.contains { $0.value == root } }
    case .unary(_, let operand): operand.roots
    case .binary(_, let left, let right): left.roots + right.roots
    case .list(let elements): elements.flatMap(\.roots)
    case .map(let members): members.flatMap(\.value.roots)
    }
  }
}

extension Template {
  /// The names that the expressions of the text begin their paths with, in order.
  package var roots: [String] {
    segments.flatMap { segment -> [String] in
      guard case .expression(let expression) = segment else { return [] }
      return expression.roots
    }
  }
}
