internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax
internal import ScenarioTools

/// The command `scenario record`.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Run a command once with real hosts and write the scenario that replays it.",
    discussion: CommandDiscussion(
      """
      Runs the command in the current folder, in real time, with real hosts. Files that it reads are copied \
      into the scenario, which expects the files that it changes, its output, its waits and its exit code. The scenario is \
      then replayed offline. Differences are reported and their expectations relaxed: exit code 3, or 0 with --loosen.
      """,
      examples: [
        "scenario record -- ./sync --once",
        "scenario record -o scenarios/sync.yaml --pass HOME -- ./sync",
        "scenario record --upstream api.example.com:443=127.0.0.1:8443 -- ./sync",
      ]
    ).rendered)

  @Option(
    help: ArgumentHelp(
      "Pass this environment variable to the command. May be given more than once.",
      valueName: "name"))
  var pass: [String] = []

  @Option(
    help: ArgumentHelp(
      "Connect to a host at another address: HOST:PORT=HOST:PORT. May be given more than once.",
      valueName: "rule"))
  var upstream: [String] = []

  @Flag(help: "Do not record requests to servers on this machine.")
  var openLoopback = false

  @Flag(help: "Exit with 0 even if the replay differs; the expectations that differ are relaxed.")
  var loosen = false

  @OptionGroup(title: HelpTitle.values) var secrets: SecretOptions

  @OptionGroup var options: AuthoringOptions

  private var command: [String] { options.command }

  func validate() throws {
    for rule in upstream where rule.split(separator: "=").count != 2 {
      throw ValidationError("\"\(rule)\" is not a rule; write HOST:PORT=HOST:PORT")
    }
    for name in pass where ProcessEnvironment.all[name] == nil {
      throw ValidationError("there is no variable \"\(name)\" to pass")
    }
  }

  func run() throws {
    let stop = StopSignals()
    try OwnLimits.prepare()
    stop.watch()
    let place = try ScenarioPlace(
      path: options.path, name: options.name)
    let cancellation = RunCancellation()
    stop.whenReceived { cancellation.cancel() }
    let variables = PassedVariables(pass, secrets: secrets.secret)
    let secrets = RecordedSecrets(redactor: SecretRedactor(values: variables.secrets))
    let input = PipedInput.live()
    let reality = try reality(in: place, variables, readsInput: input == nil)
    var template = template(of: reality, in: place, variables, secrets)

    var first = WatchedRun(
      try Self.plan(template.recordingText(reality), place), options: Self.runOptions(secrets))
    first.folder = place.here
    first.input = input
    first.interruptingSignal = { stop.received }
    first.beforeRecording = { () throws(Failure) in
      do throws(ReportError) {
        try place.makeFolder()
      } catch {
        throw Failure(
          category: .error, type: "System", message: error.message, help: error.help)
      }
    }
    let seen = first.run(cancellation)
    if let failure = refusal(for: seen) { throw failure }
    if let input {
      template.command.standardInput = try PipedInput.text(
        input.bytes, .undecided, help: Self.inputHelp
      ).map { secrets.removed(from: $0) }
    }
    let recorded = RecordedCommand(seen: seen, place: place, secrets: secrets)
    template.hasRecording = seen.hasExchanges
    template.asksThisMachine = seen.asksThisMachine
    // What a server on this machine takes, it takes in the replay as well.
    let waits = openLoopback || seen.meetsThisMachine
    template.timeout = RecordedTemplate.timeout(
      afterBeingBusy: waits ? max(seen.processorTime, seen.elapsed) : seen.processorTime)
    let (fixtures, fixtureNotes) = try recorded.writeFixtures()
    template.fixtures = fixtures
    let notes = seen.notes + fixtureNotes
    recorded.fill(&template, again: [])
    // A program such as "../app" is found from the folder of the scenario.
    do throws(ReportError) {
      try place.makeFolder()
    } catch {
      throw NewFile.refusal(error)
    }
    if let code = stop.exitCode {
      try finishInterrupted(template, recorded, notes)
      throw ArgumentParser.ExitCode(code.rawValue)
    }
    if let failure = seen.failures.first {
      if ["Timeout", "Stuck", "Endless"].contains(failure.type) { template.ending = nil }
      let path = try Self.write(template, recorded, notes)
      guard Self.endless.contains(failure.type) else {
        throw Self.unreplayed(failure, path, secrets)
      }
      throw Console.refusal(
        .undecided, "the command did not end: \(secrets.removed(from: failure.message))",
        help: "give it more time with --timeout, or stop it with Ctrl-C when it has done enough",
        .badCommand)
    }
    try replay(template, recorded, notes, cancellation)
    if let code = stop.exitCode { throw ArgumentParser.ExitCode(code.rawValue) }
  }

  private static let inputHelp =
    "write it to a file in this folder, and let the command read that file"

  // MARK: - What there is to tell

  /// Reports why there is nothing to be written; `nil` where there is.
  private func refusal(for seen: WatchedRun.Seen) -> ArgumentParser.ExitCode? {
    guard let failure = seen.failures.first else { return nil }
    let unrecorded = seen.failures.first { $0.type.hasPrefix("network.") }
    let isOver = seen.ending != nil || Self.endless.contains(failure.type)
    guard unrecorded != nil || !isOver || seen.meetsThisMachine && failure.type == "Timeout" else {
      return nil
    }
    let reported = unrecorded ?? failure
    let isForeign = unrecorded.map { ["network.speaksFirst"].contains($0.type) } ?? false
    let help =
      seen.meetsThisMachine && isOver
      ? "only HTTP can be recorded; --open-loopback does not record servers on this machine"
      : isForeign
        ? "among servers on other machines, only HTTP servers can be recorded" : reported.help
    return Console.refusal(.undecided, reported.message, help: help, .badCommand)
  }

  /// Failures of a command that goes on.
  private static let endless = ["Interrupted", "Timeout", "Stuck", "Endless"]

  // MARK: - Planning

  private var upstreams: [(from: String, to: String)] {
    upstream.map { rule in
      let sides = rule.split(separator: "=", maxSplits: 1)
      return (String(sides[0]), String(sides[1]))
    }
  }

  /// The real run of the command.
  private func reality(
    in place: ScenarioPlace, _ variables: PassedVariables, readsInput: Bool
  ) throws -> RecordedTemplate.Reality {
    var reality = RecordedTemplate.Reality(command: command)
    if command[0].contains("/"), !command[0].hasPrefix("/") {
      reality.command[0] = "\(place.here)/\(command[0])"
    }
    if isatty(STDIN_FILENO) != 0 {
      Console.report(
        "note: the command's standard input is empty, because a terminal cannot be recorded;"
          + " pipe its input in\n")
    }
    if readsInput { reality.standardInput = try PipedInput.read(help: Self.inputHelp) }
    reality.environment = variables.real
    reality.upstreams = upstreams
    reality.leavesLoopbackOpen = openLoopback
    return reality
  }

  /// The same as the scenario has it: wherever it is, and without secrets.
  private func template(
    of reality: RecordedTemplate.Reality, in place: ScenarioPlace, _ variables: PassedVariables,
    _ secrets: RecordedSecrets
  ) -> RecordedTemplate {
    var words = reality.command
    if words[0].hasPrefix(place.here + "/") {
      let path = place.fromScenario(words[0])
      // A name alone would be looked for in PATH.
      words[0] = path.contains("/") ? path : "./\(path)"
    }
    for index in words.indices.dropFirst() {
      words[index] = RecordedTemplate.hiding(
        place.here, in: secrets.removed(from: words[index]))
    }
    var template = CommandTemplate(name: place.name, command: words)
    template.timeout = (options.timeout ?? Self.usualTimeout).description
    template.standardInput = reality.standardInput.map { secrets.removed(from: $0) }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // A whole second, so that a replay tells the same one; the next one, so that no file is from the future.
    var recorded = RecordedTemplate(
      command: template, start: WallInstant(seconds: Int64(time.tv_sec) + 1))
    recorded.environment = variables.shown
    return recorded
  }

  private static let usualTimeout = Nanoseconds.seconds(600)

  static func plan(_ text: String, _ place: ScenarioPlace) throws -> PlannedCase {
    try AuthoredCase(text, path: place.path).orReport()
  }

  static func runOptions(_ secrets: RecordedSecrets) -> RunOptions {
    var options = AuthoredCase.runOptions
    options.trustPath = ProcessEnvironment.trustPath
    options.secrets = secrets.redactor
    return options
  }
}
