internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario enter`.
struct EnterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enter",
    abstract: "Open a shell in a paused scenario, or run a command there.",
    discussion: CommandDiscussion(
      """
      The scenario was paused by --pause-on-failure or by a "pause" step. The command runs in the case's folder, with \
      its environment, its network and its frozen clock.
      """,
      examples: [
        "scenario run --pause-on-failure",
        "scenario enter",
        "scenario enter checkout -- ps",
        "scenario enter checkout --go-on",
      ]
    ).rendered)

  @Flag(help: "Resume the scenario.")
  var goOn = false

  @Argument(
    help:
      "Part of the case's name, or the socket that the run printed; not needed if one scenario is paused."
  )
  var world: String?

  @Argument(
    parsing: .postTerminator, help: "Program and arguments, after \"--\" (default: a shell).")
  var command: [String] = []

  func run() throws {
    if goOn, !command.isEmpty {
      throw ValidationError("--go-on runs no command; leave the command out")
    }
    let found = try chosen()
    if goOn {
      guard StandingWorlds.ask("go-on", at: found.path) != nil else { throw Self.gone(found) }
      return
    }
    let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let relay = isTerminal ? TerminalRelay() : nil
    guard
      let visit = WorldVisit(
        at: found.path, words: command,
        terminal: relay == nil ? nil : ProcessEnvironment.all["TERM"] ?? "dumb",
        streams: relay.map { [$0.program, $0.program, $0.program] }
          ?? [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO])
    else { throw Self.gone(found) }
    switch visit.beginning {
    case .started: break
    case .refused(let reason):
      throw Refusal(
        "nothing was run: \(reason)",
        help: "name a program that exists in the scenario's environment"
      )
      .reported(.badArguments)
    }
    let code = relay.map { $0.run(beside: visit) } ?? visit.awaitEnd()
    throw ArgumentParser.ExitCode(code)
  }

  /// Returns the environment that the arguments select.
  private func chosen() throws -> StandingWorlds.Found {
    if let world, world.contains("/"), access(world, F_OK) == 0 {
      return StandingWorlds.Found(path: world, identifier: world, place: "")
    }
    let all = StandingWorlds.find(in: ProcessEnvironment.temporaryFolder)
    let meant = all.filter { found in world.map { found.identifier.contains($0) } ?? true }
    if meant.count == 1 { return meant[0] }
    let list = all.map { "\n  \($0.identifier), at \($0.place)\n    scenario enter \($0.path)" }
    if meant.isEmpty, all.isEmpty {
      Console.report(
        "no scenario is paused\nhelp: run with --pause-on-failure, or with a step \"pause:\"\n")
    } else {
      Console.report(
        (meant.isEmpty ? "no such scenario is paused; these are:" : "several scenarios are paused:")
          + list.joined() + "\n")
    }
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.nothingSelected.rawValue)
  }

  private static func gone(_ found: StandingWorlds.Found) -> any Error {
    Refusal("\"\(found.path)\" no longer answers: the scenario has resumed", help: "pause it again")
      .reported(.badArguments)
  }
}
