internal import OrderedCollections
internal import ScenarioModel

extension DataEvaluator {
  /// What an expression stands for: a value, a question to the run, or data that holds such questions.
  enum Outcome {
    case value(Value)
    case run(RunExpression)
    case planned(PlannedData)
  }

  mutating func evaluate(
    _ template: Template, at range: SourceRange, in place: DataPlace
  ) -> PlannedData? {
    if template.segments.count == 1, case .expression(let expression) = template.segments[0] {
      switch evaluate(expression, at: range, in: place) {
      case nil: return nil
      case .value(let value): return .value(value)
      case .run(let question): return .text(PlannedText(segments: [.run(question)]))
      case .planned(let data): return data
      }
    }
    var segments: [PlannedText.Segment] = []
    var isComplete = true
    for segment in template.segments {
      switch segment {
      case .literal(let text): segments.appendText(text)
      case .expression(let expression):
        switch evaluate(expression, at: range, in: place) {
        case .value(let value):
          guard let text = value.textForm else {
            reportNoText(value.kindWithArticle, of: expression, at: range)
            isComplete = false
            continue
          }
          segments.appendText(text)
        case .run(let question): segments.append(.run(question))
        case .planned(.text(let text)): segments.append(contentsOf: text)
        case .planned(let data):
          reportNoText(data.kindWithArticle, of: expression, at: range)
          isComplete = false
        case nil: isComplete = false
        }
      }
    }
    guard isComplete else { return nil }
    let text = PlannedText(segments: segments)
    return text.literal.map { .value(.string($0)) } ?? .text(text)
  }

  private mutating func reportNoText(
    _ kind: String, of expression: Expression, at range: SourceRange
  ) {
    diagnostics.report(
      "\"\(expression.text)\" is \(kind), which cannot stand in text",
      at: expression.range ?? range,
      help: "name something inside it, or let the expression stand alone")
  }

  // MARK: - Expressions

  mutating func evaluate(
    _ expression: Expression, at range: SourceRange, in place: DataPlace
  ) -> Outcome? {
    guard !isAborted, enter(at: range) else { return nil }
    defer { leave() }
    switch expression {
    case .literal(let value): return .value(value)
    case .path(let root, let steps): return evaluate(root, steps, in: place)
    case .call(let function, let arguments):
      return call(function, arguments, at: range, in: place).map(Outcome.value)
    }
  }

  private mutating func call(
    _ name: Located<String>, _ arguments: [Expression], at range: SourceRange, in place: DataPlace
  ) -> Value? {
    guard let function = ExpressionFunction(rawValue: name.value) else {
      diagnostics.report(ExpressionFunction.unknown(name))
      return nil
    }
    guard arguments.count == 1 else {
      diagnostics.report(
        "\(name.value)() takes one argument, not \(arguments.count)", at: name.range,
        help: "write \(name.value)(NAME)")
      return nil
    }
    switch evaluate(arguments[0], at: range, in: place) {
    case nil: return nil
    case .run, .planned:
      let argument = arguments[0].text
      diagnostics.report(
        "\(name.value)() cannot take \"\(argument)\", which only the run knows",
        at: name.range, help: "use \"\(argument)\" without the function")
      return nil
    case .value(let value):
      return diagnostics.catching(at: name.range) { () throws(PatternError) in
        try function(value)
      }
    }
  }

  private mutating func evaluate(
    _ root: Located<String>, _ steps: [PathStep], in place: DataPlace
  ) -> Outcome? {
    if let object = place.object, objects[object].definitions[root.value] != nil {
      guard let data = fieldValue(root.value, of: object, usedAt: root.range) else { return nil }
      return find(steps, in: data, named: root.value, at: root.range)
    }
    switch root.value {
    case "build": return object(steps, at: root.range)
    case "seed": return find(steps, in: .integer(seed), named: "seed", at: root.range)
    case "dir", "request": return question(root, steps, in: place).map(Outcome.run)
    default:
      let fields = place.object.map { objects[$0].definitions.keys.elements } ?? []
      diagnostics.report(ExpressionNames.unknown(root, fields: fields, place.runNames))
      return nil
    }
  }

  private mutating func object(_ steps: [PathStep], at range: SourceRange) -> Outcome? {
    guard case .key(let name)? = steps.first, builds[name] != nil else {
      diagnostics.report(ExpressionNames.unknownBuild(steps, builds.keys.elements, at: range))
      return nil
    }
    guard let value = buildValue(name, usedAt: range) else { return nil }
    return find(Array(steps.dropFirst()), in: value, named: "build.\(name)", at: range)
  }

  mutating func find(
    _ steps: [PathStep], in value: Value, named name: String, at range: SourceRange
  ) -> Outcome? {
    let found: Value
    do throws(ValueLookup.Missing) {
      found = try ValueLookup.find(steps, in: value, named: name)
    } catch {
      diagnostics.report(error.message, at: range, help: error.help)
      return nil
    }
    valueCount += found.count(upTo: Self.valueLimit)
    guard valueCount <= Self.valueLimit else {
      abort("expressions of the scenario bring in more than \(Self.valueLimit) values", at: range)
      return nil
    }
    return .value(found)
  }

  // MARK: - Questions to the run

  private mutating func question(
    _ root: Located<String>, _ steps: [PathStep], in place: DataPlace
  ) -> RunExpression? {
    switch (root.value, place.runNames) {
    case ("dir", .directory), ("dir", .request):
      guard steps.isEmpty else {
        diagnostics.report(
          "\"dir\" is text, which has no \"\(steps[0].text)\"", at: root.range,
          help: "write ${{ dir }}/NAME for a path below it")
        return nil
      }
      return RunExpression(root: root.value, steps: steps, range: root.range)
    case ("request", .request(let captures)):
      do throws(Diagnostic) {
        let steps = try RequestNames.normalize(steps, captures: captures, at: root.range)
        return RunExpression(root: root.value, steps: steps, range: root.range)
      } catch {
        diagnostics.report(error)
        return nil
      }
    case ("request", _):
      diagnostics.report(
        "\"request\" is known only in replies", at: root.range,
        help: "use it below \"replies\", or in the reply of a short form")
      return nil
    default:
      diagnostics.report(
        "\"\(root.value)\" is known only while the scenario runs, and objects are built before",
        at: root.range, help: "use it in target, files, steps, replies or expectations")
      return nil
    }
  }
}

extension [PlannedText.Segment] {
  /// Adds the parts of another text.
  fileprivate mutating func append(contentsOf text: PlannedText) {
    for segment in text.segments {
      if case .literal(let literal) = segment { appendText(literal) } else { append(segment) }
    }
  }

  /// Adds text, to the text before it where there is some.
  fileprivate mutating func appendText(_ text: String) {
    guard case .literal(let before)? = last else { return append(.literal(text)) }
    self[count - 1] = .literal(before + text)
  }
}

extension Expression {
  /// The expression about as it was written.
  var text: String {
    switch self {
    case .literal(let value): value.jsonText()
    case .path(let root, let steps): root.value + steps.map(\.text).joined()
    case .call(let function, let arguments):
      function.value + "(" + arguments.map(\.text).joined(separator: ", ") + ")"
    }
  }

  /// Where it stands; literals do not know.
  var range: SourceRange? {
    switch self {
    case .literal: nil
    case .path(let root, _): root.range
    case .call(let function, _): function.range
    }
  }
}

extension Value {
  /// How many values this one consists of; counting ends above `limit`.
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
}
