internal import FaultEngine
internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `chaos:`, in order.
  ///
  /// - Parameter replies: the names of the entries of `responses:`.
  mutating func planChaos(replies: [String]) -> [PlannedChaos] {
    // A scenario without steps runs its target once.
    let steps = body.steps ?? []
    let known = ChaosNames(
      steps: KnownNames(steps.isEmpty ? ["run"] : Self.stepNames(steps)),
      replies: KnownNames(replies))
    var planned: [PlannedChaos] = []
    // Entries of one name would draw the same random numbers.
    var names = NumberedNames()
    var functionEntries = 0
    checkChaosNames()
    for entry in body.chaos {
      guard var chaos = planChaos(entry, among: known) else { continue }
      chaos.name = names.unique(chaos.name)
      checkEntry(entry, chaos)
      if chaos.functions != nil {
        functionEntries += 1
        checkCount(ofFunctionEntries: functionEntries, with: chaos)
      }
      planned.append(chaos)
    }
    warnOfShadows(among: planned)
    checkEntries(planned)
    return planned
  }

  private mutating func planChaos(_ entry: ChaosEntry, among names: ChaosNames) -> PlannedChaos? {
    var scope = ChaosScope(word: entry.name.value)
    var isComplete = true
    switch entry.victim {
    case .calls(let words):
      let calls = planCalls(words)
      isComplete = calls != nil
      let allocates = words.contains { $0.value == "@alloc" }
      scope.target = .calls(calls ?? [], with: allocates ? .allocations : nil)
      scope.word = words.first?.value ?? scope.word
    case .functions(let names, let place):
      var functions = PlannedFunctions(names, in: place)
      functions.exceptions = entry.exceptions.map(\.value)
      checkFunctions(names, entry.exceptions, place)
      checkRest(of: names, entry.exceptions)
      checkExistence(of: functions, names)
      scope.target = .functions(functions)
      scope.word = functions.names.first ?? scope.word
    case .link(let pattern): return planLink(pattern, of: entry, among: names)
    case .disk(let globs): return planDisk(globs, entry, among: names)
    case .processes(let names):
      let processes = planProcesses(names)
      isComplete = processes != nil
      if let processes { scope.target = .processes(processes) }
    }
    scope.askedKinds = entry.conditions.value.kinds
    let conditions = planConditions(entry.conditions, of: scope)
    scope.outerConditions = [conditions]
    let schedule = planSchedule(entry.schedule, of: entry.range, among: names)
    guard let provider = planProvider(entry.provider, of: scope), isComplete else { return nil }
    let planned = PlannedChaos(
      name: entry.name.value, target: scope.target, conditions: conditions, schedule: schedule,
      provider: provider, isApplied: entry.isApplied, range: entry.range)
    checkProcessEntry(entry, planned)
    return planned
  }

  /// Returns the calls that words mean, each once; `nil` if one of the words means none.
  private mutating func planCalls(_ words: [Located<String>]) -> [PlannedCall]? {
    var calls: [PlannedCall]? = []
    for word in words {
      let found = data.diagnostics.catching(as: .unknownCall, at: word.range) {
        () throws(PatternError) in
        try PlannedCall.named(word.value)
      }
      guard let found else {
        calls = nil
        continue
      }
      for call in found where calls?.contains(call) == false { calls?.append(call) }
    }
    return calls
  }

  private mutating func planDisk(
    _ globs: [Located<String>], _ entry: ChaosEntry, among names: ChaosNames
  ) -> PlannedChaos? {
    let scope = ChaosScope(word: entry.name.value, target: .disk(PlannedDisk(files: []), calls: []))
    let conditions = planConditions(entry.conditions, of: scope)
    let schedule = planSchedule(entry.schedule, of: entry.range, among: names)
    guard let (target, provider) = planDisk(globs, of: entry) else { return nil }
    return PlannedChaos(
      name: entry.name.value, target: target, conditions: conditions, schedule: schedule,
      provider: provider, isApplied: entry.isApplied, range: entry.range)
  }

  // MARK: - Conditions

  /// `where:` of an entry, or of a branch of `match:`.
  mutating func planConditions(
    _ conditions: WrittenConditions, of scope: ChaosScope
  ) -> ChaosConditions {
    checkSubjects(conditions, of: scope)
    checkSatisfiable(conditions, of: scope)
    checkContradictions(conditions, of: scope)
    checkGroup(conditions, of: scope)
    var planned = ChaosConditions()
    for (condition, test, range) in conditions.asked {
      switch test {
      case .pattern(let text):
        let isHost = condition.declaration.question == .pattern(.host)
        planned[condition] = glob(Located(text, at: range)).map {
          .pattern(isHost ? $0.text.lowercased() : $0.text)
        }
      case .flags:
        let names = conditions.flags.compactMap { flag($0, of: scope) }
        planned[condition] = names.isEmpty ? nil : .flags(names)
      case .number, .kinds, .arguments, .ordinal: planned[condition] = test
      }
    }
    return planned
  }

  /// Reports conditions that cannot be evaluated for the entry's target.
  private mutating func checkSubjects(_ conditions: WrittenConditions, of scope: ChaosScope) {
    for asked in conditions.asked {
      guard let mistake = scope.mistake(in: asked.condition) else { continue }
      report(mistake.message, code: .impossibleCondition, at: asked.range, help: mistake.help)
    }
  }

  private mutating func flag(_ name: Located<String>, of scope: ChaosScope) -> String? {
    let kinds = Set(scope.traits.compactMap(\.flagKind))
    let names = kinds.flatMap { $0.table.map(\.name) }
    if scope.calls.isEmpty || names.contains(name.value) { return name.value }
    report(
      names.isEmpty
        ? "\"\(scope.word)\" has no flags" : "unknown flag \"\(name.value)\" of \"\(scope.word)\"",
      code: .unknownValue, at: name.range,
      help: names.isEmpty
        ? "remove \"flags\"" : Suggestion.help(for: name.value, in: names, label: "known flags"))
    return nil
  }

  mutating func glob(_ text: Located<String>) -> GlobPattern? {
    data.diagnostics.catching(as: .badPattern, at: text.range) { () throws(PatternError) in
      let pattern = GlobPattern(text.value)
      try pattern.validate()
      return pattern
    }
  }

  // MARK: - Schedule

  mutating func planSchedule(
    _ written: WrittenSchedule, of range: SourceRange, among names: ChaosNames
  ) -> ChaosSchedule {
    var written = written
    if let expression = written.placeExpression {
      written.value.places = planPlaces(expression)
      written.ranges["nth"] = expression.range
    }
    var planned = written.value
    planned.from = written.part("from", \.from).flatMap { instant($0, "from") }
    planned.until = written.part("until", \.until).flatMap { instant($0, "until") }
    if let from = planned.from, let until = planned.until, Self.isEmpty(from, until),
      let range = written.ranges["until"]
    {
      report(
        "\"until\" is not after \"from\", so the entry never fires", code: .neverFires,
        at: range,
        help: "write a later instant")
    }
    checkPlaces(of: written)
    if planned.probability == 0 {
      report(
        "the entry never fires: its probability is 0", code: .neverFires, at: range,
        help: "write a number above 0, such as 0.1")
    }
    if let step = written.part("during", \.during), !names.steps.contains(step.value) {
      report(
        "unknown step \"\(step.value)\"", code: .unknownEntry, at: step.range,
        help: names.steps.help(for: step.value, label: "steps"))
    }
    if let event = written.part("on", \.event) {
      let reply = event.value.reply
      if !names.replies.contains(reply) {
        report(
          "unknown response \"\(reply)\"", code: .unknownEntry, at: event.range,
          help: names.replies.help(for: reply, label: "responses"))
      }
      checkEvent(event)
    }
    return planned
  }

  /// `nth:` by an expression: a number, or a list of some.
  private mutating func planPlaces(_ expression: DataNode) -> [Int] {
    guard let value = data.data(expression, in: EvaluationSite.build.at("nth"))?.literal else {
      return []
    }
    var numbers: [Value] = [value]
    if case .list(let list) = value { numbers = list }
    let places = numbers.compactMap { number -> Int? in
      guard case .integer(let place) = number, place >= 1 else { return nil }
      return Int(place)
    }
    guard !places.isEmpty, places.count == numbers.count else {
      report(
        "\"nth\" must be a whole number of at least 1, not \(value.excerpt(limit: 40))",
        code: .outOfRange,
        at: expression.range,
        help: "write an expression that gives a number of at least 1, or a list of them")
      return []
    }
    return places.sorted()
  }

  private mutating func instant(
    _ instant: Located<InstantExpression>, _ key: String
  ) -> InstantExpression? {
    usesTime = true
    if case .day = instant.value {
      report(
        "\"\(key)\" is another instant each time it is read", code: .badInstant,
        at: instant.range,
        help: "write +30s for a time since the start, or an instant such as 2026-03-01T09:00:00Z")
      return nil
    }
    return instant.value
  }

  private static func isEmpty(_ from: InstantExpression, _ until: InstantExpression) -> Bool {
    switch (from, until) {
    case (.shift(let first), .shift(let last)): first >= last
    case (.absolute(let first), .absolute(let last)): first >= last
    default: false
    }
  }

  /// The names of all steps, blocks opened up; a step without a name has its keyword.
  private static func stepNames(_ steps: [Step]) -> [String] {
    steps.flatMap { step -> [String] in
      let own = [step.name?.value ?? step.keyword.value]
      guard case .block(_, let during) = step.action else { return own }
      return own + stepNames(during)
    }
  }
}

/// The names that fault rules can use.
struct ChaosNames {
  /// The steps of the scenario.
  var steps: KnownNames
  /// The entries of `responses:`.
  var replies: KnownNames
}
