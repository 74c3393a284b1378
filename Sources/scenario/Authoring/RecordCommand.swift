internal import ArgumentParser
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario record`.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Runs a command once in the real world and writes the scenario that replays it.",
    discussion: """
      The command runs in the current folder, in real time, and talks to real hosts. Files that it reads are \
      laid into the scenario, files that it changes are expected, and so are its output, its waits and its end. \
      The scenario is then replayed offline, and must do the same. What it does otherwise is told and \
      loosened in the scenario: exit code 3, or 0 with --loosen.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The scenario's file, which must not exist; scenarios/PROGRAM.yaml.", valueName: "file"))
  var output: String?

  @Option(help: "The scenario's name; that of its file.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Give the command this variable of yours. May be given more than once.", valueName: "name"))
  var pass: [String] = []

  @Option(
    help: ArgumentHelp(
      "Reach a host somewhere else: HOST:PORT=HOST:PORT. May be given more than once.",
      valueName: "rule"))
  var upstream: [String] = []

  @Flag(help: "Leave servers on this machine alone: what they are asked is not recorded.")
  var openLoopback = false

  @Flag(help: "Take it for a success that the replay does something otherwise, which is loosened.")
  var loosen = false

  @Option(
    help: ArgumentHelp("Give up after this much real time.", valueName: "time"),
    transform: ExploreCommand.duration)
  var timeout = Nanoseconds.seconds(600)

  @OptionGroup(title: "Secrets") var secrets: SecretOptions

  @Argument(
    parsing: .postTerminator,
    help: "The command, behind \"--\"; what is piped to this one, it reads.")
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else {
      throw ValidationError("there is no command; write it behind \"--\"")
    }
    for rule in upstream where rule.split(separator: "=").count != 2 {
      throw ValidationError("\"\(rule)\" is no rule; write HOST:PORT=HOST:PORT")
    }
    for name in pass where ProcessEnvironment.all[name] == nil {
      throw ValidationError("there is no variable \"\(name)\" to pass")
    }
  }

  func run() throws {
    let stop = StopSignals()
    RunnerProcess.prepare()
    stop.watch()
    let place = try ScenarioPlace(
      path: output ?? "scenarios/\(NewCommand.baseName(of: command[0])).yaml", name: name)
    let cancellation = RunCancellation()
    stop.whenReceived { cancellation.cancel() }
    let variables = PassedVariables(pass, secrets: secrets.secret)
    let redactor = SecretRedactor(values: variables.secrets)
    let reality = try reality(in: place, variables)
    var sketch = sketch(of: reality, in: place, variables, redactor)

    var first = WatchedRun(
      try plan(sketch.recordingText(reality), place), options: options(redactor))
    first.folder = place.here
    first.beforeRecording = { () throws(Failure) in try place.makeFolder() }
    let seen = first.run(cancellation)
    if let failure = refusal(for: seen) { throw failure }
    let recorded = RecordedCommand(seen: seen, place: place, redactor: redactor)
    sketch.hasRecording = seen.hasExchanges
    sketch.asksThisMachine = seen.asksThisMachine
    if seen.elapsed > Self.patience { sketch.timeout = Self.timeout(after: seen.elapsed) }
    let (fixtures, fixtureNotes) = try recorded.writeFixtures()
    sketch.fixtures = fixtures
    let notes = seen.notes + fixtureNotes
    recorded.fill(&sketch, again: [])
    if let code = stop.exitCode {
      if seen.failures.contains(where: { $0.type == "Interrupted" }) { sketch.ending = nil }
      try write(sketch, to: place, notes + ["the recording was interrupted, and not replayed"])
      throw ArgumentParser.ExitCode(code.rawValue)
    }
    if let failure = seen.failures.first {
      if ["Timeout", "Stuck", "Endless"].contains(failure.type) { sketch.ending = nil }
      try write(sketch, to: place, notes)
      guard Self.endless.contains(failure.type) else { throw unreplayed(failure, place) }
      throw refusal(
        .undecided, "the command did not end: \(failure.message)",
        help: "give it more time with --timeout, or end it with Ctrl-C when it has done enough",
        .badCommand)
    }
    // A program such as "../app" is found from the folder of the scenario.
    do throws(Failure) {
      try place.makeFolder()
    } catch {
      throw refusal(.undecided, error.message, help: error.help, .badArguments)
    }
    try replay(sketch, recorded, notes, cancellation, stop)
  }

  /// Commands that took no longer need no bound of their own.
  private static let patience = Nanoseconds.seconds(5)

  /// Three times as long, in whole seconds.
  private static func timeout(after elapsed: Nanoseconds) -> Nanoseconds {
    .seconds(elapsed.count / 1_000_000_000 * 3 + 30)
  }

  // MARK: - Replaying

  private func replay(
    _ original: RecordedSketch, _ recorded: RecordedCommand, _ notes: [String],
    _ cancellation: RunCancellation, _ stop: StopSignals
  ) throws {
    var sketch = original
    var notes = notes
    let place = recorded.place
    var again = try rerun(sketch, recorded, cancellation)
    var differences = recorded.differences(from: again)
    // Who lists a folder seldom minds what else is in it; who does, does otherwise without it.
    if !differences.isEmpty || !again.failures.isEmpty, stop.exitCode == nil,
      let fixtures = recorded.addingNames(to: sketch.fixtures)
    {
      var fuller = sketch
      fuller.fixtures = fixtures
      let other = try rerun(fuller, recorded, cancellation)
      let otherDifferences = recorded.differences(from: other)
      if (other.failures.count, otherDifferences.count)
        < (again.failures.count, differences.count)
      {
        (sketch, again, differences) = (fuller, other, otherDifferences)
      }
    }
    if let failure = again.failures.first {
      try write(sketch, to: place, notes)
      if let code = stop.exitCode { throw ArgumentParser.ExitCode(code.rawValue) }
      throw unreplayed(failure, place)
    }
    // What differs may be the same by chance: of two random bytes, each 256th pair is.
    var runs = [again]
    while !differences.isEmpty, runs.count < Self.samples, stop.exitCode == nil {
      runs.append(try rerun(sketch, recorded, cancellation))
    }
    notes += recorded.fill(&sketch, again: runs)
    var failures: [Failure] = []
    // Expectations on time are worth having, but not at the price of the others.
    for attempt in 0..<2 {
      failures = try rerun(sketch, recorded, cancellation, isJudged: true).failures
      let isAboutTime = failures.allSatisfy {
        ["expect.timers", "expect.elapsed"].contains($0.type)
      }
      guard attempt == 0, !failures.isEmpty, isAboutTime else { break }
      sketch.waits = nil
      sketch.elapsed = nil
      notes.append("the waits differ from run to run; they are not expected")
    }
    try write(sketch, to: place, notes)
    if let code = stop.exitCode { throw ArgumentParser.ExitCode(code.rawValue) }
    for difference in differences.prefix(Self.toldDifferences) {
      Console.tell("replayed: \(TerminalText.line(difference))\n")
    }
    if let failure = failures.first { throw unreplayed(failure, place) }
    guard differences.isEmpty || loosen else {
      let more = differences.count - Self.toldDifferences
      throw refusal(
        .undecided,
        "the replay is not what the command did for real"
          + (more > 0 ? " (\(more) more differences)" : ""),
        help: "\(TerminalText.line(place.path)) passes, as it expects only what stayed the same;"
          + " --loosen takes that for a success", .badExpectation)
    }
    try Console.print("passed: scenario run \(ShellWord.quoted(place.path))\n")
  }

  private static let toldDifferences = 10
  /// So many replays are compared where they are not all the same.
  private static let samples = 3

  private func rerun(
    _ sketch: RecordedSketch, _ recorded: RecordedCommand, _ cancellation: RunCancellation,
    isJudged: Bool = false
  ) throws -> WatchedRun.Seen {
    var run = WatchedRun(
      try plan(sketch.text, recorded.place), options: options(recorded.redactor))
    run.wanted = recorded.changedPaths
    run.isJudged = isJudged
    return run.run(cancellation)
  }

  /// What the file says is true, but not of a replay.
  private func unreplayed(_ failure: Failure, _ place: ScenarioPlace) -> ArgumentParser.ExitCode {
    let why = [failure.message] + (failure.actual.map { ["it was \($0)"] } ?? [])
    return refusal(
      .undecided, "the recording does not replay: \(why.joined(separator: "; "))",
      help: failure.help ?? "see \"scenario run \(place.path)\", and change what it shows",
      .badExpectation)
  }

  /// Why there is nothing to be written; `nil` where there is.
  private func refusal(for seen: WatchedRun.Seen) -> ArgumentParser.ExitCode? {
    guard let failure = seen.failures.first else { return nil }
    let unrecorded = seen.failures.first { $0.type.hasPrefix("network.") }
    let isOver = seen.ending != nil || Self.endless.contains(failure.type)
    guard unrecorded != nil || !isOver || seen.meetsThisMachine && failure.type == "Timeout" else {
      return nil
    }
    let told = unrecorded ?? failure
    let help =
      seen.meetsThisMachine && isOver
      ? "only HTTP can be recorded; --open-loopback leaves servers on this machine alone"
      : told.help
    return refusal(.undecided, told.message, help: help, .badCommand)
  }

  /// Failures of a command that goes on.
  private static let endless = ["Interrupted", "Timeout", "Stuck", "Endless"]

  private func write(
    _ sketch: RecordedSketch, to place: ScenarioPlace, _ notes: [String]
  ) throws {
    let isNew: Bool
    do throws(ReportError) {
      isNew = try NewFile.write(sketch.text, to: place.path)
    } catch {
      throw NewFile.refusal(error)
    }
    guard isNew else {
      throw refusal(.invalidInput, "\"\(place.path)\" exists already", help: nil, .badArguments)
    }
    for note in notes { try Console.print("note: \(TerminalText.line(note))\n") }
    let end =
      sketch.ending.map { "it ended \(NewCommand.words(for: $0))" } ?? "how it ended is open"
    let counts = [
      (sketch.fixtures.count, "read"), (sketch.results.count, "expected"),
    ].filter { $0.0 > 0 }.map { "\($0.0) file\($0.0 == 1 ? "" : "s") \($0.1)" }
    try Console.print(
      "wrote \(TerminalText.line(place.path)): \(([end] + counts).joined(separator: ", "))\n")
  }

  // MARK: - Planning

  private var upstreams: [(from: String, to: String)] {
    upstream.map { rule in
      let sides = rule.split(separator: "=", maxSplits: 1)
      return (String(sides[0]), String(sides[1]))
    }
  }

  /// What is really run.
  private func reality(
    in place: ScenarioPlace, _ variables: PassedVariables
  ) throws -> RecordedSketch.Reality {
    var reality = RecordedSketch.Reality(command: command)
    if command[0].contains("/"), !command[0].hasPrefix("/") {
      reality.command[0] = "\(place.here)/\(command[0])"
    }
    if isatty(STDIN_FILENO) != 0 {
      Console.tell(
        "note: the command reads nothing, as a terminal cannot be recorded;"
          + " pipe in what it is to read\n")
    }
    reality.standardInput = try PipedInput.read(
      help: "write it to a file of this folder, and let the command read that")
    reality.environment = variables.real
    reality.upstreams = upstreams
    reality.leavesLoopbackOpen = openLoopback
    return reality
  }

  /// The same as the scenario has it: wherever it is, and without secrets.
  private func sketch(
    of reality: RecordedSketch.Reality, in place: ScenarioPlace, _ variables: PassedVariables,
    _ redactor: SecretRedactor
  ) -> RecordedSketch {
    var words = reality.command
    if words[0].hasPrefix(place.here + "/") {
      let path = place.fromScenario(words[0])
      // A name alone would be looked for in PATH.
      words[0] = path.contains("/") ? path : "./\(path)"
    }
    for index in words.indices.dropFirst() {
      words[index] = RecordedSketch.hiding(
        place.here, in: redactor.redacted(words[index]), beforeSlash: true)
    }
    var sketch = CommandSketch(name: place.name, command: words)
    sketch.timeout = timeout.description
    sketch.standardInput = reality.standardInput.map { redactor.redacted($0) }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // A whole second, so that a replay tells the same one; the next one, so that no file is from the future.
    var recorded = RecordedSketch(
      command: sketch, start: WallInstant(seconds: Int64(time.tv_sec) + 1))
    recorded.environment = variables.shown
    return recorded
  }

  private func plan(_ text: String, _ place: ScenarioPlace) throws -> PlannedCase {
    let (file, mistakes) = ScenarioFile.parse(text: text, path: place.path)
    var options = PlannerOptions(
      fileExists: { access($0, F_OK) == 0 }, readFile: { try? FileTree.read($0) })
    options.filesBelow = { folder in
      FileTree.isFolder(folder) ? FileTree.files(below: folder).map { "\(folder)/\($0)" } : nil
    }
    options.only = .ignored
    let planned = file.map { Planner.plan(files: [$0], options: options) }
    let errors = (mistakes + (planned?.diagnostics ?? [])).filter { $0.severity == .error }
    guard let plannedCase = planned?.plan?.cases.first, errors.isEmpty else {
      let path = place.path
      let renderer = DiagnosticRenderer { $0 == path ? text : nil }
      for error in errors { Console.tell(renderer.render(error)) }
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    return plannedCase
  }

  private func options(_ redactor: SecretRedactor) -> RunOptions {
    var options = RunOptions(
      version: Version.text, planDigest: "", temporaryFolder: RunCommand.temporaryFolder,
      environment: [:])
    options.trustPath = RunCommand.trustPath
    options.secrets = redactor
    return options
  }

  private func refusal(
    _ code: ScenarioReport.ExitCode, _ message: String, help: String?, _ kind: DiagnosticCode
  ) -> ArgumentParser.ExitCode {
    Console.tell(Diagnostic(message, code: kind, at: nil, help: help))
    return ArgumentParser.ExitCode(code.rawValue)
  }
}
