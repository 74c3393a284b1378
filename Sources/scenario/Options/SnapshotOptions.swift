internal import ArgumentParser
internal import Foundations
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Options for writing expected texts.
struct SnapshotOptions: ParsableArguments {
  @Option(
    name: [.customShort("u"), .long],
    help: ArgumentHelp(
      """
      Update expected output: missing (snapshots without a file), changed (also snapshots and texts that differ), or \
      all (also snapshots that match by their wildcards).
      """,
      valueName: "which"),
    transform: { try ExecutionOptions.word($0) })
  var update: SnapshotUpdate?

  /// The maximum number of written files that are named.
  private static let shown = 20

  /// Refuses to write snapshots in an automatic build.
  func requireAllowed() throws {
    guard update != nil, let variable = AutomaticBuild.variable else { return }
    Console.report(
      Diagnostic(
        "--update is not allowed in an automatic build: the variable \(variable) is set",
        code: .badArguments, at: nil,
        help:
          "leave --update out; run it on your own machine, check the difference and commit it"
      ))
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }

  /// Makes the store that compares and writes: interactively it writes missing snapshots, in an automatic
  /// build none.
  ///
  /// - Parameter casesOf: plans all cases of a scenario file.
  func store(casesOf: @escaping @Sendable (_ file: String) -> [PlannedCase]) -> SnapshotStore {
    AutomaticBuild.isOn
      ? SnapshotStore()
      : SnapshotStore(update: update ?? .missing, keepsPending: true, casesOf: casesOf)
  }

  /// Reports what was written, and what waits.
  static func report(_ account: SnapshotStore.Account) {
    let written = account.written.sorted()
    for path in written.prefix(shown) { Console.report("wrote \(TerminalText.line(path))\n") }
    if written.count > shown { Console.report("wrote \(written.count - shown) more snapshots\n") }
    for path in account.rewritten { Console.report("rewrote \(TerminalText.line(path))\n") }
    reportPending(account.pending)
  }

  /// Reports what waits, with the command that decides about it.
  private static func reportPending(_ pending: Set<String>) {
    guard !pending.isEmpty else { return }
    let files = Set(pending.map { PlannedSnapshot.scenarioFile(of: $0) }).sorted()
    let words = files.count > 4 ? ["."] : files.map { ShellWord.quoted($0) }
    let noun = pending.count == 1 ? "snapshot change needs" : "snapshot changes need"
    let command = (["scenario", "review"] + words).joined(separator: " ")
    Console.report("\(pending.count) \(noun) a review: \(TerminalText.line(command))\n")
  }
}
