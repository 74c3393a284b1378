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
    var calls: [PlannedCall] = []
    var functions: PlannedFunctions?
    var processes: PlannedProcesses?
    var isComplete = true
    let words: [Located<String>]
    switch entry.victim {
    case .calls(let names):
      words = names
      if names.contains(where: { $0.value == "@alloc" }) { functions = .allocations }
    case .functions(let names, let place):
      functions = PlannedFunctions(names, in: place)
      functions?.exceptions = entry.exceptions.map(\.value)
      checkFunctions(names, entry.exceptions, place)
      checkRest(of: names, entry.exceptions)
      if let functions { checkExistence(of: functions, names) }
      words = []
    case .link(let pattern):
      return planLink(pattern, of: entry, among: names)
    case .disk(let globs): return planDisk(globs, entry, among: names)
    case .processes(let names):
      processes = planProcesses(names)
      isComplete = processes != nil
      words = []
    }
    for word in words {
      let found = data.diagnostics.catching(as: .unknownCall, at: word.range) {
        () throws(PatternError) in
        try PlannedCall.named(word.value)
      }
      isComplete = isComplete && found != nil
      for call in found ?? [] where !calls.contains(call) { calls.append(call) }
    }
    var scope = ChaosScope(
      calls: isComplete ? calls : [], functions: functions,
      word: words.first?.value ?? functions?.names.first ?? entry.name.value,
      isProcess: processes != nil)
    scope.askedKinds = entry.conditions.kinds.map(\.value)
    let conditions = planConditions(entry.conditions, of: scope)
    scope.outerConditions = [conditions]
    let schedule = planSchedule(entry.schedule, of: entry.range, among: names)
    guard let provider = planProvider(entry.provider, of: scope), isComplete else { return nil }
    var planned = PlannedChaos(
      name: entry.name.value, calls: calls, functions: functions, conditions: conditions,
      schedule: schedule,
      provider: provider, isApplied: entry.isApplied, range: entry.range)
    planned.processes = processes
    checkProcessEntry(entry, planned)
    return planned
  }

  private mutating func planDisk(
    _ globs: [Located<String>], _ entry: ChaosEntry, among names: ChaosNames
  ) -> PlannedChaos? {
    let scope = ChaosScope(calls: [], functions: nil, word: entry.name.value)
    let conditions = planConditions(entry.conditions, of: scope)
    let schedule = planSchedule(entry.schedule, of: entry.range, among: names)
    guard let (disk, calls, provider) = planDisk(globs, of: entry) else { return nil }
    return PlannedChaos(
      name: entry.name.value, calls: calls, conditions: conditions, schedule: schedule,
      provider: provider, isApplied: entry.isApplied, range: entry.range, disk: disk)
  }

  // MARK: - Conditions

  /// `where:` of an entry, or of a branch of `match:`.
  mutating func planConditions(
    _ conditions: ChaosConditions, of scope: ChaosScope
  ) -> PlannedChaosConditions {
    checkLinkSubjects(conditions, of: scope)
    checkSubjects(conditions, of: scope)
    checkSatisfiable(conditions, of: scope)
    checkContradictions(conditions, of: scope.link)
    checkGroup(conditions, of: scope)
    var planned = PlannedChaosConditions()
    planned.path = conditions.path.flatMap { glob($0) }
    planned.kinds = conditions.kinds.map(\.value)
    planned.host = conditions.host.flatMap { glob($0) }.map { GlobPattern($0.text.lowercased()) }
    planned.port = conditions.port?.value
    planned.size = conditions.size?.value
    planned.offset = conditions.offset?.value
    planned.flags = conditions.flags.compactMap { flag($0, of: scope) }
    planned.arguments = conditions.arguments.map {
      .init(index: $0.index.value, condition: $0.condition)
    }
    planned.thread = conditions.thread.flatMap { glob($0) }
    planned.caller = conditions.caller.flatMap { glob($0) }
    switch conditions.process?.value {
    case .program(let text)?:
      let range = conditions.process?.range ?? entry.range
      planned.program = glob(Located(text, at: range))
    case .ordinal(let number)?: planned.process = number
    case nil: break
    }
    return planned
  }

  private mutating func checkSubjects(_ conditions: ChaosConditions, of scope: ChaosScope) {
    guard scope.functions == nil else { return checkFunctionSubjects(conditions, of: scope) }
    guard !scope.calls.isEmpty else { return }
    if let caller = conditions.caller {
      report(
        "\"caller\" can be told of functions alone", code: .impossibleCondition, at: caller.range,
        help: "take it out, or name a function: function: malloc")
    }
    if let path = conditions.path, !scope.hasPath {
      report(
        "\"\(scope.word)\" takes neither a path nor a file", code: .impossibleCondition,
        at: path.range,
        help: scope.hasHost
          ? "match it by host: where: { host: api.example.com }" : "take out \"path\"")
    }
    for address in [conditions.host?.range, conditions.port?.range].compactMap(\.self)
    where !scope.hasHost {
      report(
        "\"\(scope.word)\" takes no address", code: .impossibleCondition, at: address,
        help: "take out \"host\" and \"port\", or name a call such as connect, send or recv")
    }
    if let kind = conditions.kinds.first, !scope.hasDescriptor {
      report(
        "\"\(scope.word)\" takes no descriptor", code: .impossibleCondition, at: kind.range,
        help: "take out \"fd\", or name a call such as read, write or fsync")
    }
    if let size = conditions.size,
      !scope.traits.contains(where: { $0.size != nil || $0.transfer != nil })
    {
      report(
        "\"\(scope.word)\" is not about a number of bytes", code: .impossibleCondition,
        at: size.range,
        help: "take out \"size\", or match an argument: args: { 2: 4096 }")
    }
    if let offset = conditions.offset, !scope.traits.contains(where: \.hasOffset) {
      report(
        "\"\(scope.word)\" has no place in a file", code: .impossibleCondition, at: offset.range,
        help: "take out \"offset\"")
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
        ? "take out \"flags\"" : Suggestion.help(for: name.value, in: names, label: "known flags"))
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
    _ schedule: ChaosSchedule, of range: SourceRange, among names: ChaosNames
  ) -> PlannedChaosSchedule {
    var schedule = schedule
    if let expression = schedule.placeExpression { schedule.places = planPlaces(expression) }
    var planned = PlannedChaosSchedule()
    planned.after = max(0, schedule.after)
    planned.every = schedule.every?.value
    planned.places = schedule.places?.value ?? []
    planned.probability = schedule.probability
    planned.times = schedule.times
    planned.from = schedule.from.flatMap { instant($0, "from") }
    planned.until = schedule.until.flatMap { instant($0, "until") }
    if let from = planned.from, let until = planned.until, Self.isEmpty(from, until),
      let range = schedule.until?.range
    {
      report(
        "\"until\" is not behind \"from\", so that the entry never holds", code: .neverFires,
        at: range,
        help: "write a later instant")
    }
    checkPlaces(of: schedule)
    if planned.probability == 0 {
      report(
        "with the probability 0 the entry never holds", code: .neverFires, at: range,
        help: "write a part of 1, such as 0.1")
    }
    if let step = schedule.during {
      planned.during = step.value
      if !names.steps.contains(step.value) {
        report(
          "there is no step \"\(step.value)\"", code: .unknownEntry, at: step.range,
          help: names.steps.help(for: step.value, label: "steps"))
      }
    }
    if let event = schedule.event {
      planned.event = PlannedChaosEvent(reply: event.reply.value, number: event.number)
      if !names.replies.contains(event.reply.value) {
        report(
          "there is no response \"\(event.reply.value)\"", code: .unknownEntry,
          at: event.reply.range,
          help: names.replies.help(for: event.reply.value, label: "responses"))
      }
      checkEvent(event)
    }
    return planned
  }

  /// `nth:` by an expression: a number, or a list of some.
  private mutating func planPlaces(_ expression: DataNode) -> Located<[Int]>? {
    guard let value = data.data(expression, in: EvaluationSite.build.at("nth"))?.literal else {
      return nil
    }
    var numbers: [Value] = [value]
    if case .list(let list) = value { numbers = list }
    let places = numbers.compactMap { number -> Int? in
      guard case .integer(let place) = number, place >= 1 else { return nil }
      return Int(place)
    }
    guard !places.isEmpty, places.count == numbers.count else {
      report(
        "\"nth\" is \(value.excerpt(limit: 40)), and no number from 1", code: .outOfRange,
        at: expression.range, help: "let the expression give numbers from 1, or a list of some")
      return nil
    }
    return Located(places.sorted(), at: expression.range)
  }

  private mutating func instant(
    _ instant: Located<InstantExpression>, _ key: String
  ) -> InstantExpression? {
    usesTime = true
    if case .day = instant.value {
      report(
        "\"\(key)\" would be another instant each time it is read", code: .badInstant,
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

/// What chaos entries can name.
struct ChaosNames {
  /// The steps of the scenario.
  var steps: KnownNames
  /// The entries of `responses:`.
  var replies: KnownNames
}

/// What the calls of an entry can be asked.
struct ChaosScope {
  /// The calls; empty where they are not known.
  var calls: [PlannedCall]
  /// The functions, if there are any.
  var functions: PlannedFunctions?
  /// How the author called them.
  var word: String
  /// What `fd:` asks for; empty is anything.
  var askedKinds: [DescriptorKind] = []
  /// Whether the entry is about a link.
  var link: PlannedLink?
  /// Whether the entry is about processes.
  var isProcess = false
  /// `where:` of the entry, and of the branches around.
  var outerConditions: [PlannedChaosConditions] = []

  /// What is known of the calls' arguments.
  var traits: [SystemCallTraits] { calls.map { SystemCallTraits.of($0.name) } }

  private var systemCalls: [SystemCall] { calls.compactMap { SystemCall.named($0.name) } }

  /// Whether a call takes a path, or a descriptor that may have one.
  var hasPath: Bool { systemCalls.contains(where: \.hasPath) }

  /// Whether a call speaks to a host; a descriptor may lead to a socket.
  var hasHost: Bool { !kinds.isDisjoint(with: [.tcp, .udp]) }

  /// Whether a call takes a descriptor.
  var hasDescriptor: Bool { !kinds.isEmpty }

  /// Whether a call has a path among its arguments.
  var takesPath: Bool {
    systemCalls.contains { call in
      call.subjects.contains { if case .path = $0 { true } else { false } }
    }
  }

  /// Whether a call has two descriptors, of which one may be a file and the other a socket.
  var canHavePathAndHost: Bool {
    calls.contains { call in
      guard call.end == nil, let known = SystemCall.named(call.name) else { return false }
      return known.subjects.count > 1 && known.kinds?.isDisjoint(with: [.tcp, .udp]) == false
        && known.hasPath
    }
  }

  /// What the calls' descriptors can lead to.
  var kinds: Set<DescriptorKind> {
    systemCalls.reduce(into: []) { kinds, call in kinds.formUnion(call.kinds ?? []) }
  }
}

extension SystemCallTraits {
  /// Whether the call has a place in a file: by an argument, or the descriptor's own.
  fileprivate var hasOffset: Bool { offset != nil || transfer != nil }
}
