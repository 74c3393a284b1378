internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Finds what can never work in an expression, before any of its names has a value.
enum ExpressionChecker {
  /// Returns the kinds that an expression may have; mistakes are reported, and have any kind.
  ///
  /// `kindsOfName` gives the kinds of a path's first name; `nil` is a name of the language.
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
          "\(place.described) is not an index or key of \"\(inner.text)\"", code: .badOperands,
          at: index.range ?? range,
          help: "use an index from 0 for a list, and text for a key of a map")
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
    case .lambda(let names, let body):
      diagnostics.report(
        "a lambda is not a value", code: .badOperands, at: names.first?.range,
        help: "pass it to a function, as in map(items, i => i.price)")
      _ = kinds(of: body, &diagnostics) { bound($0, names) ? .any : kindsOfName($0, $1) }
      return .any
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
    let function = ExpressionFunction.named(name.value)
    var given: [ValueKinds] = []
    for (index, argument) in arguments.enumerated() {
      guard case .lambda(let names, let body) = argument, let function else {
        given.append(kinds(of: argument, &diagnostics, kindsOfName: kindsOfName))
        continue
      }
      let kinds = kinds(of: body, &diagnostics) { bound($0, names) ? .any : kindsOfName($0, $1) }
      check(names, kinds, of: function, argument: index, at: name.range, &diagnostics)
      given.append(.any)
    }
    guard let function else {
      diagnostics.report(ExpressionFunction.unknown(name))
      return .any
    }
    if let mistake = function.mistake(argumentCount: given.count) {
      report(mistake, at: name.range, &diagnostics)
      return function.resultKinds(given)
    }
    for (index, argument) in arguments.enumerated() where function.lambda(atArgument: index) != nil
    {
      guard case .lambda = argument else {
        report(function.missingLambda(), at: argument.range ?? name.range, &diagnostics)
        continue
      }
    }
    for (index, kinds) in given.enumerated()
    where function.lambda(atArgument: index) == nil
      && function.kinds(ofArgument: index, of: given.count).isDisjoint(with: kinds)
    {
      report(
        function.mismatch(kinds, argument: index, of: given.count),
        at: arguments[index].range ?? name.range, &diagnostics)
    }
    for (argument, parameter) in zip(arguments, function.parameters) {
      guard case .literal(.string(let text)) = argument, let mistake = parameter.mistake?(text)
      else { continue }
      report(mistake, at: argument.range ?? name.range, &diagnostics)
    }
    return function.resultKinds(given)
  }

  /// Returns whether a name is one of a lambda's.
  private static func bound(_ root: Located<String>, _ names: [Located<String>]) -> Bool {
    names.contains { $0.value == root.value }
  }

  /// Checks a lambda that is an argument, the kinds of whose body are known.
  private static func check(
    _ names: [Located<String>], _ kinds: ValueKinds, of function: ExpressionFunction,
    argument index: Int, at range: SourceRange, _ diagnostics: inout DiagnosticBag
  ) {
    guard let parameter = function.lambda(atArgument: index) else {
      return report(function.unwantedLambda(), at: names.first?.range ?? range, &diagnostics)
    }
    guard names.count == 1 else {
      return report(function.missingLambda(), at: names.first?.range ?? range, &diagnostics)
    }
    guard kinds.isDisjoint(with: parameter.kinds) else { return }
    let error = function.unsuitableLambda(kinds, parameter)
    report(error, at: names[0].range, &diagnostics)
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
