internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  mutating func evaluate(
    _ template: Template, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    // What belongs to an object has been checked with its factory.
    if place.frame == nil {
      let errors = diagnostics.errorCount
      for case .expression(let expression) in template.segments {
        _ = ExpressionChecker.kinds(of: expression, &diagnostics) { [captures] root, steps in
          guard root.value == ExpressionRoot.capture.rawValue, case .key(let name)? = steps.first
          else { return nil }
          return captures.isText(name) ? nil : .any
        }
      }
      if diagnostics.errorCount > errors { return .failed }
    }
    if template.segments.count == 1, case .expression(let expression) = template.segments[0] {
      return evaluate(expression, at: range, in: place)
    }
    var segments: [PlannedText.Segment] = []
    var ready = ""
    var isComplete = true
    for segment in template.segments {
      switch segment {
      case .literal(let text): ready += text
      case .expression(let expression):
        switch evaluate(expression, at: range, in: place) {
        case .value(let value):
          guard let text = value.textForm else {
            reportNoText(value.kindWithArticle, of: expression, at: range)
            isComplete = false
            continue
          }
          ready += text
        case .planned(.text(let text)):
          segments.appendText(ready)
          ready = ""
          for segment in text.segments {
            if case .literal(let text) = segment {
              ready += text
            } else {
              segments.appendText(ready)
              ready = ""
              segments.append(segment)
            }
          }
        case .planned(let data):
          reportNoText(data.kindWithArticle, of: expression, at: range)
          isComplete = false
        case .omitted:
          reportNoText("left out", of: expression, at: range)
          isComplete = false
        case .failed: isComplete = false
        }
      }
    }
    guard isComplete else { return .failed }
    if segments.isEmpty {
      return counted(at: range) { () throws(PatternError) in
        try ExpressionText.check(ready.utf8.count, "the text with its expressions")
        return .string(ready)
      }
    }
    segments.appendText(ready)
    return .planned(.text(PlannedText(segments: segments)))
  }

  private mutating func reportNoText(
    _ kind: String, of expression: Expression, at range: SourceRange
  ) {
    diagnostics.report(
      "\"\(expression.text)\" is \(kind), which cannot be part of a text",
      code: .notText, at: expression.range ?? range,
      help: "select a value inside it, write only the expression, or use json(…)")
  }

  // MARK: - Expressions

  mutating func evaluate(
    _ expression: Expression, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    guard !isAborted, enter(at: range) else { return .failed }
    defer { leave() }
    let own = expression.range ?? range
    switch expression {
    case .literal(let value): return .value(value)
    case .path(let root, let steps): return evaluate(root, steps, in: place)
    case .call(let function, let arguments):
      return call(function, arguments, at: range, in: place)
    case .member(let inner, let key, let isOptional):
      let value = container(inner, .key(key.value), at: range, in: place)
      return step(into: value, .key(key.value), isOptional, inner, at: own) {
        .member($0, key: key, isOptional: isOptional)
      }
    case .element(let inner, let index, let isOptional, _):
      var key: PathStep?
      if case .literal(let literal) = index { key = literal.pathStep }
      let value = container(inner, key, at: range, in: place)
      let position = evaluate(index, at: range, in: place)
      return element(of: value, position, isOptional, inner, at: own)
    case .unary(let sign, let operand):
      return combine([evaluate(operand, at: range, in: place)], at: own) {
        (values) throws(PatternError) in
        try sign.value(values[0])
      } waiting: {
        .unary(sign, $0[0])
      }
    case .binary(let sign, let left, let right):
      return binary(sign, left, right, at: range, in: place)
    case .lambda(let names, _):
      diagnostics.report(
        "a lambda is not a value", code: .badOperands, at: names.first?.range ?? range,
        help: "pass it to a function, as in map(items, i => i.price)")
      return .failed
    case .list(let elements):
      let values = elements.map { evaluate($0, at: range, in: place) }
      return combine(values, at: own) {
        .list($0)
      } waiting: {
        .list($0)
      }
    case .map(let members):
      let values = members.map { evaluate($0.value, at: range, in: place) }
      let keys = members.map(\.key)
      return combine(values, at: own) { values in
        .map(OrderedDictionary(zip(keys.map(\.value), values)) { _, last in last })
      } waiting: { parts in
        .map(zip(keys, parts).map { ExpressionMember(key: $0, value: $1) })
      }
    }
  }

  /// Makes a value of values, or a question to the run if one of them is.
  private mutating func combine(
    _ outcomes: [DataOutcome], at range: SourceRange,
    _ make: ([Value]) throws(PatternError) -> Value, waiting: ([Expression]) -> Expression
  ) -> DataOutcome {
    // One that failed decides, also behind one that only the run knows: `waiting` needs all of them.
    guard !outcomes.contains(where: { if case .failed = $0 { true } else { false } }) else {
      return .failed
    }
    var values: [Value] = []
    values.reserveCapacity(outcomes.count)
    for outcome in outcomes {
      switch outcome {
      case .value(let value): values.append(value)
      case .omitted: values.append(.null)
      case .failed: return .failed
      case .planned:
        return waitingOutcome(waiting(outcomes.compactMap(\.data).map(\.expression)), at: range)
      }
    }
    return counted(at: range) { () throws(PatternError) in try make(values) }
  }

  /// Runs a check that may make text, of which there is an end as well.
  private mutating func counted(
    at range: SourceRange, _ work: () throws(PatternError) -> Value
  ) -> DataOutcome {
    let outcome = catching(as: .failedExpression, at: range, work)
    guard case .value(.string(let text)) = outcome else { return outcome }
    textCount += text.utf8.count
    guard textCount <= ExpressionText.sumLimit else {
      abort(
        "expressions of the scenario make more than \(ExpressionText.sumLimit) bytes of text",
        code: .tooLarge,
        at: range, help: "generate less text; read long texts from files: { $file: PATH }")
      return .failed
    }
    return outcome
  }

  func waitingOutcome(_ expression: Expression, at range: SourceRange) -> DataOutcome {
    .planned(.text(PlannedText(segments: [.run(RunExpression(expression, at: range))])))
  }

  private mutating func binary(
    _ sign: Located<BinaryOperator>, _ left: Expression, _ right: Expression,
    at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    let first = evaluate(left, at: range, in: place)
    // What decides alone keeps the other operand from being asked.
    switch (sign.value, first) {
    case (.or, .value(.bool(true))), (.and, .value(.bool(false))): return first
    case (.coalesce, .value(let value)) where value != .null: return first
    case (.coalesce, .value), (.coalesce, .omitted): return evaluate(right, at: range, in: place)
    default: break
    }
    let second = evaluate(right, at: range, in: place)
    return combine([first, second], at: sign.range) {
      (values) throws(PatternError) in
      try sign.value(values[0], values[1])
    } waiting: {
      .binary(sign, $0[0], $0[1])
    }
  }

  private mutating func call(
    _ name: Located<String>, _ arguments: [Expression], at range: SourceRange,
    in place: EvaluationSite
  ) -> DataOutcome {
    guard let function = ExpressionFunction.named(name.value) else {
      diagnostics.report(ExpressionFunction.unknown(name))
      return .failed
    }
    if let mistake = function.mistake(argumentCount: arguments.count) {
      diagnostics.report(mistake.message, code: .badOperands, at: name.range, help: mistake.help)
      return .failed
    }
    if function.hasBranches {
      // Arms whose condition is known to be false are not asked.
      for index in stride(from: 0, to: arguments.count - 1, by: 2) {
        switch evaluate(arguments[index], at: range, in: place) {
        case .value(.bool(true)): return evaluate(arguments[index + 1], at: range, in: place)
        case .value(.bool(false)): continue
        case .value(let value):
          let mistake = function.mismatch(value.kinds, argument: index, of: arguments.count)
          diagnostics.report(
            mistake.message, code: .badOperands, at: name.range, help: mistake.help)
          return .failed
        case .failed: return .failed
        case .planned, .omitted: return waitingCall(name, arguments[index...], at: range, in: place)
        }
      }
      return evaluate(arguments[arguments.count - 1], at: range, in: place)
    }
    if function.givesFirstPresent {
      for (index, argument) in arguments.enumerated() {
        switch evaluate(argument, at: range, in: place) {
        case .value(.null), .omitted: continue
        case .planned: return waitingCall(name, arguments[index...], at: range, in: place)
        case let other: return other
        }
      }
      return .value(.null)
    }
    if arguments.contains(where: { if case .lambda = $0 { true } else { false } }) {
      return call(function, name, withLambdas: arguments, at: range, in: place)
    }
    let random = function.isDrawn ? draw(for: name, in: place) : nil
    if function.isDrawn, random == nil { return .failed }
    let values = arguments.map { evaluate($0, at: range, in: place) }
    if function.isDrawn, values.contains(where: { if case .planned = $0 { true } else { false } }) {
      diagnostics.report(
        "\(function.name)() draws before the run, but its arguments are known only during the run",
        code: .notKnownHere, at: name.range, help: "pass numbers that are known before the run")
      return .failed
    }
    return combine(values, at: name.range) {
      (values) throws(PatternError) in
      try function(values.map { .value($0) }, random: random)
    } waiting: {
      .call(function: name, arguments: $0)
    }
  }

  /// A lazy function whose first argument only the run knows.
  private mutating func waitingCall(
    _ name: Located<String>, _ arguments: ArraySlice<Expression>, at range: SourceRange,
    in place: EvaluationSite
  ) -> DataOutcome {
    let parts = arguments.map { evaluate($0, at: range, in: place).data?.expression }
    let known = parts.compactMap { $0 }
    guard known.count == parts.count else { return .failed }
    // default() has taken its first argument already if it was null.
    if known.count == 1 { return waitingOutcome(known[0], at: name.range) }
    return waitingOutcome(.call(function: name, arguments: known), at: name.range)
  }

  // MARK: - Steps

  /// Evaluates the container of a path's step: texts of a request by name are no value of their
  /// own, but only in front of a step; of the state all names are known.
  private mutating func container(
    _ inner: Expression, _ step: PathStep?, at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    guard place.isInReply, case .path(let root, let steps) = inner else {
      return evaluate(inner, at: range, in: place)
    }
    // A name that there cannot be is a mistake, also where a missing one is tolerated.
    switch (ExpressionRoot(rawValue: root.value), steps.first) {
    case (.request?, .key(let name)?) where steps.count == 1 && RequestNames.maps.contains(name):
      if let step, case .failed = evaluate(root, steps + [step], in: place) { return .failed }
      return waitingOutcome(inner, at: range)
    case (.state?, nil)
    where !place.lambdaNames.contains(root.value)
      && place.frame?.plan.bareIndex[root.value] == nil:
      if let step, case .failed = evaluate(root, [step], in: place) { return .failed }
    default: break
    }
    return evaluate(inner, at: range, in: place)
  }

  private mutating func step(
    into outcome: DataOutcome, _ step: PathStep, _ isOptional: Bool, _ inner: Expression,
    at range: SourceRange, waiting: (Expression) -> Expression
  ) -> DataOutcome {
    switch outcome {
    case .failed: return .failed
    case .omitted: return isOptional ? .value(.null) : find([step], in: .null, inner.text, range)
    case .value(.null) where isOptional: return .value(.null)
    case .value(let value): return find([step], in: value, inner.text, range)
    case .planned(.text(let text)):
      guard text.segments.count == 1, case .run = text.segments[0] else {
        return find([step], in: .string(""), inner.text, range)
      }
      return waitingOutcome(waiting(PlannedData.text(text).expression), at: range)
    case .planned(let data): return find([step], in: data, named: inner.text, at: range)
    }
  }

  private mutating func element(
    of outcome: DataOutcome, _ position: DataOutcome, _ isOptional: Bool, _ inner: Expression,
    at range: SourceRange
  ) -> DataOutcome {
    guard case .value(let index) = position else {
      guard let whole = outcome.data, let part = position.data else { return .failed }
      return waitingOutcome(
        .element(whole.expression, index: part.expression, isOptional: isOptional, at: range),
        at: range)
    }
    guard let pathStep = index.pathStep else {
      diagnostics.report(
        "\(index.excerpt()) is not an index or key of \"\(inner.text)\"", code: .failedExpression,
        at: range,
        help: "use an index from 0 for a list, and text for a key of a map")
      return .failed
    }
    return step(into: outcome, pathStep, isOptional, inner, at: range) {
      .element($0, index: .literal(index), isOptional: isOptional, at: range)
    }
  }

  private mutating func find(
    _ steps: [PathStep], in value: Value, _ name: String, _ range: SourceRange
  ) -> DataOutcome {
    find(steps, in: value, named: name, at: range)
  }

  mutating func find(
    _ steps: [PathStep], in value: Value, named name: String, at range: SourceRange
  ) -> DataOutcome {
    if steps.isEmpty, value.isScalar { return .value(value) }
    let found: Value
    do throws(ValueLookup.Missing) {
      found = try ValueLookup.find(steps, in: value, named: name)
    } catch {
      diagnostics.report(error.message, code: .failedExpression, at: range, help: error.help)
      return .failed
    }
    guard !found.isScalar else { return .value(found) }
    valueCount += found.count(upTo: Self.valueLimit)
    guard valueCount <= Self.valueLimit else {
      abort(
        "expressions of the scenario use more than \(Self.valueLimit) values", code: .tooLarge,
        at: range)
      return .failed
    }
    return .value(found)
  }
}

extension [PlannedText.Segment] {
  /// Adds text, to the text before it where there is some.
  fileprivate mutating func appendText(_ text: String) {
    guard !text.isEmpty else { return }
    guard case .literal(let before)? = last else { return append(.literal(text)) }
    self[count - 1] = .literal(before + text)
  }
}

extension Value {
  /// The number of values that this one consists of; counting ends above `limit`.
  func count(upTo limit: Int) -> Int {
    var pending = [self]
    var count = 0
    while let value = pending.popLast(), count <= limit {
      count += 1
      switch value {
      case .list(let elements): pending += elements
      case .map(let members): pending += members.values
      case .null, .bool, .integer, .number, .string: break
      }
    }
    return count
  }

  var isScalar: Bool {
    switch self {
    case .null, .bool, .integer, .number, .string: true
    case .list, .map: false
    }
  }

}
