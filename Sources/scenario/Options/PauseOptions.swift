internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioRunner

/// The options that pause environments, so that a user can enter them.
struct PauseOptions: ParsableArguments {
  @Flag(
    help:
      "Pause a scenario as soon as it fails, so that \"scenario enter\" can inspect it."
  )
  var pauseOnFailure = false

  @Option(
    help: ArgumentHelp(
      "Resume a paused scenario after this much real time; required without a terminal.",
      valueName: "time"), transform: ExecutionOptions.length)
  var pauseLimit: Nanoseconds?

  /// Stores these settings.
  ///
  /// - Parameter announce: announces a paused environment to the user.
  ///
  /// - Throws: Exit code 2 where no user could end a pause.
  func apply(to options: inout RunOptions, announce: @escaping @Sendable (String) -> Void) throws {
    options.pausing.pausesOnFailure = pauseOnFailure
    options.pausing.bound = pauseLimit
    options.pausing.isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    options.pausing.announce = announce
    guard pauseOnFailure, pauseLimit == nil, !options.pausing.isInteractive else { return }
    throw Refusal(
      "--pause-on-failure needs a terminal or a limit: without both, a pause would never end",
      help: "set the maximum length of a pause: --pause-limit 10m"
    ).reported(.badArguments)
  }
}
