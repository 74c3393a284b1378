internal import Foundations

extension Expression {
  /// The names that the expression begins its paths with, in order.
  package var roots: [String] { firstSteps.map(\.root) }

  /// The beginning of each path: its root, and the key behind it.
  package var firstSteps: [(root: String, key: String?)] {
    switch self {
    case .literal: []
    case .path(let root, let steps):
      if case .key(let key)? = steps.first { [(root.value, key)] } else { [(root.value, nil)] }
    case .member(let inner, _, _): inner.firstSteps
    case .element(let inner, let index, _, _): inner.firstSteps + index.firstSteps
    case .call(_, let arguments): arguments.flatMap(\.firstSteps)
    case .lambda(let names, let body):
      body.firstSteps.filter { step in !names.contains { $0.value == step.root } }
    case .unary(_, let operand): operand.firstSteps
    case .binary(_, let left, let right): left.firstSteps + right.firstSteps
    case .list(let elements): elements.flatMap(\.firstSteps)
    case .map(let members): members.flatMap(\.value.firstSteps)
    }
  }
}

extension Template {
  /// The beginning of each path of the expressions of the text.
  package var firstSteps: [(root: String, key: String?)] {
    segments.flatMap { segment -> [(root: String, key: String?)] in
      guard case .expression(let expression) = segment else { return [] }
      return expression.firstSteps
    }
  }

  /// The names that the expressions of the text begin their paths with, in order.
  package var roots: [String] { firstSteps.map(\.root) }
}
