internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport

/// The command `scenario history`.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract:
      "Find flaky, newly failing, fixed and slow cases in the reports of many runs.",
    discussion: CommandDiscussion(
      """
      Reads event streams (--report jsonl=FILE, of this and other versions) and JUnit XML of any program. A folder means \
      all .jsonl, .ndjson and .xml files below it. Each file is a run; if a run wrote both an event \
      stream and JUnit reports, it counts once.

      A failure is flaky if a retry passed, or if the same case passed in the same run, with the same commit, or, if no \
      commit is known, before and after with the same plan. The commit is the label "commit" (scenario run --label), \
      which is set in CI systems, or a property of JUnit reports.
      """,
      examples: [
        "scenario run --report jsonl=history/$(date +%s).jsonl", "scenario history history",
        "scenario history 'artifacts/*/junit.xml' --report html=history.html",
        "scenario history history --last 50 --fail-on new --format json",
      ]
    ).rendered)

  /// The format on standard output.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// Tables, for people.
    case text
    /// An object, for programs.
    case json
  }

  /// What each run is told by.
  enum RunUnit: String, CaseIterable {
    /// One file.
    case file
    /// All files of one folder.
    case folder
  }

  /// What makes the exit code 1.
  enum Finding: String, CaseIterable {
    /// Cases that fail now and passed before.
    case new
    /// Cases that fail now.
    case failing
    /// Cases of which no change explains all failures.
    case flaky
  }

  /// One `--report FORMAT=FILE`.
  struct PageRequest {
    var path: String
  }

  @Argument(help: ArgumentHelp("Kept reports: files, folders or globs.", valueName: "reports"))
  var paths: [String]

  @Option(help: "Print in this format: text or json.")
  var format: Format = .text

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp("Write a page for a browser: html=FILE.", valueName: "html=file"),
    transform: Self.page)
  var page: PageRequest?

  @Option(
    help: ArgumentHelp("Read only the last runs.", valueName: "count"),
    transform: { try ExecutionOptions.count($0, in: 1...1_000_000) })
  var last: Int?

  @Option(
    help: ArgumentHelp("The maximum number of lines in each list.", valueName: "count"),
    transform: { try ExecutionOptions.count($0, in: 1...1_000_000) })
  var top = 10

  @Option(
    help: ArgumentHelp(
      "Order the runs by: begin (the time in each report) or given (as on the command line).",
      discussion: """
        A run without a time follows the one named before it. The modification times of files are not \
        used. In folders and globs, run-2 comes before run-10.
        """, valueName: "what"), transform: { try ExecutionOptions.word($0) })
  var sortBy = HistoryOrder.begin

  @Option(
    help: ArgumentHelp("Count each of these as one run: file or folder.", valueName: "unit"),
    transform: { try ExecutionOptions.word($0) })
  var runPer = RunUnit.file

  @Flag(help: "Treat all runs as runs of one version: a case that passed and failed is flaky.")
  var oneVersion = false

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if there are such cases: new, failing or flaky. May be given more than once.",
      valueName: "finding"), transform: { try ExecutionOptions.word($0) })
  var failOn: [Finding] = []

  @Flag(help: "Skip files that are damaged or not reports.")
  var skipDamaged = false

  @Option(help: "Colours: auto, always or never.", transform: SelectionOptions.colourMode)
  var color = ColourMode.auto

  static func page(_ text: String) throws -> PageRequest {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "html", !parts[1].isEmpty, parts[1] != "-" else {
      throw ValidationError("\"\(text)\" is not a report of \"history\"; write --report html=FILE")
    }
    return PageRequest(path: String(parts[1]))
  }

  func run() throws {
    if let page { try ReportPlaces.require([page.path], apartFrom: paths) }
    var files = HistoryFiles(isRunPerFolder: runPer == .folder, skipsDamaged: skipDamaged)
    let builder = try files.read(paths)
    if files.otherCount > 0 {
      let count =
        files.otherCount == 1
        ? "1 XML file is not a JUnit report" : "\(files.otherCount) XML files are not JUnit reports"
      Console.report("note: skipped: \(count)\n")
    }
    let report = HistoryReport(
      builder.history(isOneVersion: oneVersion, order: sortBy, last: last))
    switch format {
    case .json: try Console.print(HistoryJSON.text(report), content: .json)
    case .text:
      let text = HistoryText(
        report, usesColour: color.usesColour(descriptor: STDOUT_FILENO), limit: top)
      try Console.print(text.text, content: .text)
    }
    try writePage(of: report)
    guard !failOn.contains(where: { finds($0, in: report) }) else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.failed.rawValue)
    }
  }

  private func writePage(of report: HistoryReport) throws {
    guard let page else { return }
    do throws(ReportError) {
      let sink = try FileSink(path: page.path)
      try sink.write(HistoryPage(report, limit: top).document())
      try sink.finish()
    } catch {
      Console.report(error)
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
    }
  }

  private func finds(_ finding: Finding, in report: HistoryReport) -> Bool {
    switch finding {
    case .new: !report.newFailures.isEmpty
    case .failing:
      report.history.cases.contains { [.newFailure, .flaky, .failing].contains($0.state) }
    case .flaky: !report.flaky.isEmpty
    }
  }
}
