internal import Foundations
internal import GraphQL
internal import MockEngine
internal import OrderedCollections
internal import ProtocolBuffers
internal import ScenarioModel
internal import ScenarioPlan

/// Plans one scenario; what is wrong gathers in `data.diagnostics`.
struct CasePlanner {
  let file: String
  /// The folder that paths of the file count from; empty is the runner's own.
  let folder: String
  let entry: ScenarioEntry
  /// True if the file holds no other scenario, so that its top is the scenario's own.
  let isWholeFile: Bool
  /// The row of the scenario's matrix.
  let row: MatrixRow?
  /// Files that the file uses.
  let shared: [SharedParts.File]
  let options: PlannerOptions
  /// The targets' numbers by what steps call them.
  let targetNumbers: [String: Int]
  /// What steps call the targets, for help with names that are none.
  private(set) lazy var knownTargets = KnownNames(targetNumbers.keys)
  var data: DataEvaluator
  /// The schemas that were read so far.
  var schemas = SchemaCache()
  /// The schema of the case's endpoints.
  var graphQLSchema: GraphQLSchema?
  /// The recordings that rows of a matrix make, by the places of their scenarios.
  var recordingsOfRows: [SourceRange: Set<String>] = [:]
  /// The .proto files that were read so far.
  var protoCache = ProtoCache()
  /// The types of the case's .proto files.
  var protos: DescriptorPool?
  /// The documents of OpenAPI that were read so far.
  var openAPICache = OpenAPICache()
  /// The operations of the case's documents; `nil` if it has none.
  var describedOperations: OpenAPIOperations?
  /// The method of gRPC that the entry at hand answers.
  var answeredMethod: AnsweredMethod = .none
  /// The factories and names of the last check.
  var checkedFactories: CheckedFactories?
  /// True if something is said of time, so that the case needs a clock.
  var usesTime = false
  /// The sum of all moves of the clocks by the steps up to here, in either direction.
  var timeMoved = Nanoseconds.zero
  /// True if matchers are planned that the mock server asks, which must answer in bounded time.
  var isInRequest = false
  /// True if a response asks clients for a certificate.
  var asksForCertificate = false
  /// The number of `responses:` steps that were planned.
  var respondStepCount = 0
  /// The number of `dns:` steps so far.
  var nameStepCount = 0
  /// The partitions that steps have made so far and none has healed, by their names.
  var partitions: [String?] = []
  /// The names of snapshots that were given.
  var snapshots = SnapshotNames()
  /// Entries of `responses:` that are about connections.
  var connectionFaults: [PlannedConnectionFault] = []
  var conversations: [PlannedConversation] = []
  /// The targets whose wall clocks steps displace.
  var adjustedTargets: Set<Int> = []
  /// The names of the fault rules.
  private(set) lazy var chaosNames = ChaosEntryNames(body.chaos)
  /// The fault rules that steps apply or revert.
  private(set) lazy var steeredChaos = body.steeredChaos

  var body: ScenarioBody { entry.body }
  var seed: Int64 { data.seed }

  /// `index` is the case's place among all cases, from 0; `shared` are the files that the file uses.
  init(
    file: String, folder: String? = nil, case listed: ListedCase, index: Int = 0,
    _ options: PlannerOptions, _ diagnostics: DiagnosticBag, shared: [SharedParts.File] = []
  ) {
    self.file = file
    self.folder = folder ?? PathText.folder(of: file)
    self.shared = shared
    entry = listed.entry
    row = listed.row
    isWholeFile = listed.isWholeFile
    targetNumbers = Self.numbers(ofTargetsIn: listed.body)
    self.options = options
    data = DataEvaluator(
      factories: entry.body.factories, builds: entry.body.builds,
      seed: options.seeds["\(file)::\(entry.name.value)"] ?? options.seed
        ?? entry.body.seed?.value ?? options.usualSeed ?? 0, diagnostics: diagnostics,
      context: EvaluationContext(
        file: file, folder: self.folder, case: listed, index: index, options, shared: shared))
    data.keptMutations = options.reduced?.mutations
  }

  /// The name of the case in reports and commands.
  var identifier: String { "\(file)::\(entry.name.value)" }

  /// The planned case; `nil` if it has no target.
  ///
  /// Every mistake has been reported; other mistakes leave gaps in the case.
  mutating func plan() -> PlannedCase? {
    checkFactories()
    data.buildAll()
    // Replies are made when they are asked for, and targets started when a step says so.
    let captures = knownCaptures()
    data.hasOrder = false
    var targets = planTargets()
    planHosts(of: &targets)
    data.captures = captures.known
    data.lateCaptures = captures.late
    data.stepBuilds = Self.buildNames(of: body.steps ?? [])
    var network = planNetwork()
    data.captures = CaptureNames()
    data.lateCaptures = [:]
    data.stepBuilds = [:]
    data.hasOrder = true
    network?.connectionFaults = connectionFaults
    network?.conversations = conversations
    checkReach(of: network?.responses ?? [])
    let chaos = planChaos(replies: (network?.responses ?? []).map(\.name))
    let steps = planSteps()
    let expect = planExpectations(body.expect, in: .scenario)
    let always = planCleanup()
    for index in adjustedTargets
    where targets.indices.contains(index) && targets[index].clock == nil {
      targets[index].clock = ClockDeviation()
    }
    guard let target = targets.first else { return nil }
    let exploration = planExploration()
    var planned = PlannedCase(
      identifier: identifier, file: file, name: entry.name.value,
      range: entry.range, lastLine: entry.lastLine, tags: body.tags.map(\.value), seed: seed,
      timeout: planTimeout(), target: target, clock: planClock(), network: network, chaos: chaos,
      steps: steps, expect: expect)
    planned.folder = folder == PathText.folder(of: file) ? nil : folder
    planned.row = row
    let used = shared.map(\.path) + (body.matrix?.readPath.map { [$0] } ?? [])
    planned.usedFiles = used.isEmpty ? nil : used
    planned.skip = planSkip()
    planned.always = always
    planned.moreTargets = targets.count > 1 ? Array(targets.dropFirst()) : nil
    planned.exploration = exploration
    planned.entropy = body.entropy?.value ?? .real
    planned.order = planOrder()
    checkSlack(of: planned)
    planned.outsideFiles = body.files?.outside?.value
    planned.execution = PlannedExecution(body.execution)
    let variables = data.context.variables.values
    planned.description = body.description?.value
    planned.variables = variables.isEmpty ? nil : variables
    planned.neededSecrets =
      data.neededSecrets.isEmpty ? nil : data.neededSecrets.map { Located($0.key, at: $0.value) }
    planned.asksAddresses = data.asksAddresses ? true : nil
    planned.mutations = data.mutations.isEmpty ? nil : data.mutations
    return planned
  }

  /// Checks the factories, unless another case of the file had the same and was checked.
  private mutating func checkFactories() {
    let names = CheckedFactories(
      factories: body.factories.map(\.name), builds: data.builds.keys.elements,
      sequences: data.context.sequences.map(\.name.value))
    guard names != checkedFactories else { return }
    checkedFactories = names
    var checker = FactoryChecker(
      table: data.factories, builds: data.builds.keys.elements,
      sequences: data.context.sequences.map(\.name.value), diagnostics: data.diagnostics)
    checker.check()
    data.diagnostics = checker.diagnostics
  }

  private mutating func planTimeout() -> Nanoseconds {
    guard let timeout = body.timeout else { return options.defaultTimeout }
    if timeout.value <= .zero {
      report(
        "the timeout must be longer than 0s, not \"\(timeout.value)\"", code: .outOfRange,
        at: timeout.range,
        help: "write a real duration, such as 10s")
    }
    return timeout.value
  }

  private mutating func planClock() -> PlannedClock? {
    guard let clock = body.clock else {
      return usesTime ? PlannedClock(at: options.date, flow: .real) : nil
    }
    let flow = clock.flow?.value ?? .real
    if let computing = clock.computing, flow.rate != nil {
      report(
        "\"computing\" has no effect: the clock flows while the target computes", code: .noEffect,
        at: computing.range, help: "write flow: auto, or remove it")
    }
    return PlannedClock(
      at: options.date ?? clock.at?.value, flow: flow, isSettable: clock.isSettable ?? false,
      files: clock.files ?? .real, escapes: clock.escapes ?? .fail,
      computing: clock.computing?.value, slack: flow.rate == nil ? clock.slack?.value : nil,
      leapSecond: clock.leapSecond?.value)
  }

  /// Checks that slack does not contradict the case: a wait that may be late cannot be expected at
  /// its instant.
  private mutating func checkSlack(of planned: PlannedCase) {
    // None takes back what the file says for all.
    guard let slack = body.clock?.slack, slack.value != .zero else { return }
    let isOwn =
      isWholeFile || (entry.range.line...entry.lastLine).contains(slack.range.line)
    if planned.clock?.flow.rate != nil {
      // What the file says for all may be for the others.
      guard isOwn else { return }
      report(
        "\"slack\" has no effect: the clock flows while the target waits", code: .noEffect,
        at: slack.range, help: "write flow: auto, or remove it")
    } else if let shortest = planned.shortestExpectedWait, slack.value >= shortest.length {
      let (slack, wait) = (slack, shortest.length)
      let note =
        "\"\(shortest.check?.rawValue ?? "")\" is here, and checks every \(wait) of virtual time"
      data.diagnostics.report(
        Diagnostic(
          shortest.check.map {
            "with a slack of \(slack.value), the time between two checks of \"\($0.rawValue)\", \(wait),"
              + " may be twice as long"
          }
            ?? "with a slack of \(slack.value), a wait of \(wait), which the case expects, may take twice as long",
          code: .outOfRange, at: slack.range,
          help: shortest.check.map {
            "write \"every:\" in \"\($0.rawValue)\", much longer than \(slack.value), or a slack that is"
              + " much shorter than \(wait)"
          } ?? "write a slack that is much shorter than \(wait)",
          notes: shortest.check == nil ? [] : [Diagnostic.Note(note, at: shortest.range)]))
    }
  }

  /// Plans the order of threads; where time flows, the moment at which a thread runs decides what
  /// it sees.
  private mutating func planOrder() -> ThreadOrder? {
    guard let order = body.order, order.value == .seeded else { return nil }
    let flow = body.clock?.flow?.value ?? .real
    if body.clock == nil || flow.rate != nil {
      report(
        body.clock == nil
          ? "order: seeded needs a clock that does not flow, but the scenario has none"
          : "order: seeded needs a clock that does not flow", code: .contradictory,
        at: order.range, help: "write clock: { flow: auto }, or flow: held")
    }
    return .seeded
  }

  // MARK: - For the parts

  mutating func report(
    _ message: String, code: DiagnosticCode, at range: SourceRange?, help: String? = nil
  ) {
    data.diagnostics.report(message, code: code, at: range, help: help)
  }

  /// Plans the reason why the case is not run; `nil` if it is.
  private mutating func planSkip() -> String? {
    guard let rule = body.skip else { return nil }
    guard let condition = rule.condition else { return rule.reason.value }
    guard let value = data.data(condition, in: EvaluationSite.build.at("skip"))?.literal else {
      return nil
    }
    guard case .bool(let isSkipped) = value else {
      report(
        "\"if\" is \(value.kindWithArticle), not true or false", code: .wrongType,
        at: condition.range,
        help: "write a condition, as in if: ${{ matrix.plan == 'pro' }}")
      return nil
    }
    return isSkipped ? rule.reason.value : nil
  }

  /// The folder that paths count from which are written at a place.
  func folder(at range: SourceRange) -> String {
    guard range.file != file else { return folder }
    return shared.first { $0.path == range.file }?.folder ?? folder
  }

  /// The path of a file that the scenario names, seen from the folder of the file that says it.
  mutating func existingFile(_ path: Located<String>) -> String {
    let resolved = PathText.join(folder(at: path.range), path.value)
    if !options.fileExists(resolved) {
      report(
        "the file \"\(resolved)\" does not exist", code: .missingFile, at: path.range,
        help: "write the path relative to the scenario file's folder")
    }
    return resolved
  }
}

/// The input of a check of factories: they, and the names that they may use.
struct CheckedFactories: Equatable {
  /// Their names and places.
  var factories: [Located<String>]
  /// The objects of `build:`.
  var builds: [String]
  var sequences: [String]
}

extension EvaluationContext {
  /// Makes the context of a file's factories, outside of any scenario.
  init(of file: ScenarioFile, _ options: PlannerOptions) {
    self.init(
      file: file.path, folder: file.pathFolder ?? PathText.folder(of: file.path),
      shared: file.shared.files, sequences: file.defaults.sequences + file.shared.sequences,
      readFile: options.readFile)
    variables = VariableValues(
      file.defaults.variables.over(file.shared.variables), file.inputs)
  }

  /// Makes the context of a case.
  init(
    file: String, folder: String, case listed: ListedCase, index: Int, _ options: PlannerOptions,
    shared: [SharedParts.File]
  ) {
    let entry = listed.entry
    self.init(
      file: file, folder: folder, shared: shared, row: listed.row?.values,
      scenario: entry.name.value, index: index,
      clock: options.date ?? entry.body.clock?.at?.value,
      environment: (entry.body.target ?? entry.body.targets.first?.settings)?.environment ?? [],
      passedEnvironment: (entry.body.target ?? entry.body.targets.first?.settings)?
        .passedEnvironment.map(\.value) ?? [],
      sequences: entry.body.sequences, allowsReadonly: entry.body.allowsReadonly ?? false,
      readFile: options.readFile)
    variables = listed.variables
    secrets = listed.secrets
    targets = CasePlanner.targets(of: entry.body).map(\.name)
    hosts = CasePlanner.targetsOnHosts(of: entry.body)
  }
}
