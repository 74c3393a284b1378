package import Foundations
internal import OrderedCollections
internal import Patterns
package import ScenarioModel

extension RunExpression {
  /// Creates a computation with what only the run knows.
  package init(_ expression: Expression, at range: SourceRange) {
    if case .path(let root, let steps) = expression {
      self.init(root: root.value, steps: steps, range: root.range)
      return
    }
    let roots = expression.roots
    let root = roots.contains("request") ? "request" : roots.first ?? ""
    self.init(root: root, steps: [], range: range)
    computation = expression
  }

  /// The question as an expression.
  package var wholeExpression: Expression {
    computation ?? .path(root: Located(root, at: range), steps: steps)
  }

  /// The same question with steps into its answer.
  package func appending(_ more: [PathStep]) -> RunExpression {
    guard let computation else {
      return RunExpression(root: root, steps: steps + more, range: range)
    }
    var result = self
    result.computation = more.reduce(computation) { inner, step in
      switch step {
      case .key(let key):
        .member(inner, key: Located(key, at: range), isOptional: false)
      case .index(let index):
        .element(inner, index: .literal(.integer(Int64(index))), isOptional: false, at: range)
      }
    }
    return result
  }

  /// The expression as written: `request.path.id`.
  package var text: String {
    computation?.text ?? root + steps.map(\.text).joined()
  }

  /// The value that the run has for it.
  ///
  /// - Throws: `RunScopeError` if there is none.
  package func resolve(in scope: some RunScope) throws(RunScopeError) -> Value {
    let value = try wholeExpression.resolve(in: scope, at: range)
    if refusesMaps == true, let map = NegatedMap(value) {
      throw RunScopeError(map.message, at: range, help: NegatedMap.help)
    }
    return value
  }
}

extension Expression {
  /// The value, all names being known to the run.
  ///
  /// Its depth is bounded by that of the expressions and objects of the file that it is made of.
  ///
  /// - Parameter isOptional: whether a path that leads nowhere is null, as in front of `??` and `?.`: what a
  ///   client sends may lack anything.
  fileprivate func resolve(
    in scope: some RunScope, at place: SourceRange, isOptional: Bool = false
  ) throws(RunScopeError) -> Value {
    let range = range ?? place
    switch self {
    case .literal(let value): return value
    case .path(let root, let steps):
      guard let value = scope.value(of: root.value) else {
        throw RunScopeError("\"\(root.value)\" is not known here", at: root.range)
      }
      return try Self.find(steps, in: value, root.value, at: root.range, isOptional)
    case .member(let inner, let key, let isOwnOptional):
      let isOptional = isOptional || isOwnOptional
      let value = try inner.resolve(in: scope, at: place, isOptional: isOptional)
      if isOptional, value == .null { return .null }
      let step = PathStep.key(inner.isRequestHeaders ? key.value.lowercased() : key.value)
      return try Self.find([step], in: value, inner.text, at: range, isOptional)
    case .element(let inner, let index, let isOwnOptional, _):
      let isOptional = isOptional || isOwnOptional
      let value = try inner.resolve(in: scope, at: place, isOptional: isOptional)
      let position = try index.resolve(in: scope, at: place)
      if isOptional, value == .null { return .null }
      guard var step = position.pathStep else {
        throw RunScopeError(
          "\(position.excerpt()) is not an index or key of \"\(inner.text)\"", at: range,
          help: "use an index from 0 for a list, and text for a key of a map")
      }
      if inner.isRequestHeaders, case .key(let key) = step { step = .key(key.lowercased()) }
      return try Self.find([step], in: value, inner.text, at: range, isOptional)
    case .unary(let sign, let operand):
      let value = try operand.resolve(in: scope, at: place)
      return try Self.computing(at: range) { () throws(PatternError) in try sign.value(value) }
    case .binary(let sign, let left, let right):
      let isCoalescing = sign.value == .coalesce
      let first = try left.resolve(in: scope, at: place, isOptional: isCoalescing)
      switch (sign.value, first) {
      case (.or, .bool(true)), (.and, .bool(false)): return first
      case (.coalesce, let value) where value != .null: return value
      default: break
      }
      let second = try right.resolve(
        in: scope, at: place, isOptional: isCoalescing && isOptional)
      return try Self.computing(at: range) { () throws(PatternError) in
        try sign.value(first, second)
      }
    case .call(let function, let arguments): return try Self.call(function, arguments, scope, place)
    case .lambda:
      throw RunScopeError("a lambda is not a value", at: range, help: "pass it to a function")
    case .list(let elements):
      var values: [Value] = []
      for element in elements { values.append(try element.resolve(in: scope, at: place)) }
      return .list(values)
    case .map(let members):
      var values: OrderedDictionary<String, Value> = [:]
      for member in members {
        values[member.key.value] = try member.value.resolve(in: scope, at: place)
      }
      return .map(values)
    }
  }

  /// True if it is all headers of a request, whose names are known in lower case.
  private var isRequestHeaders: Bool {
    guard case .path(let root, [.key("headers")]) = self else { return false }
    return root.value == ExpressionRoot.request.rawValue
  }

  private static func call(
    _ name: Located<String>, _ arguments: [Expression], _ scope: some RunScope,
    _ place: SourceRange
  ) throws(RunScopeError) -> Value {
    if name.value == RelativeTime.function {
      var values: [Value] = []
      for argument in arguments { values.append(try argument.resolve(in: scope, at: place)) }
      return try computing(at: name.range) { () throws(PatternError) in
        try RelativeTime.value(values)
      }
    }
    guard let function = ExpressionFunction.named(name.value) else {
      throw RunScopeError("unknown function \"\(name.value)\"", at: name.range)
    }
    if function.hasBranches {
      for index in stride(from: 0, to: arguments.count - 1, by: 2) {
        let condition = try arguments[index].resolve(in: scope, at: place)
        guard case .bool(let holds) = condition else {
          throw error(
            function.mismatch(condition.kinds, argument: index, of: arguments.count), name.range)
        }
        if holds { return try arguments[index + 1].resolve(in: scope, at: place) }
      }
      return try arguments.last?.resolve(in: scope, at: place) ?? .null
    }
    let isLazy = function.givesFirstPresent
    var values: [FunctionArgument] = []
    for (index, argument) in arguments.enumerated() {
      if case .lambda(let names, let body) = argument {
        guard function.lambda(atArgument: index) == nil || names.count == 1 else {
          throw error(function.missingLambda(), name.range)
        }
        values.append(.lambda(body.applied(to: names, scope, place)))
        continue
      }
      let isLast = index == arguments.count - 1
      let isOptional = isLazy && !(function.name == "default" && isLast)
      let value = try argument.resolve(in: scope, at: place, isOptional: isOptional)
      if isLazy, value != .null { return value }
      values.append(.value(value))
    }
    if isLazy { return .null }
    return try computing(at: name.range) { () throws(PatternError) in try function(values) }
  }

  /// Returns a function from the values of a lambda's names to that of its body.
  private func applied(
    to names: [Located<String>], _ scope: some RunScope, _ place: SourceRange
  ) -> ([Value]) throws(PatternError) -> Value {
    { (values) throws(PatternError) in
      let bound = BoundScope(
        base: scope, values: Dictionary(zip(names.map(\.value), values)) { $1 })
      do throws(RunScopeError) {
        return try resolve(in: bound, at: place)
      } catch {
        throw PatternError(error.message, help: error.help ?? "the lambda is \(text)")
      }
    }
  }

  private static func find(
    _ steps: [PathStep], in value: Value, _ name: String, at range: SourceRange,
    _ isOptional: Bool
  ) throws(RunScopeError) -> Value {
    do throws(ValueLookup.Missing) {
      return try ValueLookup.find(steps, in: value, named: name)
    } catch {
      if isOptional { return .null }
      throw RunScopeError(error.message, at: range, help: error.help)
    }
  }

  private static func computing(
    at range: SourceRange, _ work: () throws(PatternError) -> Value
  ) throws(RunScopeError) -> Value {
    do throws(PatternError) {
      return try work()
    } catch {
      throw Self.error(error, range)
    }
  }

  private static func error(_ error: PatternError, _ range: SourceRange) -> RunScopeError {
    RunScopeError(error.message, at: range, help: error.help)
  }
}
