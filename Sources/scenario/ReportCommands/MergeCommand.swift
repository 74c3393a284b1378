internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario report merge`.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the event streams of all shards of a plan into one report.",
    discussion: CommandDiscussion(
      """
      Each shard writes its event stream with "scenario run --report blob=FILE". The exit code is that of a single run of \
      all cases. A shard without a report is an error: exit code 3. Rejects streams of different plans, a shard that reports \
      twice, and a case that ran twice: exit code 2.
      """,
      examples: [
        "scenario run --shard 1/2 --report blob=shard-1.jsonl",
        "scenario report merge shard-*.jsonl --report junit=report.xml",
        "scenario report merge shard-*.jsonl --attempts as-retry",
      ]
    ).rendered)

  @Argument(help: ArgumentHelp("The event streams of the shards.", valueName: "blob"))
  var blobs: [String]

  @OptionGroup(title: HelpTitle.reports) var reports: ReportOptions
  @OptionGroup(title: HelpTitle.values) var secrets: SecretOptions

  @Option(
    help: ArgumentHelp(
      "Count several runs of one shard as: as-retry, replace or separate.",
      discussion: "The default is to reject them.", valueName: "how"),
    transform: Self.attempts)
  var attempts: ShardMerge.Attempts?

  @Option(help: "Colours: auto, always or never.", transform: SelectionOptions.colourMode)
  var color = ColourMode.auto

  /// The largest stream that is read.
  private static let sizeLimit = 8 << 30

  static func attempts(_ text: String) throws -> ShardMerge.Attempts {
    guard let attempts = ShardMerge.Attempts(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of as-retry, replace, separate")
    }
    return attempts
  }

  func run() throws {
    try reports.requireDistinct()
    var seen: Set<ReportPath> = []
    for path in blobs + reports.report.compactMap(\.path)
    where !seen.insert(ReportPath(path)).inserted {
      throw Refusal(
        "\"\(path)\" is named twice",
        help: "name each stream once, and each report a path of its own"
      ).reported(.badArguments)
    }
    try ReportPlaces.require(reports.files, apartFrom: blobs)
    let events: [Event]
    do throws(MergeRefusal) {
      var streams: [EventStream] = []
      for blob in blobs {
        streams.append(
          try EventStream(name: blob, bytes: read(blob), version: Version.text))
      }
      events = try ShardMerge(streams, attempts: attempts).events()
    } catch {
      throw Refusal("nothing is merged: \(error.message)", help: error.help).reported(
        .refusedStreams)
    }
    throw ArgumentParser.ExitCode(try play(events).rawValue)
  }

  private func read(_ path: String) throws(MergeRefusal) -> [UInt8] {
    do throws(FileReadError) {
      return try FileTree.read(path, limit: Self.sizeLimit)
    } catch {
      throw MergeRefusal(unreadable: error.message(path: path))
    }
  }

  /// Hands the events to the reports; what the run says to its caller.
  private func play(_ events: [Event]) throws -> ScenarioReport.ExitCode {
    let redactor = secrets.redactor(nil)
    let recorded = events.first.flatMap { event in
      if case .runStarted(let run) = event.kind { RecordedSources(run) } else { nil }
    }
    let texts = Set(events.compactMap(\.file)).reduce(into: [String: String]()) { texts, path in
      texts[path] = recorded?.text(of: path)
    }
    let sources = redactor.redacted { texts[$0] }
    let terminal = TerminalRecorder(
      sink: DescriptorSink(
        descriptor: reports.terminalDescriptor, name: reports.terminalName),
      usesColour: color.usesColour(descriptor: reports.terminalDescriptor), sources: sources)
    let group = RecorderGroup(
      try [terminal] + reports.recorders(sources: sources), redactor: redactor)
    var counter = RunCounts()
    for event in events {
      counter.record(event)
      group.record(event)
    }
    let errors = group.finish()
    for error in errors { Console.report(error) }
    // All shards may have been empty: a plan of nothing was refused before any of them began.
    let code = counter.exitCode == .nothingSelected ? .passed : counter.exitCode
    return code == .passed && !errors.isEmpty ? .undecided : code
  }
}

extension Event {
  /// The scenario file of a case that begins.
  fileprivate var file: String? {
    if case .caseStarted(let description) = kind { description.file } else { nil }
  }
}
