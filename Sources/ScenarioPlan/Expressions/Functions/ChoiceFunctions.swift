internal import Foundations

extension ExpressionFunction {
  static let choices: [ExpressionFunction] = [
    ExpressionFunction(
      "case", .choices,
      [.value("condition", .bool), .value("value", .any), .value("default", .any)], more: .any,
      result: { given in
        let values = given.enumerated().filter {
          $0.offset % 2 == 1 || $0.offset == given.count - 1
        }
        return values.reduce(into: []) { $0.formUnion($1.element) }
      },
      "The value after the first true condition, or the last argument; the others are not evaluated.",
      example: Example("case(1 > 2, 'a', 2 > 1, 'b', 'c')", #""b""#),
      mistake: Example(
        "case(true, 1)", "case() takes pairs of a condition and a value, and a default, not 2"),
      .branches),
    ExpressionFunction(
      "coalesce", .choices, [.value("a", .any)], more: .any, result: presentKinds,
      "The first argument that is not null, or null.",
      example: Example("coalesce(null, 2, 3)", "2"),
      mistake: Example("coalesce()", "coalesce() takes at least one argument, not 0"),
      .firstPresent),
    ExpressionFunction(
      "default", .choices, [.value("x", .any), .value("otherwise", .any)], result: presentKinds,
      "The first argument, or the second where that is null, as `x ?? otherwise`.",
      example: Example("default(null, 'x')", #""x""#),
      mistake: Example("default(1)", "default() takes 2 arguments, not 1"), .firstPresent),
  ]

  private static let presentKinds: @Sendable ([ValueKinds]) -> ValueKinds = { given in
    let all = given.reduce(into: ValueKinds()) { $0.formUnion($1) }
    return given.last?.contains(.null) == true ? all : all.subtracting(.null)
  }
}
