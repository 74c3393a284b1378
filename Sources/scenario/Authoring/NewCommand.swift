internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax
internal import ScenarioTools

/// The command `scenario new`.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Generate a passing scenario from a command.",
    discussion: CommandDiscussion(
      """
      Runs the command in an empty folder with a clean environment and no network, twice or more, in different places. \
      Output that is the same in all runs is expected; what differs is relaxed. It also runs at two other dates: if the \
      output depends on the date, the scenario gets a clock. The scenario then runs once more, to show that it passes.
      """,
      examples: [
        "scenario new -- date -u +%F",
        "scenario new --file words.txt -- sort words.txt",
        "scenario new -o scenarios/greeting.yaml --name greeting -- ./greet Ada",
      ]
    ).rendered)

  @Option(
    name: .customLong("file"),
    help: ArgumentHelp(
      "Copy this file or folder into the command's folder. May be given more than once.",
      valueName: "path"), completion: .file())
  var files: [String] = []

  @OptionGroup var options: AuthoringOptions

  private var command: [String] { options.command }
  private var timeout: Nanoseconds { options.timeout ?? Self.usualTimeout }
  private static let usualTimeout = Nanoseconds.seconds(10)

  func run() throws {
    let stop = StopSignals()
    try OwnLimits.prepare()
    stop.watch()
    let path = options.path
    guard FileTree.canonicalPath(path) == nil else {
      throw Console.refusal(
        .invalidInput, "\"\(path)\" exists already", help: "name another file with -o",
        .badArguments)
    }
    let template = try template(for: path)
    // A path such as "../app" leads nowhere from a folder that is not there.
    let made: [String]
    do throws(ReportError) {
      made = try NewFile.makeFolders(leadingTo: path)
    } catch {
      throw NewFile.refusal(error)
    }
    // rmdir(2) takes only what is empty: where nothing was written, nothing is left.
    defer { for folder in made.reversed() { rmdir(folder) } }
    let (draft, clock) = try draft(of: template, at: path, stop)
    if draft.ending == nil {
      Console.report(
        "note: the runs ended differently; the scenario does not expect an exit code\n")
    }
    try write(ScenarioFormatter.formatted(draft.text), to: path)
    for (stream, template) in [("stdout", draft.output), ("stderr", draft.errorOutput)] {
      if let note = template.note { try Console.print("note: \(stream): \(note)\n") }
    }
    if let clock {
      try Console.print(
        "note: its output depends on the time; the scenario sets clock: \(clock.text)\n")
    }
    let end = draft.ending.map { Self.words(for: $0) } ?? "in two ways"
    try Console.print("wrote \(TerminalText.line(path)): it ended \(end)\n")
    try Console.print("passed: scenario run \(ShellWord.quoted(path))\n")
  }

  // MARK: - The sketch

  /// Runs the command until it is known what can be expected of it.
  private func draft(
    of template: CommandTemplate, at path: String, _ stop: StopSignals
  ) throws -> (Draft, CommandTemplate.Clock?) {
    let instant = Self.instantOfRun()
    func observeFreely(_ count: Int) throws -> [Observation] {
      try (0..<count).map {
        try observe(template.text(ending: nil), path, stop, isElsewhere: $0 % 2 == 1)
      }
    }
    var free = try observeFreely(2)
    let held = try heldTrial(of: template, at: instant, free: free) {
      let seen = try watch($0.text(ending: nil), path, stop, isElsewhere: $1)
      return seen?.decisive(isJudged: false) == nil ? seen : nil
    }
    if let held, let clock = held.clock {
      var template = template
      template.clock = clock
      let draft = Draft(template, held.here)
      let trial = try watch(draft.text, path, stop, isElsewhere: true, isJudged: true)
      if trial?.failures.isEmpty == true { return (draft, clock) }
    }
    // Runs that were the same by chance would make a scenario that fails now and then.
    if held?.varies ?? true { free += try observeFreely(2) }
    while true {
      let draft = Draft(template, free)
      let trial = try observe(draft.text, path, stop, isElsewhere: true, isJudged: true)
      guard let failure = trial.failures.first else { return (draft, nil) }
      guard free.count < Self.mostRuns else {
        throw Console.refusal(
          .failed, "the command is not deterministic: \(failure.message)",
          help: "remove what changes, or write the scenario by hand", .badExpectation)
      }
      free.append(trial)
    }
  }

  /// The number of runs, in the machine's own time, of which at least one must be like the others.
  private static let mostRuns = 6

  private func template(for path: String) throws -> CommandTemplate {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    let here = FileTree.canonicalPath(".") ?? ""
    let base = folder.hasPrefix("/") ? folder : folder.isEmpty ? here : "\(here)/\(folder)"
    var template = CommandTemplate(
      name: options.name ?? PathText.baseName(of: path), command: command)
    if command[0].contains("/"), !command[0].hasPrefix("/") {
      let program = PathFromHere.relative("\(here)/\(command[0])", from: base)
      // A name alone would be looked for in PATH.
      template.command[0] = program.contains("/") ? program : "./\(program)"
    }
    for file in files {
      guard let found = FileTree.canonicalPath(file) else {
        throw Console.refusal(
          .invalidInput, "there is no file \"\(file)\"",
          help: "name an existing file or folder with --file",
          .missingFile)
      }
      let isBelow = !file.hasPrefix("/") && !file.split(separator: "/").contains("..")
      let place = isBelow ? Self.plain(file) : Self.baseName(of: file)
      if FileTree.isFolder(found) {
        for name in FileTree.files(below: found) {
          template.files.append(
            ("\(place)/\(name)", PathFromHere.relative("\(found)/\(name)", from: base)))
        }
      } else {
        template.files.append((place, PathFromHere.relative(found, from: base)))
      }
    }
    if timeout != Self.usualTimeout { template.timeout = timeout.description }
    template.standardInput = try PipedInput.read(
      help: "give it a file: --file PATH -- PROGRAM PATH")
    for word in command.dropFirst() {
      guard !word.hasPrefix("/"), !word.hasPrefix("-"), FileTree.canonicalPath(word) != nil,
        !template.files.contains(where: { $0.path == Self.plain(word) || $0.path.hasPrefix(word) })
      else { continue }
      Console.report(
        "note: \"\(TerminalText.line(word))\" is not copied into the command's folder; add --file \(ShellWord.quoted(word)) to copy it\n"
      )
    }
    return template
  }

  // MARK: - Running

  /// Runs a scenario's text as its file would run.
  ///
  /// - Parameters:
  ///   - isElsewhere: Whether the case's folders lie where they usually do not.
  ///   - isJudged: Whether false expectations are for the caller; otherwise nothing is expected.
  private func observe(
    _ text: String, _ path: String, _ stop: StopSignals, isElsewhere: Bool, isJudged: Bool = false
  ) throws -> Observation {
    let plannedCase = try AuthoredCase(text, path: path, timeout: timeout).orReport()
    let seen = try watch(plannedCase, stop, isElsewhere: isElsewhere, isJudged: isJudged)
    if let decisive = seen.decisive(isJudged: isJudged) { throw refusal(of: decisive) }
    return seen
  }

  /// Runs a scenario's text; `nil` if it is none.
  private func watch(
    _ text: String, _ path: String, _ stop: StopSignals, isElsewhere: Bool, isJudged: Bool = false
  ) throws -> Observation? {
    try AuthoredCase(text, path: path, timeout: timeout).plannedCase.map {
      try watch($0, stop, isElsewhere: isElsewhere, isJudged: isJudged)
    }
  }

  private func watch(
    _ plannedCase: PlannedCase, _ stop: StopSignals, isElsewhere: Bool, isJudged: Bool
  ) throws -> Observation {
    let cancellation = RunCancellation()
    stop.whenReceived { cancellation.cancel() }
    stop.beforeEndingAtOnce { cancellation.abandon() }
    var run = WatchedRun(plannedCase, options: AuthoredCase.runOptions)
    run.isElsewhere = isElsewhere
    run.isJudged = isJudged
    let seen = run.run(cancellation)
    if let code = stop.exitCode { throw ArgumentParser.ExitCode(code.rawValue) }
    return Observation(seen)
  }

  /// Reports why a command cannot be made a scenario by itself.
  private func refusal(of failure: Failure) -> ArgumentParser.ExitCode {
    if failure.type.hasPrefix("network.") {
      return Console.refusal(
        .failed, "the command needs the network: \(failure.message)",
        help: "write the scenario by hand, with \"responses\" for its requests", .badExpectation)
    }
    if failure.type == "Timeout" || failure.type == "Stuck" {
      return Console.refusal(
        .undecided, "the command did not end: \(failure.message)",
        help:
          "give it more time with --timeout, or write \"start\" and \"stop\" steps for a server",
        .badExpectation)
    }
    return Console.refusal(.undecided, failure.message, help: failure.help, .badCommand)
  }

  private func write(_ text: String, to path: String) throws {
    guard try NewFile.writeOrRefuse(text, to: path) else {
      throw Console.refusal(.invalidInput, "\"\(path)\" exists already", help: nil, .badArguments)
    }
  }

  // MARK: - Words

  static func words(for ending: CommandTemplate.Ending) -> String {
    switch ending {
    case .exit(let code): "with exit code \(code)"
    case .signal(let name): "by signal \(name)"
    }
  }

  /// `.` left out.
  private static func plain(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  static func baseName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? "command"
  }
}
