internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax
internal import ScenarioTools

/// The command `scenario new`.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Generates a passing scenario from a command.",
    discussion: CommandDiscussion(
      """
      The command runs twice in an empty folder with a clean environment and no network. Output that is the same in \
      both runs is expected; what differs is relaxed. Then it runs at two other dates: if the output depends on the \
      date, the scenario gets a clock. The scenario then runs once more, to show that it passes.
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
    let instant = Self.instantOfRun()
    let first = try observe(template.text(ending: nil), path, stop)
    let second = try observe(template.text(ending: nil), path, stop)
    var draft = Draft(template, first, second)
    var clock: CommandTemplate.Clock?
    let held = try heldTrial(of: template, at: instant, free: [first, second]) {
      let seen = try watch($0.text(ending: nil), path, stop)
      return seen?.decisive(isJudged: false) == nil ? seen : nil
    }
    if let held {
      var template = template
      template.clock = held.clock
      let other = Draft(template, held.first, held.second)
      if try watch(other.text, path, stop)?.failures.isEmpty == true {
        (draft, clock) = (other, held.clock)
      }
    }
    if clock == nil {
      let trial = try observe(draft.text, path, stop, isJudged: true)
      guard trial.failures.isEmpty else {
        throw Console.refusal(
          .failed, "the command does something else each time: \(trial.failures[0].message)",
          help: "take out what changes, or write the scenario by hand", .badExpectation)
      }
    }
    if draft.ending == nil { Console.report("note: it ended in two ways; how is not expected\n") }
    let text = draft.text
    try write(text, to: path)
    for (stream, template) in [("stdout", draft.output), ("stderr", draft.errorOutput)] {
      if let note = template.note { try Console.print("note: \(stream): \(note)\n") }
    }
    if let clock {
      try Console.print("note: it tells the time; the scenario holds it: clock: \(clock.text)\n")
    }
    let end = draft.ending.map { Self.words(for: $0) } ?? "in two ways"
    try Console.print("wrote \(TerminalText.line(path)): it ended \(end)\n")
    try Console.print("passed: scenario run \(ShellWord.quoted(path))\n")
  }

  // MARK: - The sketch

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
          help: "--file names what the command needs",
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
        "note: \"\(TerminalText.line(word))\" is not laid into the command's folder; --file \(ShellWord.quoted(word)) does that\n"
      )
    }
    return template
  }

  // MARK: - Running

  /// Runs a scenario's text as its file would run.
  ///
  /// - Parameter isJudged: Whether false expectations are for the caller; otherwise there are none.
  private func observe(
    _ text: String, _ path: String, _ stop: StopSignals, isJudged: Bool = false
  ) throws -> Observation {
    let seen = try watch(text, path, stop) { path, errors in
      let renderer = DiagnosticRenderer { $0 == path ? text : nil }
      for error in errors { Console.report(renderer.render(error)) }
    }
    guard var seen else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    if let decisive = seen.decisive(isJudged: isJudged) { throw refusal(of: decisive) }
    // Before anything is expected, that the command fails is what there is to see.
    if !isJudged { seen.failures.removeAll { $0.type == "expect.exit" } }
    return seen
  }

  /// Runs a scenario's text; `nil` if it is none, of which `whenWrong` gets the mistakes.
  private func watch(
    _ text: String, _ path: String, _ stop: StopSignals,
    whenWrong: (_ path: String, [Diagnostic]) -> Void = { _, _ in }
  ) throws -> Observation? {
    let (file, mistakes) = ScenarioFile.parse(text: text, path: path)
    var options = PlannerOptions(
      defaultTimeout: timeout, fileExists: { access($0, F_OK) == 0 },
      readFile: { try? FileTree.read($0) })
    options.only = .ignored
    let planned = file.map { Planner.plan(files: [$0], options: options) }
    let errors = (mistakes + (planned?.diagnostics ?? [])).filter { $0.severity == .error }
    guard let plan = planned?.plan, errors.isEmpty else {
      whenWrong(path, errors)
      return nil
    }
    let runOptions = RunOptions(
      version: Version.text, planDigest: "", temporaryFolder: ProcessEnvironment.temporaryFolder,
      environment: ProcessEnvironment.passed(by: plan))
    let cancellation = RunCancellation()
    stop.whenReceived { cancellation.cancel() }
    stop.beforeEndingAtOnce { cancellation.abandon() }
    var seen = Observation()
    var root: Int32?
    Runner(plan: plan, options: runOptions, cancellation: cancellation) { event in
      switch event.kind {
      case .processStarted: root = root ?? event.process
      case .processEnded(let code, let signal) where event.process == root:
        seen.ending = code.map { .exit($0) } ?? signal.map { .signal(Self.short($0)) }
      case .failed(let failure): seen.failures.append(failure)
      case .caseFinished(let result):
        seen.output = result.standardOutput
        seen.errorOutput = result.standardError
      default: break
      }
    }.run()
    if let code = stop.exitCode { throw ArgumentParser.ExitCode(code.rawValue) }
    return seen
  }

  /// Reports why a command cannot be made a scenario by itself.
  private func refusal(of failure: Failure) -> ArgumentParser.ExitCode {
    if failure.type.hasPrefix("network.") {
      return Console.refusal(
        .failed, "the command needs the network: \(failure.message)",
        help: "write the scenario by hand, with \"responses\" for what it asks", .badExpectation)
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
    case .signal(let name): "by the signal \(name)"
    }
  }

  private static func short(_ signal: String) -> String {
    signal.hasPrefix("SIG") ? String(signal.dropFirst(3)) : signal
  }

  /// `.` left out.
  private static func plain(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  static func baseName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? "command"
  }
}
