internal import OrderedCollections
internal import ScenarioModel

extension DataEvaluator {
  /// What stands at a path in the value of a field, which may wait for the run.
  mutating func find(
    _ steps: [PathStep], in data: PlannedData, named name: String, at range: SourceRange
  ) -> Outcome? {
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
            "\"\(reached)\" has no key \"\(key)\"", at: range,
            help: Suggestion.help(for: key, in: members.keys, label: "its keys"))
          return nil
        }
        current = member
      case (.index(let place), .list(let elements)) where elements.indices.contains(place):
        current = elements[place]
      case (_, .text(let text)):
        guard case .run(var question)? = text.segments.first, text.segments.count == 1 else {
          fallthrough
        }
        // What the run finds there is asked further.
        question.steps += steps[index...]
        return .run(question)
      default:
        diagnostics.report(
          "\"\(reached)\" is \(current.kindWithArticle), which has no \"\(step.text)\"", at: range)
        return nil
      }
      reached += step.text
    }
    if case .value(let value) = current { return find([], in: value, named: reached, at: range) }
    valueCount += current.count(upTo: Self.valueLimit)
    guard valueCount <= Self.valueLimit else {
      abort("expressions of the scenario bring in more than \(Self.valueLimit) values", at: range)
      return nil
    }
    return .planned(current)
  }
}

extension PlannedData {
  /// What kind of data it is, in the words of an author.
  var kindWithArticle: String {
    switch self {
    case .value(let value): value.kindWithArticle
    case .text: "text"
    case .list: "a list"
    case .map: "a map"
    }
  }

  /// How many values this one consists of; counting ends above `limit`.
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
