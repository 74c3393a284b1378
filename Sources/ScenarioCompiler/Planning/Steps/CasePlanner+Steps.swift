internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// The steps; one `run` where the scenario has none.
  mutating func planSteps() -> [PlannedStep] {
    guard let steps = body.steps, !steps.isEmpty else {
      if body.target == nil, let first = body.targets.first {
        let name = first.name.value
        report(
          "no step starts any of the targets", code: .impossibleStep, at: first.name.range,
          help: "add steps: steps: [{ start: \(name) }, …], or [{ run: \(name) }]")
      }
      var life = TargetLives(names: targetNames, terminals: terminals)
      _ = life.mistake(in: .run([]), of: nil)
      checkStarts(of: body.expect, life)
      warnOfUnstarted(life)
      return [
        PlannedStep(
          name: "run", action: .run(arguments: []), expect: [],
          range: body.target?.commandRange ?? entry.range)
      ]
    }
    checkBeginning(of: steps)
    var life = TargetLives(names: targetNames, terminals: terminals)
    let planned = plan(steps, &life)
    if !life.hasBegun, let first = steps.first {
      report(
        "no step starts the target", code: .impossibleStep, at: first.keyword.range,
        help: !Self.haveStart(steps)
          ? "add \"- run:\", or \"- start:\" to continue while it runs"
          : "the \"if\" of each step that starts it is false in this case: start it unconditionally, or skip the"
            + " case with \"skip: { if: … }\"")
    }
    if life.hasBegun { checkStarts(of: body.expect, life) }
    warnOfUnstarted(life)
    return planned
  }

  /// Warns of targets of the scenario's own, or of its file's only scenario, that no step starts.
  ///
  /// Those of the top may be for other scenarios, and one on a host may be there to be out of reach. A step that is left
  /// out by its `if:` in one case is performed in another, and what ends a case may start a target, too.
  private mutating func warnOfUnstarted(_ life: TargetLives) {
    guard life.hasBegun else { return }
    let first = body.target == nil ? 0 : 1
    let named = targetNames(startedBy: (body.steps ?? []) + body.cleanup)
    for (place, target) in body.targets.enumerated()
    where target.settings.host == nil && !named.contains(target.name.value) {
      let range = target.name.range
      let isOwn =
        isWholeFile
        || (entry.range.line...max(entry.range.line, entry.lastLine)).contains(range.line)
      guard range.file == file, isOwn, !life.hasBegun(first + place) else { continue }
      warn(
        "no step starts \"\(target.name.value)\"", code: .unused, at: range,
        help: "add \"- start: \(target.name.value)\", or remove the target")
    }
  }

  /// The names of targets that steps start, whether they are performed or not.
  private func targetNames(startedBy steps: [Step]) -> Set<String> {
    let only = body.target == nil && body.targets.count == 1 ? body.targets.first?.name.value : nil
    return steps.reduce(into: []) { names, step in
      switch step.action {
      case .run, .start: names.formUnion([step.target?.value ?? only].compactMap { $0 })
      case .block(_, let during): names.formUnion(targetNames(startedBy: during))
      default: break
      }
    }
  }

  /// Returns whether a step among some starts a target, whether it is performed or not.
  private static func haveStart(_ steps: [Step]) -> Bool {
    steps.contains { step in
      switch step.action {
      case .run, .start: true
      case .block(_, let during): haveStart(during)
      default: false
      }
    }
  }

  /// Checks that only targets that were started are expected to have an end and an output.
  private mutating func checkStarts(of block: ExpectationBlock?, _ life: TargetLives) {
    checkStarts(of: block?.entries ?? [], life)
  }

  private mutating func checkStarts(of entries: [ExpectationBlock.Entry], _ life: TargetLives) {
    for entry in entries {
      switch entry.subject {
      case .tolerated(let inner), .repeated(_, let inner): checkStarts(of: inner, life)
      default: break
      }
      guard let name = entry.target, let index = targetNames.firstIndex(of: name.value),
        !life.hasBegun(index)
      else { continue }
      report(
        "no step starts \"\(name.value)\" before this", code: .impossibleStep, at: name.range,
        help: "add \"- start: \(name.value)\", or \"- run: \(name.value)\"")
    }
  }

  /// Blocks nest as deep as the decoder lets an author nest them.
  mutating func plan(_ steps: [Step], _ life: inout TargetLives) -> [PlannedStep] {
    steps.compactMap { step in
      let settings = planSettings(of: step)
      // What is not performed changes nothing of what follows.
      var before = life
      defer { if settings?.isSkipped ?? false { swap(&life, &before) } }
      let index =
        step.target == nil && !step.needsTarget
        ? nil
        : target(
          step.target, at: step.keyword.range, isStop: step.keyword.value == "stop")
      if let mistake = life.mistake(in: step.action, of: index) {
        report(mistake.message, code: .impossibleStep, at: step.keyword.range, help: mistake.help)
      }
      checkTerminal(for: step, of: index)
      let action = plan(step.action, of: step, &life)
      if !(settings?.isSkipped ?? false) { checkStarts(of: step.expect, life) }
      let expect = planExpectations(step.expect, in: .scenario, of: step)
      return action.map { action in
        var planned = PlannedStep(
          name: step.name?.value ?? step.keyword.value, action: action, expect: expect,
          range: step.keyword.range)
        planned.target = index
        planned.settings = settings
        planned.description = step.settings.description?.value
        return planned
      }
    }
  }

  private mutating func plan(
    _ action: Step.Action, of step: Step, _ life: inout TargetLives
  ) -> PlannedStep.Action? {
    switch action {
    case .run(let arguments): return .run(arguments: texts(arguments, at: "steps.run"))
    case .start(let arguments):
      defer { recordReadiness(of: step) }
      return .start(arguments: texts(arguments, at: "steps.start"))
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
    case .wait(.screen(let text)):
      checkWait(for: text)
      return expression(text).map(PlannedStep.Action.waitForScreen)
    case .respond:
      defer { respondStepCount += 1 }
      return .respond(respondStepCount)
    case .set(let fields): return planStateStep(fields)
    case .resolve:
      defer { nameStepCount += 1 }
      return .resolve(nameStepCount)
    case .adjust(let length, let time): return planAdjustment(of: step, by: length, over: time)
    case .travel, .jump, .freeze, .tick, .settle, .suspend, .rate, .returnToPresent:
      usesTime = true
      return time(action)
    case .pause(let bound): return .pause(atMost: bound?.value)
    case .apply(let selection, let seed): return .apply(planSelection(selection), seed: seed)
    case .revert(let selection): return .revert(planSelection(selection))
    case .partition(let groups): return planPartition(groups, of: step)
    case .heal(let selection): return planHealing(selection)
    case .block(let inner, let during):
      usesTime = true
      guard inner.endsWithBlock else {
        report(
          "\"\(step.keyword.value)\" has no block form", code: .impossibleStep,
          at: step.keyword.range,
          help: "travel, jump, freeze and rate can have \"steps\"")
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
    case .closeOutput(let stream): return .closeOutput(stream)
    case .signalProcess(let name, let process):
      return data.diagnostics.catching(as: .badSignal, at: name.range) { () throws(PatternError) in
        let (name, number) = try SignalName.named(name.value)
        return .signalProcess(name: name, number: number, process: process.value)
      }
    case .exec(let helper): return plan(helper)
    case .build(let fields): return plan(fields)
    case .write(let file): return planFile(file, "steps.write").map { .write($0) }
    case .press(let keys): return .press(keys)
    case .resize(let size): return .resize(size)
    }
  }

  /// Records the captures of a target's readiness, which later steps may name.
  private mutating func recordReadiness(of step: Step) {
    for name in readinessNames(ofTarget: number(of: step.target)) {
      data.captures.insert(name, isText: true)
    }
  }

  /// Arguments; `address` is what random values in them depend on.
  mutating func texts(_ nodes: [DataNode], at address: String) -> [PlannedText] {
    nodes.enumerated().flatMap { index, node in
      data.arguments(node, in: EvaluationSite.scenario.at("\(address)[\(index)]"))
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

extension Step {
  /// True if the step does something with a target.
  var needsTarget: Bool {
    switch action {
    case .run, .start, .stop, .signal, .send, .closeStandardInput, .wait, .capture, .closeOutput,
      .signalProcess, .press, .resize, .adjust:
      true
    default: false
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
