package import Foundations

extension Expression {
  /// The expression about as it was written.
  package var text: String { text(within: 0) }

  /// The place in the source; literals, lists and maps have none.
  package var range: SourceRange? {
    switch self {
    case .literal, .list, .map: nil
    case .path(let root, _): root.range
    case .member(_, let key, _): key.range
    case .element(_, _, _, let range): range
    case .call(let function, _): function.range
    case .lambda(let names, let body): names.first?.range ?? body.range
    case .unary(let sign, _): sign.range
    case .binary(let sign, _, _): sign.range
    }
  }

  private func text(within precedence: Int) -> String {
    switch self {
    case .literal(let value): return value.jsonText()
    case .path(let root, let steps): return root.value + steps.map(\.text).joined()
    case .member(let inner, let key, let isOptional):
      return inner.text(within: 9) + (isOptional ? "?" : "") + PathStep.key(key.value).text
    case .element(let inner, let index, let isOptional, _):
      return inner.text(within: 9) + (isOptional ? "?[" : "[") + index.text + "]"
    case .call(let function, let arguments):
      return function.value + "(" + arguments.map(\.text).joined(separator: ", ") + ")"
    case .lambda(let names, let body):
      let list = names.map(\.value).joined(separator: ", ")
      return (names.count == 1 ? list : "(\(list))") + " => " + body.text
    case .unary(let sign, let operand):
      return sign.value.rawValue + operand.text(within: 8)
    case .binary(let sign, let left, let right):
      let own = sign.value.precedence
      let text =
        "\(left.text(within: own)) \(sign.value.rawValue) \(right.text(within: own + 1))"
      return own < precedence ? "(\(text))" : text
    case .list(let elements): return "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .map(let members):
      return "{"
        + members.map { Value.string($0.key.value).jsonText() + ": " + $0.value.text }
        .joined(separator: ", ") + "}"
    }
  }
}
