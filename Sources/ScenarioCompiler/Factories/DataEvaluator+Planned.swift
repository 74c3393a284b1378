internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  /// Looks a path up in data that may wait for the run.
  mutating func find(
    _ steps: [PathStep], in data: PlannedData, named name: String, at range: SourceRange
  ) -> DataOutcome {
    var current = data
    var reached = name
    for (index, step) in steps.enumerated() {
      if case .value(let value) = current {
        return find(Array(steps[index...]), in: value, named: reached, at: range)
      }
      switch (step, current) {
      case (.key(let key), .map(let members)):
        guard let member = members[key] else {
          diagnostics.report(
            "\"\(reached)\" has no key \"\(key)\"", code: .unknownMember, at: range,
            help: Suggestion.help(for: key, in: members.keys, label: "its keys"))
          return .failed
        }
        current = member
      case (.index(let place), .list(let elements)) where elements.indices.contains(place):
        current = elements[place]
      case (_, .text(let text)):
        guard case .run(let question)? = text.segments.first, text.segments.count == 1 else {
          fallthrough
        }
        // What the run finds there is asked further.
        return .planned(
          .text(PlannedText(segments: [.run(question.appending(Array(steps[index...])))])))
      default:
        diagnostics.report(
          "\"\(reached)\" is \(current.kindWithArticle), which has no \"\(step.text)\"",
          code: .badOperands, at: range)
        return .failed
      }
      reached += step.text
    }
    if case .value(let value) = current { return find([], in: value, named: reached, at: range) }
    valueCount += current.count(upTo: Self.valueLimit)
    guard valueCount <= Self.valueLimit else {
      abort(
        "expressions of the scenario bring in more than \(Self.valueLimit) values", code: .tooLarge,
        at: range)
      return .failed
    }
    return .planned(current)
  }
}

extension PlannedData {
  /// The kind of the data, in the words of an author.
  var kindWithArticle: String {
    switch self {
    case .value(let value): value.kindWithArticle
    case .text: "text"
    case .list: "a list"
    case .map: "a map"
    }
  }

  /// The data as an expression that the run can finish.
  var expression: Expression {
    switch self {
    case .value(let value): return .literal(value)
    case .list(let elements): return .list(elements.map(\.expression))
    case .map(let members):
      return .map(
        members.map { key, value in
          ExpressionMember(
            key: Located(key, at: SourceRange(file: "", line: 1, column: 1)),
            value: value.expression)
        })
    case .text(let text):
      if text.segments.count == 1, case .run(let question) = text.segments[0] {
        return question.wholeExpression
      }
      let place = SourceRange(file: "", line: 1, column: 1)
      let parts = text.segments.map { segment in
        switch segment {
        case .literal(let text): Expression.literal(.string(text))
        case .run(let question):
          Expression.call(
            function: Located("string", at: question.range), arguments: [question.wholeExpression])
        }
      }
      return .call(
        function: Located("join", at: place),
        arguments: [.list(parts), .literal(.string(""))])
    }
  }

  /// The number of values that this one consists of; counting ends above `limit`.
  fileprivate func count(upTo limit: Int) -> Int {
    var pending = [self]
    var count = 0
    while let data = pending.popLast(), count <= limit {
      count += 1
      switch data {
      case .list(let elements): pending += elements
      case .map(let members): pending += members.values
      case .value(let value): count += value.count(upTo: limit)
      case .text: break
      }
    }
    return count
  }
}
