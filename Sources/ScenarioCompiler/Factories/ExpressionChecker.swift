internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Finds what can never work in an expression, before any of its names has a value.
enum ExpressionChecker {
  /// The kinds that an expression may have; what is wrong is reported, and stands for anything.
  ///
  /// `kindsOfName` tells the kinds of what a path begins with; `nil` is a name of the language.
  static func kinds(
    of expression: Expression, _ diagnostics: inout DiagnosticBag,
    kindsOfName: (Located<String>, [PathStep]) -> ValueKinds?
  ) -> ValueKinds {
    switch expression {
    case .literal(let value): return value.kinds
    case .path(let root, let steps):
      if let kinds = kindsOfName(root, steps) { return steps.isEmpty ? kinds : .any }
      return ExpressionRoot(rawValue: root.value)?.kinds(steps) ?? .any
    case .member(let inner, let key, let isOptional):
      let kinds = kinds(of: inner, &diagnostics, kindsOfName: kindsOfName)
      let what = "key \"\(key.value)\""
      checkStep(into: kinds, [.map], isOptional, inner, what, key.range, &diagnostics)
      return .any
    case .element(let inner, let index, let isOptional, let range):
      let kinds = kinds(of: inner, &diagnostics, kindsOfName: kindsOfName)
      checkStep(into: kinds, [.map, .list], isOptional, inner, "elements", range, &diagnostics)
      let place = Self.kinds(of: index, &diagnostics, kindsOfName: kindsOfName)
      if place.isDisjoint(with: [.integer, .text]) {
        diagnostics.report(
          "\(place.described) is no place in \"\(inner.text)\"", code: .badOperands,
          at: index.range ?? range,
          help: "places in a list count from 0, keys of a map are text")
      }
      return .any
    case .unary(let sign, let operand):
      let kinds = kinds(of: operand, &diagnostics, kindsOfName: kindsOfName)
      guard kinds.isDisjoint(with: sign.value.operands) else {
        return kinds.intersection(sign.value.operands)
      }
      report(sign.value.mismatch(kinds), at: sign.range, &diagnostics)
      return sign.value.operands
    case .binary(let sign, let left, let right):
      let first = kinds(of: left, &diagnostics, kindsOfName: kindsOfName)
      let second = kinds(of: right, &diagnostics, kindsOfName: kindsOfName)
      if let result = sign.value.result(first, second) { return result }
      report(sign.value.mismatch(first, second), at: sign.range, &diagnostics)
      return .any
    case .call(let name, let arguments):
      return kinds(of: name, arguments, &diagnostics, kindsOfName: kindsOfName)
    case .list(let elements):
      for element in elements { _ = kinds(of: element, &diagnostics, kindsOfName: kindsOfName) }
      return .list
    case .map(let members):
      for member in members {
        _ = kinds(of: member.value, &diagnostics, kindsOfName: kindsOfName)
      }
      return .map
    }
  }

  private static func kinds(
    of name: Located<String>, _ arguments: [Expression], _ diagnostics: inout DiagnosticBag,
    kindsOfName: (Located<String>, [PathStep]) -> ValueKinds?
  ) -> ValueKinds {
    let given = arguments.map { kinds(of: $0, &diagnostics, kindsOfName: kindsOfName) }
    guard let function = ExpressionFunction(rawValue: name.value) else {
      diagnostics.report(ExpressionFunction.unknown(name))
      return .any
    }
    if let mistake = function.mistake(argumentCount: given.count) {
      report(mistake, at: name.range, &diagnostics)
      return function.signature.result
    }
    for (index, kinds) in given.enumerated()
    where function.kinds(ofArgument: index, of: given.count).isDisjoint(with: kinds) {
      report(
        function.mismatch(kinds, argument: index, of: given.count),
        at: arguments[index].range ?? name.range, &diagnostics)
    }
    switch function {
    case .case:
      let values = given.enumerated().filter { $0.offset % 2 == 1 || $0.offset == given.count - 1 }
      return values.reduce(into: []) { $0.formUnion($1.element) }
    case .coalesce, .default:
      let all = given.reduce(into: ValueKinds()) { $0.formUnion($1) }
      return given.last?.contains(.null) == true ? all : all.subtracting(.null)
    case .abs, .min, .max: return given.first?.intersection(.number).nonEmpty ?? .number
    default: return function.signature.result
    }
  }

  private static func checkStep(
    into kinds: ValueKinds, _ allowed: ValueKinds, _ isOptional: Bool, _ inner: Expression,
    _ what: String, _ range: SourceRange, _ diagnostics: inout DiagnosticBag
  ) {
    let takes = isOptional ? allowed.union(.null) : allowed
    guard kinds.isDisjoint(with: takes) else { return }
    diagnostics.report(
      "\"\(inner.text)\" is \(kinds.described), which has no \(what)", code: .badOperands, at: range
    )
  }

  private static func report(
    _ error: PatternError, at range: SourceRange, _ diagnostics: inout DiagnosticBag
  ) {
    diagnostics.report(error.message, code: .badOperands, at: range, help: error.help)
  }
}

extension ValueKinds {
  fileprivate var nonEmpty: ValueKinds? { isEmpty ? nil : self }
}
