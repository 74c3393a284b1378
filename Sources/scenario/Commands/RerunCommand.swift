internal import ArgumentParser
internal import FoundationEssentials
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario rerun`.
typealias RerunCommand = RunningCommand<FailedCases>

/// The cases that failed before.
struct FailedCases: CaseSource {
  static let configuration = CommandConfiguration(
    commandName: "rerun", abstract: "Run failed cases again, with the same seeds.",
    discussion: CommandDiscussion(
      """
      A failure is outstanding until the case passes. If the rerun cases pass and other failures are \
      outstanding, the exit code is 5; if nothing is outstanding, 0.
      """,
      examples: [
        "scenario rerun", "scenario rerun latest scenarios/checkout.yaml",
        "scenario rerun ci-run.jsonl --show-output all",
      ]
    ).rendered)

  @Argument(
    help:
      "The failures to run: \"latest\", or the event stream of another run, written by --report jsonl=FILE.",
    completion: .file(extensions: ["jsonl"]))
  var source = Self.latest

  /// The name of what is recorded here.
  static let latest = "latest"

  static func validate(_ command: RerunCommand) throws {
    guard !command.watching.watch else {
      throw ValidationError(
        "--watch is only allowed with \"scenario run\", which runs failed cases first")
    }
  }

  static func run(_ command: RerunCommand) throws {
    let origin = command.origin
    let project = Project.current()
    if origin.source != latest {
      try ReportPlaces.require(
        command.reports.files + [command.execution.trace].compactMap { $0 },
        apartFrom: [origin.source])
    }
    let (failures, inputs) =
      origin.source == latest
      ? try origin.recorded(in: project) : try origin.stream(in: project, for: command)
    guard !failures.isEmpty else {
      try Console.print("nothing is outstanding\n")
      return
    }
    var cases = LastFailedCases(entries: failures, in: project)
    cases.inputs = inputs
    do {
      try command.run(recorded: cases)
    } catch let code as ArgumentParser.ExitCode where isWell(code, cases, command.selection) {
      // All that was selected has passed.
      let count = max(0, failures.count - cases.selected.count)
      guard count > 0 else { return }
      try Console.print(
        "\(count) earlier failure\(count == 1 ? "" : "s") \(count == 1 ? "is" : "are") outstanding\n"
      )
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.outstanding.rawValue)
    }
  }

  /// Returns whether nothing has failed again: what is no longer there was not run, and nobody has seen it pass.
  private static func isWell(
    _ code: ArgumentParser.ExitCode, _ cases: LastFailedCases, _ selection: SelectionOptions
  ) -> Bool {
    let isWhole = selection.filters.isDefault
    return code.rawValue == 0
      || code.rawValue == ScenarioReport.ExitCode.nothingSelected.rawValue && isWhole
        && cases.selected.count == 0
  }

  private typealias Failures = (entries: [LastRun.Entry], inputs: VariableInputs)

  private func recorded(in project: Project) throws -> Failures {
    guard let record = LastRunFile(project: project).read() else {
      throw refusal(.nothingSelected, "no run is recorded", help: "\"scenario run\" records one")
    }
    if record.isInterrupted { Console.report("note: the last run was interrupted\n") }
    return (record.outstanding, RecordedVariables.inputs(of: record.variables))
  }

  // MARK: - Events

  /// The largest number of bytes that are read of a stream.
  private static let streamLimit = 1 << 29

  private func stream(in project: Project, for command: RerunCommand) throws -> Failures {
    let bytes: [UInt8]
    do throws(FileReadError) {
      bytes = try FileTree.read(source, limit: Self.streamLimit)
    } catch {
      throw refusal(
        .invalidInput, error.message(path: source),
        help: "name \"latest\", or a file that --report jsonl=FILE wrote")
    }
    var endings = CaseEndings()
    var unread = 0
    let decoder = JSONDecoder()
    for line in bytes.split(separator: 0x0A) {
      guard let event = try? decoder.decode(Event.self, from: Data(line)) else {
        unread += 1
        continue
      }
      endings.record(event)
    }
    guard endings.run != nil else {
      throw refusal(
        .invalidInput, "\"\(source)\" contains no events of a run",
        help: "name a file that --report jsonl=FILE wrote")
    }
    if unread > 0 {
      Console.report(
        "note: \(unread) line\(unread == 1 ? "" : "s") of \"\(TerminalText.line(source))\" could not be read\n"
      )
    }
    try reportStaleness(of: endings, command)
    let words = endings.cases.first?.description.options ?? []
    return (
      endings.failures.map { entry(for: $0.description, $0.outcome, project) },
      RecordedVariables.inputs(ofOptions: words)
    )
  }

  private func entry(
    for description: CaseDescription, _ outcome: CaseResult.Outcome, _ project: Project
  ) -> LastRun.Entry {
    let here = FileTree.canonicalPath(description.file) != nil
    return LastRun.Entry(
      file: here ? project.name(of: description.file) : description.file, name: description.name,
      seed: description.seed, outcome: outcome)
  }

  /// Reports whether the same files still give the same plan.
  private func reportStaleness(of endings: CaseEndings, _ command: RerunCommand) throws {
    var seen: Set<String> = []
    let files = endings.cases.map(\.description.file).filter { seen.insert($0).inserted }
    let found = files.filter { FileTree.canonicalPath($0) != nil }
    let cases = endings.cases
    let now: String?
    if found.count == files.count {
      let input = command.selection.read(files)
      var options = command.selection.options(for: input)
      options.selections = []
      options.nameFilter = nil
      options.only = .ignored
      options.identifiers = Set(cases.map(\.identifier))
      options.seeds = Dictionary(cases.map { ($0.identifier, $0.description.seed) }) { $1 }
      let inputs = PlanInputs()
      inputs.watch(&options)
      now = try Planner.plan(files: input.files, options: options).plan.map { plan in
        var planned = PlannedInput(plan: plan, sources: input.sources) { _, _ in nil }
        planned.inputs = inputs.inputs(of: plan, sources: input.sources)
        planned.wishes = .init(
          seed: command.selection.seed, network: command.network?.rawValue,
          root: command.selection.root, variables: input.usedInputs)
        return try PlanDigest.of(planned)
      }
    } else {
      now = nil
    }
    guard let digest = endings.run?.planDigest, digest != now else { return }
    Console.report(
      Diagnostic(
        "the plan differs from that of the recorded run: \(digest.prefix(12)) then, \(now?.prefix(12) ?? "none") now",
        code: .staleRecord, at: nil,
        help: "files have changed since, so the failure may not reproduce"))
  }

  private func refusal(
    _ code: ScenarioReport.ExitCode, _ message: String, help: String
  ) -> ArgumentParser.ExitCode {
    Console.report(Diagnostic(message, code: .badArguments, at: nil, help: help))
    return ArgumentParser.ExitCode(code.rawValue)
  }
}

extension LastFailedCases {
  /// Reports the cases that are not planned as they were when they failed.
  func reportChanges(in plan: ExecutionPlan) {
    selected.count = plan.cases.count
    let digests = Dictionary(entries.map { ($0.key, $0.digest) }) { first, _ in first }
    let changed = plan.cases.filter { planned in
      let key = LastRun.Key(
        file: project.name(of: planned.file), name: planned.undatedName, date: planned.date)
      guard let digest = digests[key], !digest.isEmpty
      else { return false }
      return digest != LastRunFile.digest(of: planned)
    }
    guard !changed.isEmpty else { return }
    let list = changed.prefix(5).map { "\"\($0.name)\"" }.joined(separator: ", ")
    Console.report(
      Diagnostic(
        "\(changed.count) case\(changed.count == 1 ? " has" : "s have") changed since the failure",
        code: .staleRecord, at: nil,
        help: "\(list)\(changed.count > 5 ? " and others" : ""): the failure may not reproduce"))
  }
}
