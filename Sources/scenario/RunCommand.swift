internal import ArgumentParser
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario run`.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Runs scenarios.")

  @OptionGroup var selection: SelectionOptions

  @Option(
    help: ArgumentHelp(
      "Write a report: junit=FILE, jsonl=FILE or har=FILE. May be given more than once.",
      valueName: "format=file"))
  var report: [ReportWish] = []

  @Option(
    help: "The network's mode, whatever the files say: offline, spy, record or live.",
    transform: Self.networkMode)
  var network: NetworkSettings.Mode?

  func run() throws {
    // Signals first: threads that are made later inherit what is blocked.
    let stop = StopSignals()
    RunnerProcess.prepare()
    stop.watch()
    try requireDistinctReports()
    let input = try selection.plan(networkMode: network, whenInvalid: reportInvalid)
    try input.requireCases()
    let digest = try PlanDigest.of(input.plan)
    var recorders: [any EventRecorder] = [
      TerminalRecorder(
        sink: DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output"),
        usesColour: selection.color.usesColour(descriptor: STDOUT_FILENO),
        sources: { input.sources[$0] ?? ImportedSource.text(of: $0) })
    ]
    do throws(ReportError) {
      for wish in report { recorders.append(try wish.recorder(sources: input.sources)) }
    } catch {
      Console.tell(error)
      throw exit(.undecided)
    }
    var options = RunOptions(
      version: Version.text, planDigest: digest, temporaryFolder: Self.temporaryFolder,
      environment: Self.environment(for: input.plan))
    options.trustPath = Self.trustPath
    options.replan = input.replan
    options.tellsExchanges = report.contains { $0.format == .har }
    throw exit(run(input.plan, options, recorders: RecorderGroup(recorders), stop: stop))
  }

  static func networkMode(_ text: String) throws -> NetworkSettings.Mode {
    guard let mode = NetworkSettings.Mode(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of offline, spy, record, live")
    }
    return mode
  }

  private func run(
    _ plan: ExecutionPlan, _ options: RunOptions, recorders: RecorderGroup, stop: StopSignals
  ) -> ScenarioReport.ExitCode {
    let cancellation = RunCancellation()
    stop.whenReceived { cancellation.cancel() }
    var tally = RunTally()
    Runner(plan: plan, options: options, cancellation: cancellation) { event in
      tally.record(event)
      recorders.record(event)
    }.run()
    let errors = recorders.finish()
    for error in errors { Console.tell(error) }
    if let code = stop.exitCode { return code }
    return tally.exitCode == .passed && !errors.isEmpty ? .undecided : tally.exitCode
  }

  /// A file that cannot be read is an error for CI systems, too, and not a run with fewer cases.
  private func reportInvalid(_ input: ScenarioInput) throws {
    for wish in report where wish.format == .junit {
      do throws(ReportError) {
        let sink = try FileSink(path: wish.path)
        try sink.write(
          InvalidInputReport.junit(input.list, renderer: input.renderer(usesColour: false)))
        try sink.finish()
      } catch {
        Console.tell(error)
      }
    }
  }

  /// Two reports in one file would destroy each other.
  private func requireDistinctReports() throws {
    var seen: Set<ReportPath> = []
    for wish in report where !seen.insert(ReportPath(wish.path)).inserted {
      Console.tell(
        Diagnostic(
          "two reports are to be written to \"\(wish.path)\"", code: .badArguments, at: nil,
          help: "give each report a path of its own"))
      throw exit(.invalidInput)
    }
  }

  /// Where temporary folders are made: TMPDIR, where it says anything.
  static var temporaryFolder: String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
  }

  /// The authorities that OpenSSL would trust here by its variables (SSL_CTX_load_verify_locations(3)).
  static var trustPath: String? {
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
      guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { continue }
      return value
    }
    return nil
  }

  /// The variables that scenarios let through, as far as they are set.
  static func environment(for plan: ExecutionPlan) -> [String: String] {
    var variables: [String: String] = [:]
    for name in plan.cases.flatMap(\.target.passedEnvironment) {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  private func exit(_ code: ScenarioReport.ExitCode) -> ArgumentParser.ExitCode {
    ArgumentParser.ExitCode(code.rawValue)
  }
}

/// One `--report FORMAT=FILE`.
struct ReportWish: ExpressibleByArgument {
  /// The reports that can be written.
  enum Format: String, CaseIterable {
    /// JUnit XML.
    case junit
    /// One event per line.
    case jsonl
    /// An HTTP Archive of what the stand-in answered.
    case har
  }

  let format: Format
  let path: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="),
      let format = Format(rawValue: String(argument[..<equals]))
    else { return nil }
    self.format = format
    path = String(argument[argument.index(after: equals)...])
    guard !path.isEmpty else { return nil }
  }

  /// Opens the report.
  ///
  /// - Parameter reproduces: Whether `scenario run` makes a case fail again.
  func recorder(
    sources: [String: String], reproduces: Bool = true
  ) throws(ReportError) -> any EventRecorder {
    let sink = try FileSink(path: path)
    return switch format {
    case .junit:
      JUnitRecorder(
        sink: sink, reproduces: reproduces, sources: { sources[$0] },
        warn: { Console.tell(Diagnostic($0, code: .changedReport, at: nil)) })
    case .jsonl: JSONLinesRecorder(sink: sink)
    case .har: ArchiveRecorder(sink: sink)
    }
  }
}
