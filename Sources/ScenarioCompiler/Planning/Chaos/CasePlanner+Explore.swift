internal import FaultEngine
internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `explore:`; without it what suits most programs, where exploring was asked for.
  mutating func planExploration() -> PlannedExploration? {
    guard body.explore != nil || options.exploration != nil else { return nil }
    let settings = body.explore ?? ExploreSettings(at: entry.range)
    let overrides = options.exploration ?? ExplorationOverrides()
    var victims = settings.points
    if !overrides.points.isEmpty {
      victims = overrides.points.map { .calls([Located($0, at: settings.range)]) }
    } else if victims.isEmpty {
      victims = PlannedExploration.usualPoints.map { .calls([Located($0, at: settings.range)]) }
    }
    let conditions = settings.conditions
    let surveys = victims.compactMap { survey($0, conditions?.value, isAlone: victims.count == 1) }
    let errors = plan(settings.errors)
    let kinds = settings.kinds.isEmpty ? [.error] : settings.kinds
    checkTransfers(kinds, of: surveys, at: settings.range)
    checkErrors(settings.errors, of: surveys, victims)
    var life = TargetLives(names: targetNames)
    let then = settings.then.isEmpty ? [] : plan(settings.then, &life)
    var exploration = PlannedExploration(
      surveys: surveys, errors: errors,
      modes: settings.modes.isEmpty ? FaultMode.allCases : settings.modes, kinds: kinds,
      grain: settings.grain ?? .call, runLimit: overrides.runLimit ?? settings.runLimit,
      timeLimit: overrides.timeLimit ?? settings.timeLimit,
      ignored: settings.ignored.compactMap { ignored($0) }, then: then,
      folder: PathText.join(folder, Self.explorationFolder), range: settings.range)
    exploration.leakGrace = settings.leakGrace ?? PlannedExploration.usualLeakGrace
    exploration.acceptedLeaks = settings.acceptedLeaks.compactMap { ignored($0) }
    // Who names files means these, whatever they are there for.
    exploration.includesStartup =
      settings.includesStartup ?? (conditions?.value.value[.path] != nil)
    exploration.isExplicit =
      overrides.points.isEmpty && (!settings.points.isEmpty || conditions != nil)
    if let save = settings.save { exploration.folder = PathText.join(folder, save.value) }
    if let place = overrides.folder { exploration.folder = place }
    return exploration
  }

  /// The folder of what was found, beside the scenario file.
  static let explorationFolder = "__explored__"

  private mutating func ignored(_ text: Located<String>) -> GlobPattern? {
    data.diagnostics.catching(as: .badPattern, at: text.range) { () throws(PatternError) in
      let pattern = GlobPattern(text.value)
      try pattern.validate()
      return pattern
    }
  }

  /// An entry that sees the calls of a point.
  ///
  /// - Parameter isAlone: Whether conditions that the point cannot have are mistakes: of several points
  ///   they hold for those that can have them.
  private mutating func survey(
    _ victim: FaultTarget, _ conditions: WrittenConditions?, isAlone: Bool
  ) -> PlannedChaos? {
    let target: PlannedFaultTarget
    let word: Located<String>
    switch victim {
    case .calls(let names):
      guard let name = names.first else { return nil }
      word = name
      guard let found = knownCalls(name) else { return nil }
      var calls: [PlannedCall] = []
      for call in found where !calls.contains(where: { $0.name == call.name }) {
        calls.append(call)
      }
      target = .calls(calls, with: name.value == "@alloc" ? .allocations : nil)
    case .functions(let names, let place):
      guard let name = names.first else { return nil }
      word = name
      let named = PlannedFunctions(names, in: place)
      target = .functions(named)
      checkFunctions(names, [], place)
      checkExistence(of: named, names)
      checkExploredFunctions(names, in: place)
    // What `points:` cannot name.
    case .link, .disk, .processes: return nil
    }
    let scope = ChaosScope(word: word.value, target: target)
    var planned = ChaosConditions()
    if let conditions {
      guard isAlone || !scope.isForeign(to: conditions) else { return nil }
      planned = planConditions(conditions, of: scope)
    }
    return PlannedChaos(
      name: word.value, target: target, conditions: planned, provider: .original,
      range: word.range)
  }

  private mutating func knownCalls(_ name: Located<String>) -> [PlannedCall]? {
    if let mistake = PlannedExploration.mistake(inPoint: name.value) {
      report(mistake.message, code: .unknownCall, at: name.range, help: mistake.help)
      return nil
    }
    return try? PlannedCall.named(name.value)
  }

  private mutating func plan(_ errors: ExploreSettings.Errors?) -> PlannedExploration.Errors {
    switch errors {
    case .practical?, nil: return .practical
    case .documented?: return .documented
    case .among(let names)?:
      return .among(
        names.compactMap { name in
          data.diagnostics.catching(as: .unknownCall, at: name.range) { () throws(PatternError) in
            try ErrorNumber.named(name.value)
          }
        })
    }
  }

  private mutating func checkTransfers(
    _ kinds: [FaultKind], of surveys: [PlannedChaos], at range: SourceRange
  ) {
    guard kinds == [.short],
      !surveys.contains(where: { $0.calls.contains { $0.canBeShortened } })
    else { return }
    report(
      "none of the points can be made short: they transfer no bytes", code: .impossibleProvider,
      at: range,
      help: "name calls such as @read or @write in \"call\"")
  }
}
