internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import MockEngine
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax
internal import ScenarioTools

/// The command `scenario drift`.
struct DriftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift",
    abstract:
      "Compare the shape of responses and recordings with a live service, an OpenAPI file or a GraphQL schema.",
    discussion: CommandDiscussion(
      """
      Compares only the shape: types, nullable and optional fields, enumerations. A new field is a note, a missing \
      one a warning, a different type an error. Lists replies without JSON as not compared. The exit code is 1 \
      if there are errors.
      """,
      examples: [
        "scenario drift --against live",
        "scenario drift scenarios/orders.yaml --against openapi.yaml",
        "scenario drift --against schema.graphql --report junit=drift.xml",
        "scenario drift --against live --header 'Accept-Language: en'",
      ]
    ).rendered)

  @Option(
    help: ArgumentHelp(
      "\"live\", an OpenAPI 3 file (JSON or YAML), or a GraphQL schema (.graphql).",
      valueName: "live|file"))
  var against: String

  @OptionGroup var selection: SelectionOptions

  @Option(
    help: ArgumentHelp(
      "Also send requests with this method (always sent: GET, HEAD and GraphQL queries).",
      valueName: "method"))
  var unsafe: [String] = []

  @Option(help: ArgumentHelp("Send this header with each request.", valueName: "name: value"))
  var header: [String] = []

  @OptionGroup(title: HelpTitle.reports) var reports: ReportOptions

  func run() throws {
    try reports.requireDistinct()
    let headers = try header.map { try Self.field($0) }
    // Offline is the mode in which a case answers from all that it has, its recording included.
    let input = try selection.plan(networkMode: .offline)
    let samples = input.plan.driftSamples { try? FileTree.read($0) }
    let source = try source(headers: headers)
    let redactor = selection.secrets.redactor(input.plan.secrets)
    let sources = redactor.redacted { input.sources[$0] ?? ImportedSource.text(of: $0) }
    let terminal = TerminalRecorder(
      sink: DescriptorSink(
        descriptor: reports.terminalDescriptor, name: reports.terminalName),
      usesColour: selection.color.usesColour(descriptor: reports.terminalDescriptor),
      reproduces: false, sources: sources)
    let recorders = try [terminal] + reports.recorders(sources: sources, reproduces: false)
    let group = RecorderGroup(recorders, redactor: redactor)
    var counter = RunCounts()
    let digest = try PlanDigest.of(input.plan)
    DriftRun(samples: samples, source: source, planDigest: digest, version: Version.text) { event in
      counter.record(event)
      group.record(event)
      Self.reportNotes(of: event, redactor)
    }.run()
    let errors = group.finish()
    for error in errors { Console.report(error) }
    guard samples.contains(where: { !$0.shapes.isEmpty }) else {
      Console.report("no response has a JSON body to compare\n")
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.nothingSelected.rawValue)
    }
    let code = counter.exitCode == .passed && !errors.isEmpty ? .undecided : counter.exitCode
    throw ArgumentParser.ExitCode(code.rawValue)
  }

  /// Reports what is new where nothing is wrong, and what was not compared beside it; mistakes are reported with
  /// everything else.
  private static func reportNotes(of event: Event, _ redactor: SecretRedactor) {
    guard case .caseFinished(let result) = event.kind, result.outcome == .passed else { return }
    for line in result.standardOutput.split(separator: "\n")
    where line.hasPrefix("note: ") || line.hasPrefix("not compared: ") {
      try? Console.print("  \(TerminalText.line(redactor.redacted(String(line))))\n")
    }
  }

  private func source(headers: [IncomingRequest.Header]) throws -> DriftRun.Source {
    guard against != "live" else {
      return .live(
        trustPath: ProcessEnvironment.trustPath, headers: headers,
        unsafeMethods: Set(unsafe.flatMap { $0.split(separator: ",") }.map { $0.uppercased() }))
    }
    do {
      return .declaration(try declaration())
    } catch let error as DeclarationError {
      Console.report(
        Diagnostic(
          error.message, code: .unreadableImport, at: range(of: error.place), help: error.help))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
  }

  private func range(of place: DeclarationError.Place) -> SourceRange {
    let start = SourceRange(file: against, line: 1, column: 1)
    switch place {
    case .file: return start
    case .position(let line, let column):
      return SourceRange(file: against, line: line, column: column)
    case .member(let keys):
      guard let bytes = try? FileTree.read(against) else { return start }
      return DataDocument.range(of: keys, bytes: bytes, path: against) ?? start
    }
  }

  private func declaration() throws -> any DeclaredShapes {
    guard let bytes = try? FileTree.read(against) else {
      throw DeclarationError(
        "\"\(against)\" cannot be read",
        help: "name \"live\", an OpenAPI 3 file or a GraphQL schema")
    }
    if [".graphql", ".graphqls", ".gql", ".sdl"].contains(where: { against.hasSuffix($0) }) {
      return try SchemaShapes(String(decoding: bytes, as: UTF8.self))
    }
    let (value, diagnostics) = DataDocument.parse(bytes: bytes, path: against)
    guard let value, !diagnostics.contains(where: { $0.severity == .error }) else {
      for diagnostic in diagnostics { Console.report(diagnostic) }
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    return try OpenAPIShapes(value)
  }

  /// `name: value`.
  private static func field(_ text: String) throws -> IncomingRequest.Header {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw ValidationError("\"\(text)\" is not a header; write \"name: value\"")
    }
    let value = text[text.index(after: colon)...].drop { $0 == " " }
    return IncomingRequest.Header(name: String(text[..<colon]), value: String(value))
  }
}
