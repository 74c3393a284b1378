internal import ArgumentParser
internal import FaultEngine
internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario explore`.
struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Lets each call of a program fail once, and says what it makes of that.",
    discussion: """
      A run without faults shows which calls are made; then each of them fails, one run each. Crashes, \
      hangs, wrong results that nobody is told of and things left behind are findings; for each a \
      scenario is written that reproduces it. Findings make the exit code 1.
      """)

  @OptionGroup var selection: SelectionOptions

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Which calls: families and groups, as in \"@alloc write\", whatever the files say.",
      valueName: "call"))
  var points: [String] = []

  @Option(
    name: .customLong("budget-runs"),
    help: ArgumentHelp("Try so many faults at most.", valueName: "count"))
  var runLimit: Int?

  @Option(
    name: .customLong("budget-time"),
    help: ArgumentHelp("End after this much real time, such as 60s.", valueName: "time"),
    transform: Nanoseconds.option)
  var timeLimit: Nanoseconds?

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp("How many runs are made at once; as many as processors.", valueName: "count")
  )
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Where scenarios of findings are written; __explored__ beside each file.",
      valueName: "folder"))
  var save: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Go on where an exploration of the same was stopped.")
  var resume = true

  @Flag(help: "Begin anew, whatever an earlier exploration has won: --no-resume.")
  var fresh = false

  @Option(
    help: ArgumentHelp("How faults are tried: auto, or rerun (no forks).", valueName: "engine"),
    transform: Self.engine)
  var engine = Engine.auto

  @OptionGroup var reports: ReportOptions

  @Option(help: ArgumentHelp("The same as --report junit=FILE.", valueName: "file"))
  var junit: String?

  /// The engine that tries faults.
  enum Engine: String {
    /// Forks where that is possible, and runs.
    case auto
    /// Runs alone.
    case rerun
  }

  func validate() throws {
    for point in points {
      guard let mistake = PlannedExploration.mistake(inPoint: point) else { continue }
      throw ValidationError("--points: \(mistake.message); \(mistake.help)")
    }
    if let runLimit, runLimit < 1 {
      throw ValidationError("--budget-runs must be 1 or more, not \(runLimit)")
    }
    if let jobs, !(1...512).contains(jobs) {
      throw ValidationError("--jobs must be from 1 to 512, not \(jobs)")
    }
  }

  static func engine(_ text: String) throws -> Engine {
    guard let engine = Engine(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of auto, rerun")
    }
    return engine
  }

  func run() throws {
    let stop = StopSignals()
    try OwnLimits.prepare()
    stop.watch()
    try requestedReports().requireDistinct()
    var overrides = ExplorationOverrides()
    overrides.points = points
    overrides.runLimit = runLimit
    overrides.timeLimit = timeLimit
    overrides.folder = save.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
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
    if let jobs { settings.jobs = jobs }
    settings.isFresh = fresh || !resume
    settings.forks = engine == .auto
    var words = ["scenario", "explore"] + selection.paths
    if let filter = selection.filter { words += ["--filter", filter] }
    words += selection.filters.words
    if let root = selection.root { words += ["--root", root] }
    if selection.allowOnly { words.append("--allow-only") }
    if let seed = selection.seed { words += ["--seed", "\(seed)"] }
    if !points.isEmpty { words += ["--points"] + points }
    if let save { words += ["--save", save] }
    if engine == .rerun { words += ["--engine", "rerun"] }
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
