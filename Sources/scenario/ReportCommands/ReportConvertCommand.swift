internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioReport

/// The command `scenario report convert`.
struct ReportConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Write other reports of a run from its event stream.",
    discussion: CommandDiscussion(
      EventReplay.exitCodes,
      examples: [
        "scenario report convert run.jsonl --report html=report.html",
        "scenario report convert - --report junit=report.xml < run.jsonl",
      ]
    ).rendered)

  @Argument(help: "An event stream that --report jsonl=FILE wrote; \"-\" is standard input.")
  var events: String

  @OptionGroup(title: HelpTitle.reports) var reports: ReportOptions
  @OptionGroup(title: HelpTitle.values) var secrets: SecretOptions

  func validate() throws {
    guard reports.report.isEmpty else { return }
    throw ValidationError("name a report to write, such as --report junit=FILE")
  }

  func run() throws {
    try reports.requireDistinct()
    try ReportPlaces.require(reports.files, apartFrom: [events])
    let redactor = secrets.redactor(nil)
    try EventReplay(path: events).play { run in
      let recorded = RecordedSources(run)
      let sources = redactor.redacted { recorded.text(of: $0) }
      return RecorderGroup(try reports.recorders(sources: sources), redactor: redactor)
    }
  }
}

/// The command `scenario report show`.
struct ReportShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a run again, from its event stream.",
    discussion: CommandDiscussion(
      EventReplay.exitCodes,
      examples: [
        "scenario run --report jsonl=run.jsonl",
        "scenario report show run.jsonl",
        "scenario report show - < run.jsonl",
      ]
    ).rendered)

  @Argument(help: "An event stream that --report jsonl=FILE wrote; \"-\" is standard input.")
  var events: String

  @Option(help: "Colours: auto, always or never.", transform: SelectionOptions.colourMode)
  var color = ColourMode.auto

  @OptionGroup(title: HelpTitle.values) var secrets: SecretOptions

  func run() throws {
    let redactor = secrets.redactor(nil)
    try EventReplay(path: events).play { run in
      let recorded = RecordedSources(run)
      let terminal = TerminalRecorder(
        sink: DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output"),
        usesColour: color.usesColour(descriptor: STDOUT_FILENO),
        sources: redactor.redacted { recorded.text(of: $0) })
      return RecorderGroup([terminal], redactor: redactor)
    }
  }
}

/// A run that is reported once more.
struct EventReplay {
  /// The exit codes of commands that report a run once more, for their help.
  static let exitCodes = """
    The exit code is that of the run. An event stream that stops before the end of the run is an error: exit code 3, \
    or 1 if a case failed. A file without a run is rejected: exit code 2.
    """

  /// The file of its events.
  let path: String
  /// The same, where it was opened and its beginning read already; `nil` where it was not.
  var opened: OpenedStream?

  init(path: String, opened: OpenedStream? = nil) {
    self.path = path
    self.opened = opened
  }

  /// Reports it.
  ///
  /// - Parameter recorders: opened for the run once there is something to report, so that a file that has no
  ///   run leaves reports as they are.
  ///
  /// - Throws: The exit code of the run; 2 if the file has something else, 3 if the stream has no
  ///   end or a report cannot be written.
  func play(to recorders: (RunDescription) throws -> RecorderGroup) throws {
    let code = try replay(to: recorders)
    guard code != .passed else { return }
    throw ArgumentParser.ExitCode(code.rawValue)
  }

  /// Reports it.
  ///
  /// - Returns: The exit code of the run; 3 if a report cannot be written.
  /// - Throws: Exit code 2 if the file has something else.
  func replay(
    to recorders: (RunDescription) throws -> RecorderGroup
  ) throws -> ScenarioReport.ExitCode {
    var counter = RunCounts()
    var completion = StreamCompletion()
    var group: RecorderGroup?
    func report(_ event: Event) {
      counter.record(event)
      group?.record(event)
    }
    var refusal: (any Error)?
    do throws(ReportError) {
      let reader = EventLineReader(path: path, opened: opened)
      let isCut = try reader.read(version: Version.text) { event in
        guard refusal == nil else { return }
        guard completion.take(event) else {
          refusal = noRun(because: completion.hasBegun ? "contains more than one run" : nil)
          return
        }
        do {
          if case .runStarted(let run) = event.kind { group = try recorders(run) }
          report(event)
        } catch {
          refusal = error
        }
      }
      if isCut {
        Console.report(
          Diagnostic(
            "the last line of \"\(path)\" is cut off and was skipped", code: .changedReport,
            at: nil))
      }
    } catch {
      Console.report(
        Diagnostic(
          error.message, code: error.errorNumber == nil ? .damagedReport : .unreadableFile, at: nil,
          help: error.help))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    if let refusal { throw refusal }
    guard let group else { throw noRun(because: nil) }
    for event in completion.rest() { report(event) }
    let errors = group.finish()
    for error in errors { Console.report(error) }
    let code = counter.exitCode == .nothingSelected ? .passed : counter.exitCode
    return code == .passed && !errors.isEmpty ? .undecided : code
  }

  private func noRun(because reason: String?) -> ArgumentParser.ExitCode {
    Refusal(
      "\"\(path)\" \(reason ?? "contains no events of a run")",
      help: "name a file that --report jsonl=FILE wrote, one for each run"
    ).reported(.damagedReport)
  }
}
