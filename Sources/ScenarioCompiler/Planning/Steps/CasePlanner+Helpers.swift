internal import Foundations
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// A step `exec:`.
  mutating func plan(_ helper: HelperCommand) -> PlannedStep.Action? {
    let place = EvaluationSite.scenario.at("steps.exec")
    let command: [PlannedText]
    switch helper.command {
    case .shell(let text):
      guard let script = data.text(text, in: place) else { return nil }
      checkScript(script, at: helper.range)
      command = [PlannedText("/bin/sh"), PlannedText("-c"), script]
    case .arguments(let arguments):
      command = texts(arguments, at: "steps.exec")
    }
    let input = helper.standardInput.flatMap { data.text($0, in: place.at("stdin")) }
    let captures = helper.captures.compactMap { planCapture($0) }
    guard captures.count == helper.captures.count, !command.isEmpty else { return nil }
    var planned = PlannedHelper(
      command: command, standardInput: input, captures: captures, range: helper.range)
    planned.workingDirectory = planFolder(helper.workingDirectory, "steps.exec")
    let environment = planEnvironment(helper.environment, "steps.exec")
    planned.environment = environment.isEmpty ? nil : environment
    if let place = helper.place {
      planned.isInWorld = true
      if case .host(let name) = place.value {
        guard isPlace(Located(name, at: place.range)) else { return nil }
        planned.host = name
      }
    }
    return .exec(planned)
  }

  /// Returns whether a name is that of a target which is a host, and so has room for a command; reports it if not.
  private mutating func isPlace(_ name: Located<String>) -> Bool {
    let hosts = Self.targetsOnHosts(of: body)
    if hosts.contains(name.value) { return true }
    if targetNumbers[name.value] != nil {
      report(
        "\"\(name.value)\" has no \"host\" on which a command could run", code: .impossibleStep,
        at: name.range,
        help: "write \"in: world\", or \"host: \(name.value).test\" in the target")
    } else if let target = targetName(ofHost: name.value) {
      report(
        "\"\(name.value)\" is the name of a host, not of a target", code: .unknownEntry,
        at: name.range, help: "write \"in: \(target)\"")
    } else {
      report(
        "unknown host \"\(name.value)\"", code: .unknownEntry, at: name.range,
        help: Suggestion.help(
          for: name.value, in: Set(hosts).union(["world"]), label: "places"))
    }
    return false
  }

  /// A step `build:`.
  mutating func plan(_ fields: [DataField]) -> PlannedStep.Action? {
    var planned: [PlannedBuild] = []
    for field in fields {
      let name = field.key.value
      if let other = body.builds.first(where: { $0.key.value == name }) {
        data.diagnostics.report(
          Diagnostic(
            "\"\(name)\" is already built before the scenario starts", code: .duplicateName,
            at: field.key.range, help: "give it another name",
            notes: [Diagnostic.Note("it is built here", at: other.key.range)]))
      }
      let place = EvaluationSite.scenario.at("steps.build.\(name)")
      if let value = data.data(field.value, in: place) {
        planned.append(PlannedBuild(name: name, data: value))
        data.stepBuilds.updateValue(value, forKey: name)
      }
    }
    return planned.count == fields.count ? .build(planned) : nil
  }

  /// The names of what steps build, for replies, which are made at any time.
  static func buildNames(of steps: [Step]) -> OrderedDictionary<String, PlannedData?> {
    var names: OrderedDictionary<String, PlannedData?> = [:]
    for step in steps {
      switch step.action {
      case .build(let fields):
        for field in fields { names.updateValue(nil, forKey: field.key.value) }
      case .block(_, let during): names.merge(buildNames(of: during)) { first, _ in first }
      default: break
      }
    }
    return names
  }

  /// `cleanup:`, whose steps follow whatever happened.
  mutating func planCleanup() -> [PlannedStep]? {
    guard !body.cleanup.isEmpty else { return nil }
    var planned: [PlannedStep] = []
    for step in body.cleanup {
      // What has happened before cannot be known here.
      var life = TargetLives(unknown: targetNames, terminals: terminals)
      planned += plan([step], &life)
    }
    return planned
  }
}
