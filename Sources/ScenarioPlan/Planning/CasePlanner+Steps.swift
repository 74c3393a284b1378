internal import ScenarioModel

extension CasePlanner {
  /// The steps; one `run` where the scenario has none.
  mutating func planSteps() -> [PlannedStep] {
    guard let steps = body.steps, !steps.isEmpty else {
      return [
        PlannedStep(
          name: "run", action: .run(arguments: []), expect: [],
          range: body.target?.commandRange ?? entry.range)
      ]
    }
    checkBeginning(of: steps)
    var life = TargetLife()
    let planned = plan(steps, &life)
    if life.state == .new, let first = steps.first {
      report(
        "no step starts the target", code: .impossibleStep, at: first.keyword.range,
        help: "add \"- run:\", or \"- start:\" to go on while it runs")
    }
    return planned
  }

  /// Blocks nest as deep as the decoder lets an author nest them.
  mutating func plan(_ steps: [Step], _ life: inout TargetLife) -> [PlannedStep] {
    steps.compactMap { step in
      if let mistake = life.mistake(in: step.action) {
        report(mistake.message, code: .impossibleStep, at: step.keyword.range, help: mistake.help)
      }
      let action = plan(step.action, of: step, &life)
      let expect = planExpectations(step.expect, in: .scenario)
      return action.map { action in
        PlannedStep(
          name: step.name?.value ?? step.keyword.value, action: action, expect: expect,
          range: step.keyword.range)
      }
    }
  }

  private mutating func plan(
    _ action: Step.Action, of step: Step, _ life: inout TargetLife
  ) -> PlannedStep.Action? {
    switch action {
    case .run(let arguments): return .run(arguments: texts(arguments, at: "steps.run"))
    case .start(let arguments): return .start(arguments: texts(arguments, at: "steps.start"))
    case .stop: return .stop
    case .signal(let name):
      return data.diagnostics.catching(as: .badSignal, at: name.range) { () throws(PatternError) in
        let (name, number) = try SignalName.named(name.value)
        return .signal(name: name, number: number)
      }
    case .send(let node): return data.text(node, in: .scenario).map(PlannedStep.Action.send)
    case .closeStandardInput: return .closeStandardInput
    case .wait(.exit): return .waitForExit
    case .wait(.output(let text)):
      checkWait(for: text)
      return expression(text).map(PlannedStep.Action.waitForOutput)
    case .wait(.errorOutput(let text)):
      checkWait(for: text)
      return expression(text).map(PlannedStep.Action.waitForErrorOutput)
    case .respond:
      defer { respondStepCount += 1 }
      return .respond(respondStepCount)
    case .travel, .jump, .freeze, .tick, .settle, .suspend, .rate, .returnToPresent:
      usesTime = true
      return time(action)
    case .apply(let selection, let seed): return .apply(planSelection(selection), seed: seed)
    case .revert(let selection): return .revert(planSelection(selection))
    case .block(let inner, let during):
      usesTime = true
      guard inner.endsWithBlock else {
        report(
          "\"\(step.keyword.value)\" has no block form", code: .impossibleStep,
          at: step.keyword.range,
          help: "travel, jump, freeze and rate can have \"during\"")
        return nil
      }
      if let mistake = life.mistake(inBlock: during) {
        report(mistake.message, code: .impossibleStep, at: step.keyword.range, help: mistake.help)
      }
      let steps = plan(during, &life)
      return time(inner).map { .block($0, during: steps) }
    case .expect: return .expect
    case .capture(let rules):
      let planned = rules.compactMap { planCapture($0) }
      return planned.count == rules.count ? .capture(planned) : nil
    }
  }

  private mutating func planCapture(_ rule: CaptureRule) -> PlannedCapture? {
    if !data.captures.contains(rule.name.value) { data.captures.append(rule.name.value) }
    return expression(rule.expression).map {
      PlannedCapture(
        name: rule.name.value, source: rule.source, expression: $0, range: rule.name.range)
    }
  }

  /// Arguments; `address` is what random values in them depend on.
  mutating func texts(_ nodes: [DataNode], at address: String) -> [PlannedText] {
    nodes.enumerated().flatMap { index, node in
      data.arguments(node, in: DataPlace.scenario.at("\(address)[\(index)]"))
    }
  }

  /// A regular expression that is known to be well formed.
  mutating func expression(_ text: Located<String>) -> RegularExpression? {
    data.diagnostics.catching(as: .badRegularExpression, at: text.range) {
      () throws(PatternError) in
      let expression = RegularExpression(text.value)
      try expression.validate()
      return expression
    }
  }
}

extension Step.Action {
  fileprivate var endsWithBlock: Bool {
    switch self {
    case .travel, .jump, .freeze, .rate: true
    default: false
    }
  }
}
