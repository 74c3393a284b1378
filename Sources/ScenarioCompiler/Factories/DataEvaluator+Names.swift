internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  private static let clockNames = ExpressionRoot.clock.members
  private static let scenarioNames = ExpressionRoot.scenario.members

  /// Evaluates a path: a field of the object, or one of the language's own names.
  mutating func evaluate(
    _ root: Located<String>, _ steps: [PathStep], in place: EvaluationSite
  ) -> DataOutcome {
    if place.lambdaNames.contains(root.value) {
      return .planned(
        .text(
          PlannedText(segments: [
            .run(RunExpression(root: root.value, steps: steps, range: root.range))
          ])))
    }
    if let frame = place.frame, let slot = frame.plan.bareIndex[root.value],
      slot != place.slot || ExpressionRoot(rawValue: root.value) == nil,
      place.number == nil || root.value != "n"
    {
      return find(steps, in: field(slot, of: frame, usedAt: root.range), root.value, root.range)
    }
    guard let name = ExpressionRoot(rawValue: root.value) else {
      return unknown(root, in: place)
    }
    warnOfHiddenField(root, in: place)
    switch name {
    case .build:
      if case .key(let name)? = steps.first, let built = stepBuilds[name] {
        return stepBuild(built, named: name, root, steps, in: place)
      }
      return object(steps, at: root.range)
    case .seed: return find(steps, in: .integer(seed), named: "seed", at: root.range)
    case .env: return variable(root, steps)
    case .clock: return time(root, steps, in: place)
    case .scenario: return scenario(root, steps)
    case .dir, .request, .capture: return question(root, steps, in: place)
    case .object: return field(of: place.frame, root, steps, in: place)
    case .parent: return field(of: place.frame?.parent, root, steps, in: place)
    case .n: return number(root, steps, in: place)
    case .index: return element(place.index, root, steps)
    case .count: return element(place.count, root, steps)
    case .matrix: return cell(root, steps)
    case .vars: return given(root, steps)
    case .secrets: return secret(root, steps, in: place)
    case .targets: return address(root, steps, in: place)
    case .state: return state(root, steps, in: place)
    }
  }

  private mutating func unknown(
    _ root: Located<String>, in place: EvaluationSite
  ) -> DataOutcome {
    let names = place.frame?.plan.expressionFields ?? ExpressionFields([])
    var diagnostic = ExpressionNames.unknown(
      root, fields: names, place.runNames, isInObject: place.frame != nil)
    if let parent = place.frame?.parent, parent.plan.index[root.value] != nil {
      diagnostic.help =
        "the outer object has this field: write parent.\(root.value); " + (diagnostic.help ?? "")
    }
    diagnostics.report(diagnostic)
    return .failed
  }

  private mutating func warnOfHiddenField(_ root: Located<String>, in place: EvaluationSite) {
    guard let frame = place.frame, let slot = frame.plan.index[root.value], slot != place.slot,
      frame.plan.bareIndex[root.value] == nil
    else { return }
    diagnostics.report(
      Diagnostic(
        "\"\(root.value)\" is a name of the language here, not the field of "
          + "\"\(frame.plan.factory)\"",
        code: .shadowedName, at: root.range, help: "write self.\(root.value) for the field"))
  }

  /// Looks a path up in the value of a field.
  private mutating func find(
    _ steps: [PathStep], in outcome: DataOutcome, _ name: String, _ range: SourceRange
  ) -> DataOutcome {
    switch outcome {
    case .failed: return .failed
    case .value(let value): return find(steps, in: value, named: name, at: range)
    case .planned(let data): return find(steps, in: data, named: name, at: range)
    case .omitted: return steps.isEmpty ? .omitted : find(steps, in: .null, named: name, at: range)
    }
  }

  // MARK: - Objects

  private mutating func object(_ steps: [PathStep], at range: SourceRange) -> DataOutcome {
    guard case .key(let name)? = steps.first, builds[name] != nil else {
      diagnostics.report(
        ExpressionNames.unknownBuild(
          steps,
          stepBuilds.isEmpty
            ? buildNames : ExpressionFields(builds.keys.elements + stepBuilds.keys.elements),
          at: range))
      return .failed
    }
    guard let value = buildValue(name, usedAt: range) else { return .failed }
    return find(Array(steps.dropFirst()), in: value, named: "build.\(name)", at: range)
  }

  /// Evaluates what a step builds, now where nothing in it waits for the run.
  private mutating func stepBuild(
    _ built: PlannedData?, named name: String, _ root: Located<String>, _ steps: [PathStep],
    in place: EvaluationSite
  ) -> DataOutcome {
    guard let built else { return question(root, steps, in: place) }
    let rest = Array(steps.dropFirst())
    let found = find(rest, in: built, named: "build.\(name)", at: root.range)
    if case .failed = found { return .failed }
    // What it holds of captures is what they held when it was built.
    return built.literal == nil ? question(root, steps, in: place) : found
  }

  /// A field by `self.NAME` or `parent.NAME`; `parent.parent` goes further out.
  private mutating func field(
    of start: ObjectFrame?, _ root: Located<String>, _ steps: [PathStep], in place: EvaluationSite
  ) -> DataOutcome {
    var frame = start
    var rest = steps[...]
    var reached = root.value
    while rest.first == .key("parent"), let inner = frame, inner.plan.index["parent"] == nil {
      frame = inner.parent
      rest = rest.dropFirst()
      reached += ".parent"
    }
    guard let frame else {
      let isInObject = place.frame != nil
      diagnostics.report(
        isInObject
          ? "\"\(reached)\" does not exist: this object is not built inside another one"
          : "\"\(root.value)\" is known only in objects of factories",
        code: .notKnownHere, at: root.range,
        help: isInObject
          ? "use it where the object is built inside another one"
          : "use it in the fields of a factory"
      )
      return .failed
    }
    guard case .key(let name)? = rest.first, let slot = frame.plan.index[name] else {
      let located = Located(reached, at: root.range)
      diagnostics.report(
        ExpressionNames.unknownMember(
          of: located, Array(rest), known: frame.plan.expressionFields.known(),
          label: "fields of \"\(frame.plan.factory)\""))
      return .failed
    }
    let value = field(slot, of: frame, usedAt: root.range)
    return find(Array(rest.dropFirst()), in: value, "\(reached).\(name)", root.range)
  }

  private mutating func number(
    _ root: Located<String>, _ steps: [PathStep], in place: EvaluationSite
  ) -> DataOutcome {
    if let number = place.number {
      return find(steps, in: .integer(number), named: "n", at: root.range)
    }
    guard let frame = place.frame else {
      diagnostics.report(
        "\"n\" is known only in objects of factories, and in the value of a sequence",
        code: .notKnownHere, at: root.range, help: "write { $seq: { value: \"${{ n }}\" } }")
      return .failed
    }
    let own: Int64
    if let known = frame.number {
      own = known
    } else {
      own = (objectNumbers[frame.plan.factory] ?? 0) + 1
      objectNumbers[frame.plan.factory] = own
      frame.number = own
    }
    return find(steps, in: .integer(own), named: "n", at: root.range)
  }

  private mutating func element(
    _ number: Int?, _ root: Located<String>, _ steps: [PathStep]
  ) -> DataOutcome {
    guard let number else {
      diagnostics.report(
        "\"\(root.value)\" is known only in lists that $list or \"count\" makes",
        code: .notKnownHere, at: root.range,
        help: "use it below \"of\", or in objects built with \"count\"")
      return .failed
    }
    return find(steps, in: .integer(Int64(number)), named: root.value, at: root.range)
  }

  // MARK: - The scenario

  private mutating func scenario(
    _ root: Located<String>, _ steps: [PathStep]
  ) -> DataOutcome {
    let value: Value
    switch steps.first {
    case .key("name"): value = .string(context.scenario)
    case .key("id"): value = .string("\(context.file)::\(context.scenario)")
    case .key("index"): value = .integer(Int64(context.index))
    case .key("seed"): value = .integer(seed)
    default:
      diagnostics.report(
        ExpressionNames.unknownMember(
          of: root, steps, known: Self.scenarioNames, label: "names of a scenario"))
      return .failed
    }
    let name = root.value + (steps.first?.text ?? "")
    return find(Array(steps.dropFirst()), in: value, named: name, at: root.range)
  }

  /// A value of the matrix, or the whole row.
  private mutating func cell(_ root: Located<String>, _ steps: [PathStep]) -> DataOutcome {
    guard let row = context.row else {
      diagnostics.report(
        "the scenario \"\(context.scenario)\" has no matrix", code: .unknownName,
        at: root.range,
        help: "add one, as in matrix: { plan: [basic, pro] }")
      return .failed
    }
    guard case .key(let name)? = steps.first, row[name] == nil else {
      return find(steps, in: .map(row), named: "matrix", at: root.range)
    }
    diagnostics.report(
      "the row of \"matrix\" has no \"\(name)\"", code: .unknownMember, at: root.range,
      help: Suggestion.help(for: name, in: row.keys, label: "its values")
        + "; every row must have the value")
    return .failed
  }

  /// A value of `vars:`, or all of them.
  private mutating func given(_ root: Located<String>, _ steps: [PathStep]) -> DataOutcome {
    let variables = context.variables
    guard case .key(let name)? = steps.first, variables.values[name] == nil else {
      return find(steps, in: .map(variables.values), named: "vars", at: root.range)
    }
    // A missing or wrong value has been reported at its definition.
    guard !variables.names.contains(name) else { return .failed }
    diagnostics.report(
      "\"vars\" has no \"\(name)\"", code: .unknownMember, at: root.range,
      help: variables.names.isEmpty
        ? "define it, as in vars: { \(name): its default }"
        : Suggestion.help(for: name, in: variables.names, label: "its names")
          + "; define others in \"vars\"")
    return .failed
  }

  /// A value of `secrets: { env: … }`, which the run alone knows.
  private mutating func secret(
    _ root: Located<String>, _ steps: [PathStep], in place: EvaluationSite
  ) -> DataOutcome {
    guard case .key(let name)? = steps.first, context.secrets.contains(name) else {
      var mistake = ExpressionNames.unknownMember(
        of: root, steps, known: context.secrets, label: "names of \"secrets.env\"")
      if context.secrets.isEmpty {
        mistake.help = "name it at the top of the file: secrets: { env: [API_TOKEN] }"
      }
      diagnostics.report(mistake)
      return .failed
    }
    guard steps.count == 1 else {
      diagnostics.report(
        "\"secrets.\(name)\" is text, which has no \"\(steps[1].text)\"", code: .unknownMember,
        at: root.range, help: "read it as JSON with parse_json(secrets.\(name))")
      return .failed
    }
    guard place.runNames != .none else {
      diagnostics.report(
        "\"secrets.\(name)\" is known only while the scenario runs, but this value is computed before",
        code: .notKnownHere, at: root.range,
        help: "use it in target, files, steps, replies or expectations, so that no plan contains it"
      )
      return .failed
    }
    if neededSecrets[name] == nil { neededSecrets[name] = root.range }
    return asking(RunExpression(root: root.value, steps: steps, range: root.range))
  }

  /// The address of a target, which the run alone knows.
  private mutating func address(
    _ root: Located<String>, _ steps: [PathStep], in place: EvaluationSite
  ) -> DataOutcome {
    guard case .key(let name)? = steps.first, context.targets.contains(name) else {
      var mistake = ExpressionNames.unknownMember(
        of: root, steps, known: context.targets, label: "targets")
      if case .key(let name)? = steps.first {
        mistake.message = "\"targets\" has no target \"\(name)\""
      }
      diagnostics.report(mistake)
      return .failed
    }
    guard steps.count == 2, steps[1] == .key("address") else {
      diagnostics.report(
        "\"targets.\(name)\" has only an address", code: .unknownMember,
        at: root.range, help: "write targets.\(name).address")
      return .failed
    }
    if !context.hosts.contains(name) { asksAddresses = true }
    return question(root, steps, in: place)
  }

  /// Evaluates `clock`: for a reply when its request comes, for all else when the scenario begins.
  private mutating func time(
    _ root: Located<String>, _ steps: [PathStep], in place: EvaluationSite
  ) -> DataOutcome {
    guard case .key(let name)? = steps.first, Self.clockNames.contains(name) else {
      diagnostics.report(
        ExpressionNames.unknownMember(
          of: root, steps, known: Self.clockNames, label: "names of a clock"))
      return .failed
    }
    guard !place.isInReply || steps.count > 1 else {
      return asking(RunExpression(root: root.value, steps: steps, range: root.range))
    }
    guard let clock = start(at: root.range) else { return .failed }
    return find(steps, in: clock.clockValue, named: "clock", at: root.range)
  }

  /// The time at which the scenario begins; reported if it does not say.
  mutating func start(at range: SourceRange) -> WallInstant? {
    guard let clock = context.clock else {
      diagnostics.report(
        "the scenario does not set the time at which it starts", code: .notKnownHere, at: range,
        help: "add clock: { at: 2026-03-01T09:00:00Z }, so that every run builds the same objects")
      return nil
    }
    return clock
  }

  private mutating func variable(
    _ root: Located<String>, _ steps: [PathStep]
  ) -> DataOutcome {
    let known = context.environment.map(\.key.value)
    guard case .key(let name)? = steps.first,
      let variable = context.environment.first(where: { $0.key.value == name })
    else {
      if case .key(let name)? = steps.first, context.passedEnvironment.contains(name) {
        diagnostics.report(
          "\"env.\(name)\" comes from outside, but objects must be the same everywhere",
          code: .notKnownHere, at: root.range, help: "write its value in \"env\"")
      } else {
        diagnostics.report(
          ExpressionNames.unknownMember(
            of: root, steps, known: known, label: "variables of \"env\""))
      }
      return .failed
    }
    let label = "env.\(name)"
    switch environmentSlots[name] {
    case .done(let data):
      return find(Array(steps.dropFirst()), in: data, named: label, at: root.range)
    case .failed: return .failed
    case .running:
      reportCycle(label, nil, -1, at: root.range)
      return .failed
    case nil: break
    }
    environmentSlots[name] = .running
    frames.append(Frame(name: label, range: variable.key.range))
    let data = text(variable.value, in: EvaluationSite.scenario.at("target.env.\(name)"))
      .map { $0.literal.map { PlannedData.value(.string($0)) } ?? .text($0) }
    frames.removeLast()
    environmentSlots[name] = data.map { .done($0) } ?? .failed
    guard let data else { return .failed }
    return find(Array(steps.dropFirst()), in: data, named: label, at: root.range)
  }
}
