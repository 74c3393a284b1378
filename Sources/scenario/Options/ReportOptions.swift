internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioReport
internal import ScenarioRunner

/// The reports that a command writes, and their form.
struct ReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a report: \(ReportRequest.list). May be given more than once.",
      valueName: "format=file"),
    transform: ReportRequest.init(text:))
  var report: [ReportRequest] = []

  @Option(
    help: ArgumentHelp(
      "Set the dialect of JUnit reports: auto, jenkins, ant, surefire or extended.",
      valueName: "dialect"),
    transform: Self.dialect)
  var junitDialect = DialectChoice.automatic

  @Option(
    help: ArgumentHelp(
      "Name attachments relative to this folder (default: the working directory).",
      valueName: "folder"))
  var attachmentsRoot: String?

  func validate() throws {
    guard dialect.needsFolder else { return }
    for request in report where request.format == .junit {
      guard let path = request.path, !ReportFolder.isMeant(by: path) else { continue }
      throw ValidationError(
        """
        --junit-dialect \(dialect.rawValue) writes a file for each scenario file; \
        name a folder: --report junit=\(path)/
        """)
    }
  }

  /// The reader of JUnit reports.
  enum DialectChoice {
    /// The engine that this runs on.
    case automatic
    /// A dialect that was named.
    case fixed(JUnitDialect)
  }

  private var dialect: JUnitDialect {
    switch junitDialect {
    case .automatic: .automatic(environment: ProcessEnvironment.all)
    case .fixed(let dialect): dialect
    }
  }

  static func dialect(_ text: String) throws -> DialectChoice {
    if text == "auto" { return .automatic }
    if let dialect = JUnitDialect(rawValue: text) { return .fixed(dialect) }
    let names = ["auto"] + JUnitDialect.allCases.map(\.rawValue)
    throw ValidationError("\"\(text)\" is not one of \(names.joined(separator: ", "))")
  }

  /// The descriptor of the report for people: standard error where another report has standard output.
  var terminalDescriptor: Int32 {
    report.contains(where: \.usesStandardOutput) ? STDERR_FILENO : STDOUT_FILENO
  }

  /// The name of that stream.
  var terminalName: String {
    terminalDescriptor == STDERR_FILENO ? "standard error" : "standard output"
  }

  /// True if a report wants to know all of each answer.
  var wantExchanges: Bool { report.contains { $0.format.showsExchanges } }

  /// The absolute paths of archives of all requests.
  var archives: [String] {
    report.filter { $0.format == .har }.compactMap { $0.path.map { ReportPath($0).absolute } }
  }

  /// True if a report wants to know what only a timeline shows.
  var wantTimeline: Bool { report.contains { $0.format.showsTimeline } }

  /// The name of a plan for the reports; empty where there is none to hold it.
  func digest(of input: PlannedInput) throws(InternalError) -> String {
    report.isEmpty ? "" : try PlanDigest.of(input)
  }

  /// The same with more reports, but for those whose places are taken.
  func adding(_ more: [(format: ReportRequest.Format, path: String)]) -> ReportOptions {
    var options = self
    for (format, path) in more {
      let isTaken = report.contains { $0.path.map { ReportPath($0) } == ReportPath(path) }
      if !isTaken { options.report.append(ReportRequest(format: format, path: path)) }
    }
    return options
  }

  /// Refuses two reports in one file: they would destroy each other.
  func requireDistinct() throws {
    var streams: Set<PrintedStream> = []
    var paths: Set<ReportPath> = []
    for request in report {
      let isNew =
        if let stream = request.stream {
          streams.insert(stream).inserted
        } else {
          paths.insert(ReportPath(request.path ?? "")).inserted
        }
      guard !isNew else { continue }
      let name = request.stream?.name ?? "\"\(request.path ?? "")\""
      Console.report(
        Diagnostic(
          "two reports write to \(name)", code: .badArguments, at: nil,
          help: "give each report a path of its own"))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
  }

  /// Opens every report.
  ///
  /// - Parameters:
  ///   - reproduces: Whether `scenario run` makes a case fail again.
  ///   - passed: How a case was when it passed last, as a page shows it.
  /// - Throws: Exit code 3 if one cannot be written to.
  func recorders(
    sources: @escaping @Sendable (String) -> String?, reproduces: Bool = true,
    passed: @escaping (_ identifier: String) -> String? = { _ in nil }
  ) throws -> [any EventRecorder] {
    do throws(ReportError) {
      var list: [any EventRecorder] = []
      for request in report {
        list.append(try recorder(request, sources, passed, reproduces: reproduces))
      }
      return list
    } catch {
      Console.report(error)
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
    }
  }

  private func recorder(
    _ request: ReportRequest, _ sources: @escaping @Sendable (String) -> String?,
    _ passed: @escaping (String) -> String?, reproduces: Bool
  ) throws(ReportError) -> any EventRecorder {
    switch request.format {
    case .junit:
      return JUnitRecorder(
        destination: try destination(request), dialect: dialect, reproduces: reproduces,
        sources: sources, attachments: attachments,
        warn: { Console.report(Diagnostic($0, code: .changedReport, at: nil)) })
    case .jsonl, .blob: return JSONLinesRecorder(sink: try request.journal())
    case .har: return ArchiveRecorder(sink: try request.sink())
    case .tap:
      return CaseListRecorder(
        .tap, sink: try request.sink(), reproduces: reproduces, sources: sources)
    case .ctrf:
      return CaseListRecorder(
        .ctrf, sink: try request.sink(), reproduces: reproduces, sources: sources)
    case .github:
      return GitHubRecorder(
        commands: PrintedStream.output.sink(.verbatim), summary: request.stepSummary,
        reproduces: reproduces)
    case .html:
      return PageRecorder(
        sink: try request.sink(), path: request.path.map { ReportPath($0).absolute },
        reproduces: reproduces, passed: passed, sources: sources)
    case .trace: return TraceRecorder(sink: try request.sink())
    }
  }

  private var attachments: JUnitAttachments {
    JUnitAttachments(root: Self.absolute(attachmentsRoot ?? "."))
  }

  private static func absolute(_ path: String) -> String {
    FileAccess.machine.canonicalPath(path) ?? path
  }

  private func destination(_ request: ReportRequest) throws(ReportError) -> JUnitDestination {
    guard let path = request.path, ReportFolder.isMeant(by: path) else {
      return .sink(try request.sink())
    }
    return .folder(try ReportFolder(path: path))
  }

  /// A file that cannot be read is an error for CI systems, too, and not a run with fewer cases.
  func reportInvalid(_ input: ScenarioInput) {
    for request in report where request.format == .junit {
      do throws(ReportError) {
        try InvalidInputReport.write(
          input.list, renderer: input.renderer(usesColour: false), to: try destination(request),
          dialect: dialect)
      } catch {
        Console.report(error)
      }
    }
  }
}

/// One `--report FORMAT=FILE`.
struct ReportRequest: Sendable {
  /// The reports that can be written.
  enum Format: String, CaseIterable {
    /// JUnit XML.
    case junit
    /// Events, one per line.
    case jsonl
    /// An HTTP Archive of what the mock server answered.
    case har
    /// The Test Anything Protocol.
    case tap
    /// The Common Test Report Format.
    case ctrf
    /// Annotations and a step summary of GitHub Actions.
    case github
    /// Events, one per line, for `scenario report merge`.
    case blob
    /// A page for a browser, with the timeline of each scenario's environment.
    case html
    /// The timelines, for chrome://tracing and Perfetto.
    case trace

    /// True if it needs the events that only a timeline shows.
    var showsTimeline: Bool { [.jsonl, .blob, .html, .trace].contains(self) }

    /// True if it needs to know all of each answer.
    var showsExchanges: Bool { [.jsonl, .blob, .html, .har].contains(self) }

    /// True if it can do without a file: then it goes to standard output.
    var needsNoFile: Bool { self == .jsonl || self == .github }
    /// True if `-` means standard output.
    var isStream: Bool { self == .jsonl || self == .tap || self == .ctrf }
  }

  /// The format of the report.
  let format: Format
  /// The path; `nil` where the format needs no file and none was named.
  let path: String?

  /// The formats, for messages.
  static var list: String {
    let names = Format.allCases.map { $0 == .github ? $0.rawValue : "\($0.rawValue)=FILE" }
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// Creates a request for a report in a file.
  init(format: Format, path: String) {
    self.format = format
    self.path = path
  }

  /// Reads `FORMAT=FILE`.
  ///
  /// - Throws: What is wrong with it.
  init(text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let format = Format(rawValue: name) else {
      throw ValidationError("\"\(name)\" is not a report format; write \(Self.list)")
    }
    self.format = format
    guard parts.count > 1 || !format.needsNoFile else {
      path = nil
      return
    }
    let path = parts.count > 1 ? String(parts[1]) : ""
    guard !path.isEmpty else {
      throw ValidationError("--report \(name) needs a file; write --report \(name)=FILE")
    }
    guard path != "-" || format.isStream else {
      throw ValidationError("--report \(name) cannot go to standard output; name a file")
    }
    self.path = path
  }

  /// True if it goes to standard output: GitHub's commands do in any case.
  var usesStandardOutput: Bool { stream == .output }

  /// The standard stream that it goes to, whichever name the path has for it; `nil` for a file.
  var stream: PrintedStream? {
    guard format != .github, let path, path != "-" else { return .output }
    return PrintedStream(path: path)
  }

  /// The sink of a step's summary: the file that was named, or the one that GitHub names.
  var stepSummary: (any ReportSink)? {
    let place = path ?? ProcessEnvironment.all["GITHUB_STEP_SUMMARY"] ?? ""
    guard !place.isEmpty else { return nil }
    return PrintedStream(path: place)?.sink(.text) ?? AppendingSink(path: place)
  }

  /// Makes the sink of a report that is whole or not there.
  func sink() throws(ReportError) -> any ReportSink {
    if let stream { return stream.sink(content) }
    return try FileSink(path: path ?? "")
  }

  /// Makes the sink of a report of which every line counts by itself.
  func journal() throws(ReportError) -> any ReportSink {
    if let stream { return stream.sink(content) }
    return try JournalSink(path: path ?? "")
  }

  /// The meaning of a line to its reader.
  private var content: PrintedText {
    switch format {
    case .github: .verbatim
    case .junit, .tap: .text
    case .html, .jsonl, .blob, .har, .ctrf, .trace: .json
    }
  }
}
