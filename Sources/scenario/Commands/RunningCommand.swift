internal import ArgumentParser
internal import Foundations
internal import OrderedCollections
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Where a command that runs cases has them from.
protocol CaseSource: ParsableArguments {
  static var configuration: CommandConfiguration { get }

  /// Refuses options that cannot be meant.
  static func validate(_ command: RunningCommand<Self>) throws
  /// Runs the cases.
  static func run(_ command: RunningCommand<Self>) throws
}

/// A command that runs cases; `scenario run` and `scenario rerun` differ by where these come from.
struct RunningCommand<Source: CaseSource>: ParsableCommand {
  static var configuration: CommandConfiguration { Source.configuration }

  // No group holds all of these: in a debug build the parser validates each group several times for each group around
  // it. Nor may a group be a command, which help takes for one above the other.
  @OptionGroup var origin: Source
  @OptionGroup var selection: SelectionOptions

  @OptionGroup(title: HelpTitle.selection) var saved: SavedPlanOptions
  @OptionGroup(title: HelpTitle.selection) var lists: CaseListOptions
  @OptionGroup(title: HelpTitle.execution) var execution: ExecutionOptions
  @OptionGroup(title: HelpTitle.execution) var dates: DateOptions
  @OptionGroup(title: HelpTitle.execution) var watching: WatchOptions
  @OptionGroup(title: HelpTitle.shards) var shards: ShardOptions
  @OptionGroup(title: HelpTitle.pauses) var pauses: PauseOptions
  @OptionGroup(title: HelpTitle.snapshots) var snapshots: SnapshotOptions
  @OptionGroup(title: HelpTitle.reports) var reports: ReportOptions
  @OptionGroup(title: HelpTitle.reports) var labelling: LabelOptions
  @OptionGroup(title: HelpTitle.output) var look: TerminalOptions

  @Option(
    help: "Override the network mode of the files: offline, spy, record or live.",
    transform: NetworkSettings.Mode.init(option:))
  var network: NetworkSettings.Mode?

  func validate() throws { try Source.validate(self) }

  func run() throws { try Source.run(self) }

  /// Runs cases again and again, when something changes.
  func runWatching() throws {
    try watching.requireSense(selection, saved, lists, shards)
    var loop = try WatchLoop(
      selection, network, adding: execution.ordering.order == .file ? ["--order", "failed"] : [])
    try loop.run()
  }

  /// Runs, or runs cases again that failed.
  func run(recorded: LastFailedCases?) throws {
    // Signals first: threads that are made later inherit what is blocked.
    let stop = StopSignals()
    let environment = ProcessEnvironment.all
    let isLive = look.isLive(descriptor: reports.terminalDescriptor, environment: environment)
    TerminalWatch.block(isLive: isLive)
    try OwnLimits.prepare()
    stop.watch()
    ParentDeathPipe.hold()
    try reports.requireDistinct()
    try execution.requireTrace(apartFrom: reports.files)
    try snapshots.requireAllowed()
    let bazel = BazelProtocol(environment)
    var input = try saved.input(
      selection, networkMode: network, defaultTimeout: execution.timeout, recorded: recorded,
      whenInvalid: reports.reportInvalid
    )
    if dates.dates == nil { input.takeDates() }
    try dates.apply(to: &input)
    input = input.repeated(execution.repetitions)
    try ReportPlaces.require(
      reports.files + [execution.trace].compactMap { $0 },
      apartFrom: input.readFiles.union(
        [saved.path, lists.testList, lists.excludeList, Project.current().configuration]
          .compactMap { $0 }))
    recorded?.reportChanges(in: input.plan)
    let isDone = try bazel.apply(to: &input) || lists.apply(to: &input)
    if !isDone, !execution.passWithNoTests { try input.requireCases() }
    let part = try shards.part(of: input, environment: environment)
    let redactor = selection.secrets.redactor(input.plan.secrets)
    let reports = reports.adding(bazel.reports(of: part))
    let sources = redactor.redacted { [input] in
      input.sources[$0] ?? ImportedSource.text(of: $0)
    }
    let usesColour = selection.color.usesColour(descriptor: reports.terminalDescriptor)
    let running = RunningCases()
    let screen = LiveTerminal(
      descriptor: reports.terminalDescriptor, name: reports.terminalName, isLive: isLive,
      usesColour: usesColour, slowLimit: look.slowLimit
    ) { running.virtualTime(of: $0) }
    let watch = TerminalWatch(screen) {
      screen.dump { running.details(of: $0).map { redactor.redacted($0) } }
    }
    let terminal = TerminalRecorder(
      sink: screen, usesColour: usesColour, style: look.style(isLive: isLive), sources: sources)
    let warnings = WarningRecorder()
    let former = PassedCases(project: .current())
    var recorders: [any EventRecorder] =
      try [LiveRecorder(screen), terminal, warnings]
      + reports.recorders(sources: sources, passed: { former.read($0) })
    // Only of a run that shows timelines is known what happened in it.
    if reports.wantTimeline, former.isKept {
      former.prepare()
      recorders.append(PassedCaseRecorder { former.keep($0, $1) })
      former.prune()
    }
    var options = RunOptions(
      version: Version.text, planDigest: try part.digest ?? reports.digest(of: input),
      temporaryFolder: bazel.temporaryFolder ?? ProcessEnvironment.temporaryFolder,
      environment: ProcessEnvironment.passed(by: part.plan))
    options.places = part.places
    options.shard = part.shard
    options.labels = labelling.labels(environment)
    options.sources = input.sourceDigests
    options.trustPath = ProcessEnvironment.trustPath
    options.replan = part.plan.cases.contains { $0.date != nil } ? nil : input.replan
    options.atDate = dates.planner(of: input)
    execution.apply(to: &options, of: part.plan.cases, seed: selection.seed ?? bazel.seed)
    try execution.applyTrace(to: &options)
    options.jobs = OwnLimits.jobs(max(1, min(options.jobs, part.plan.cases.count)))
    if bazel.stopsAtFailure { options.failureLimit = options.failureLimit ?? 1 }
    options.decisiveWords =
      execution.decisiveWords + (network.map { ["--network", $0.rawValue] } ?? [])
      + (selection.root.map { ["--root", $0] } ?? [])
      + selection.secrets.secret.flatMap { ["--secret", $0] } + selection.variables.words
    options.reportsExchanges = reports.wantExchanges
    options.reportsTimeline = reports.wantTimeline
    options.archives = reports.archives
    options.secrets = redactor
    options.secretValues = try SecretOptions.values(neededBy: part.plan)
    options.running = running
    options.snapshots = snapshots.store(casesOf: input.casesOf)
    try pauses.apply(to: &options) { screen.tell($0) }
    bazel.begin()
    stop.beforeEndingAtOnce { screen.abandon() }
    watch.begin()
    var (code, reason) = run(
      part.plan, options, recorders: RecorderGroup(recorders, redactor: redactor), stop: stop,
      limit: execution.globalTimeout ?? bazel.timeLimit, loaded: input.loaded,
      variables: RecordedVariables.values(of: input.wishes.variables, redactor))
    watch.end()
    if code == .nothingSelected, isDone { code = .passed }
    if reason == nil, look.showsReason(isLive: isLive) { reason = code.reason }
    if let reason {
      _ = Console.write(
        "exit code \(code.rawValue): \(reason)\n", to: reports.terminalDescriptor)
    }
    bazel.end(code, warnings: warnings.texts)
    throw exit(code)
  }

  private func run(
    _ plan: ExecutionPlan, _ options: RunOptions, recorders: RecorderGroup, stop: StopSignals,
    limit: Nanoseconds?, loaded: LoadedCases, variables: OrderedDictionary<String, Value>
  ) -> (code: ScenarioReport.ExitCode, reason: String?) {
    let cancellation = RunCancellation()
    stop.whenReceived { cancellation.cancel() }
    stop.beforeEndingAtOnce { cancellation.abandon() }
    let timeout = limit.map { limit in
      RealTimer(limit) { cancellation.cancel(because: .timeout(limit)) }
    }
    let record = LastRunFile(project: .current())
    record.begin(plan, loaded: loaded, variables: variables)
    var counter = RunCounts()
    var endings = CaseEndings()
    var durations = CaseDurations()
    Runner(plan: plan, options: options, cancellation: cancellation) { event in
      counter.record(event)
      endings.record(event)
      durations.record(event)
      recorders.record(event)
    }.run()
    let isRecorded = record.write(endings, of: plan, loaded: loaded, variables: variables)
    // How long a case takes at other dates says nothing of how long it takes; of one folder that cannot be written one
    // warning is enough.
    if isRecorded, !plan.cases.contains(where: { $0.date != nil }) {
      TimingsFile(project: .current()).add(durations, shard: options.shard)
    }
    let errors = recorders.finish() + [execution.traceLoss(of: options)].compactMap(\.self)
    for error in errors { Console.report(error) }
    SnapshotOptions.report(options.snapshots.account)
    timeout?.callOff()
    if let code = stop.exitCode { return (code, nil) }
    if case .timeout? = cancellation.reason { return (.timedOut, nil) }
    let code = execution.exitCode(of: counter)
    if code == .passed, !errors.isEmpty { return (.undecided, nil) }
    return (code, execution.flakyReason(of: counter))
  }

  private func exit(_ code: ScenarioReport.ExitCode) -> ArgumentParser.ExitCode {
    ArgumentParser.ExitCode(code.rawValue)
  }
}
