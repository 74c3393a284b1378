internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario explore`.
struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Inject one fault per run and report the faults that the program does not handle.",
    discussion: CommandDiscussion(
      """
      A run without faults records the calls; then each call fails, one per run. Findings are crashes, hangs, wrong \
      results without an error, and files or processes left behind; for each, a scenario that reproduces it is written. \
      The exit code is 1 if there are findings.
      """,
      examples: [
        "scenario explore scenarios/copy.yaml",
        "scenario explore scenarios/copy.yaml --points @alloc write",
        "scenario explore --budget-time 10m --jobs 4 --report html=explored.html",
      ]
    ).rendered)

  @OptionGroup var selection: SelectionOptions
  @OptionGroup(title: HelpTitle.exploration) var exploring: ExplorationOptions
  @OptionGroup(title: HelpTitle.reports) var reports: ReportOptions

  @Option(help: ArgumentHelp("The same as --report junit=FILE.", valueName: "file"))
  var junit: String?

  func run() throws {
    let stop = StopSignals()
    try OwnLimits.prepare()
    stop.watch()
    try requestedReports().requireDistinct()
    var overrides = ExplorationOverrides()
    overrides.points = exploring.points
    overrides.runLimit = exploring.runLimit
    overrides.timeLimit = exploring.timeLimit
    overrides.folder = exploring.save.map {
      $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0
    }
    let input = try selection.plan(exploration: overrides)
    try input.requireCases()
    var options = RunOptions(
      version: Version.text, planDigest: try PlanDigest.of(input.plan),
      temporaryFolder: ProcessEnvironment.temporaryFolder,
      environment: ProcessEnvironment.passed(by: input.plan))
    options.trustPath = ProcessEnvironment.trustPath
    if let failure = Explorer.folderFailure(of: input.plan) {
      Console.report(
        Diagnostic(failure.message, code: .unwrittenReport, at: nil, help: failure.help ?? ""))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
    }
    let recorders = RecorderGroup(
      try recorders(input), redactor: selection.secrets.redactor(input.plan.secrets))
    let cancellation = RunCancellation()
    stop.whenReceived { cancellation.cancel() }
    stop.beforeEndingAtOnce { cancellation.abandon() }
    var counter = RunCounts()
    let progress = ProgressLine()
    var settings = settings
    settings.progress = { progress.show($0) }
    Explorer(
      plan: input.plan, options: options, settings: settings, cancellation: cancellation
    ) { event in
      counter.record(event)
      progress.clear(for: event)
      recorders.record(event)
    }.run()
    progress.clear()
    let errors = recorders.finish()
    for error in errors { Console.report(error) }
    if let code = stop.exitCode { throw ArgumentParser.ExitCode(code.rawValue) }
    let code = counter.exitCode == .passed && !errors.isEmpty ? .undecided : counter.exitCode
    throw ArgumentParser.ExitCode(code.rawValue)
  }

  private var settings: ExplorerOptions {
    var settings = ExplorerOptions()
    if let jobs = exploring.jobs { settings.jobs = jobs }
    settings.isFresh = exploring.fresh || !exploring.resume
    settings.forks = exploring.engine == .auto
    var words = ["scenario", "explore"] + selection.paths
    words += selection.filters.words
    if let profile = selection.profile { words += ["--profile", profile] }
    if let root = selection.root { words += ["--root", root] }
    if let seed = selection.seed { words += ["--seed", "\(seed)"] }
    if !exploring.points.isEmpty { words += ["--points"] + exploring.points }
    if let save = exploring.save { words += ["--save", save] }
    if exploring.engine == .rerun { words += ["--engine", "rerun"] }
    settings.continuation = words.map { ShellWord.quoted($0) }.joined(separator: " ")
    return settings
  }

  private func recorders(_ input: PlannedInput) throws -> [any EventRecorder] {
    let redactor = selection.secrets.redactor(input.plan.secrets)
    let sources = redactor.redacted { input.sources[$0] ?? ImportedSource.text(of: $0) }
    let terminal = TerminalRecorder(
      sink: DescriptorSink(
        descriptor: reports.terminalDescriptor, name: reports.terminalName),
      usesColour: selection.color.usesColour(descriptor: reports.terminalDescriptor),
      reproduces: false, sources: sources)
    return try [terminal] + requestedReports().recorders(sources: sources, reproduces: false)
  }

  /// Returns the requested reports, that of `--junit` with them.
  private func requestedReports() throws -> ReportOptions {
    var requested = reports
    if let junit { requested.report.append(try ReportRequest(text: "junit=\(junit)")) }
    return requested
  }
}
