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
        "expressions of the scenario use more than \(Self.valueLimit) values", code: .tooLarge,
        at: range)
      return .failed
    }
    return .planned(current)
  }

  // MARK: - Questions to the run

  /// Asks for what only the run knows: a value of the run, where the place may have it.
  mutating func question(
    _ root: Located<String>, _ steps: [PathStep], in place: EvaluationSite
  ) -> DataOutcome {
    switch (root.value, place.runNames) {
    case ("dir", .directory), ("dir", .request):
      guard steps.isEmpty else {
        diagnostics.report(
          "\"dir\" is text, which has no \"\(steps[0].text)\"", code: .unknownMember,
          at: root.range,
          help: "write ${{ dir }}/NAME for a path below it")
        return .failed
      }
      return asking(RunExpression(root: root.value, steps: steps, range: root.range))
    case ("build", .directory), ("build", .request):
      return asking(RunExpression(root: root.value, steps: steps, range: root.range))
    case ("targets", .directory):
      return asking(RunExpression(root: root.value, steps: steps, range: root.range))
    case ("targets", .request):
      diagnostics.report(
        "\"targets\" is not known in replies", code: .notKnownHere, at: root.range,
        help: "write the name of the host, which every target resolves")
      return .failed
    case ("capture", .directory), ("capture", .request): return captured(root, steps)
    case ("request", .request(let captures)):
      do throws(Diagnostic) {
        let steps = try RequestNames.normalize(steps, captures: captures, at: root.range)
        return asking(RunExpression(root: root.value, steps: steps, range: root.range))
      } catch {
        diagnostics.report(error)
        return .failed
      }
    case ("request", _):
      diagnostics.report(
        "\"request\" is known only in replies", code: .notKnownHere, at: root.range,
        help: "use it in \"reply\", or in the reply of a short form")
      return .failed
    default:
      diagnostics.report(
        "\"\(root.value)\" is known only while the scenario runs, but objects are built before",
        code: .notKnownHere, at: root.range,
        help: "use it in target, files, steps, replies or expectations")
      return .failed
    }
  }

  /// Evaluates `capture`: a value that a step has captured before.
  private mutating func captured(_ root: Located<String>, _ steps: [PathStep]) -> DataOutcome {
    guard case .key(let name)? = steps.first, captures.contains(name) else {
      if case .key(let name)? = steps.first, let late = lateCaptures[name] {
        diagnostics.report(
          Diagnostic(
            "\"capture.\(name)\" is captured after the last request that a reply can answer",
            code: .notKnownHere, at: root.range,
            help: "capture it while the target runs, after \"- start:\", or before the next run",
            notes: [.init("it is captured here", at: late)]))
        return .failed
      }
      var mistake = ExpressionNames.unknownMember(
        of: root, steps, known: captures.names,
        label: hasOrder ? "captured before" : "captured by steps")
      if captures.names.isEmpty {
        mistake.help =
          "capture it in an earlier step, as in - capture: { token: { stdout: 'token=(\\S+)' } }"
      }
      diagnostics.report(mistake)
      return .failed
    }
    guard steps.count == 1 || !captures.isText(name) else {
      diagnostics.report(
        "\"capture.\(name)\" is text, which has no \"\(steps[1].text)\"", code: .unknownMember,
        at: root.range,
        help: "read it as JSON with parse_json(capture.\(name))")
      return .failed
    }
    return asking(RunExpression(root: root.value, steps: steps, range: root.range))
  }

  /// What the run is asked for.
  func asking(_ question: RunExpression) -> DataOutcome {
    .planned(.text(PlannedText(segments: [.run(question)])))
  }

  /// A value of the state that responses share, or all of it.
  mutating func state(
    _ root: Located<String>, _ steps: [PathStep], in place: EvaluationSite
  ) -> DataOutcome {
    guard place.isInReply || place.seesState else {
      diagnostics.report(
        "\"state\" is known only in replies", code: .notKnownHere, at: root.range,
        help:
          "use it in \"reply\" or \"set\"; check it with \"expect: { state: … }\"")
      return .failed
    }
    if case .key(let name)? = steps.first, !stateNames.contains(name) {
      var mistake = ExpressionNames.unknownMember(
        of: root, steps, known: stateNames, label: "names that are set")
      if stateNames.isEmpty {
        mistake.help =
          "add \"set: { \(name): … }\" to the entry of the requests that set it, or \"state\" to the scenario"
      }
      diagnostics.report(mistake)
      return .failed
    }
    return asking(RunExpression(root: root.value, steps: steps, range: root.range))
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
