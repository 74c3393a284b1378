internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario review`.
struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Show snapshots that differ, and accept or reject the changes.",
    discussion: CommandDiscussion(
      """
      If output differs from a snapshot, the run writes the new output beside it, as NAME.snap.new. Without \
      --accept or --reject, the command asks about each on a terminal; otherwise it only shows them, with exit code 1.
      """,
      examples: [
        "scenario review", "scenario review --accept", "scenario review --unreferenced --delete",
      ]
    ).rendered)

  @OptionGroup var selection: SelectionOptions

  @Flag(help: "Accept all changes, without asking.")
  var accept = false

  @Flag(help: "Reject all changes, without asking.")
  var reject = false

  @Flag(help: "List snapshots that no scenario uses, with exit code 1 if there are any.")
  var unreferenced = false

  @Flag(help: "With --unreferenced: delete them.")
  var delete = false

  func validate() throws {
    if accept, reject { throw ValidationError("--accept and --reject are mutually exclusive") }
    if unreferenced, accept || reject {
      throw ValidationError(
        "--unreferenced lists unused snapshots, which have no changes; leave out --accept and --reject"
      )
    }
    if delete, !unreferenced { throw ValidationError("--delete needs --unreferenced") }
    guard selection.filters.isDefault else {
      throw ValidationError(
        "\"review\" handles all snapshots of files and folders: leave out -k, -t, --case …")
    }
    for path in selection.paths where path != "." && !Self.mayHold(path) {
      throw ValidationError("there is no \"\(path)\": name a scenario file or a folder")
    }
  }

  func run() throws {
    try unreferenced ? listUnreferenced() : review()
  }

  // MARK: - What waits

  private func review() throws {
    let suffix = PlannedSnapshot.suffix + SnapshotStore.pendingSuffix
    let paths = selection.paths.flatMap { Self.snapshots(of: $0, suffix: suffix) }
    let pending = Set(paths).sorted().map { PendingSnapshot(path: $0) }
    guard !pending.isEmpty else {
      let places = selection.paths.map { "\"\(TerminalText.line($0))\"" }.joined(separator: ", ")
      return try Console.print("no snapshot changes to review in \(places)\n")
    }
    let usesColour = selection.color.usesColour(descriptor: STDOUT_FILENO)
    var answer: ReviewAnswer? = accept ? .accept : reject ? .reject : nil
    let asks = answer == nil && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    if asks { Self.endAtSignals() }
    var left = 0
    var stale = 0
    for (index, snapshot) in pending.enumerated() {
      try Console.print(
        "\(index + 1)/\(pending.count) \(snapshot.title)\n\(snapshot.diff(usesColour: usesColour))")
      let said = answer ?? (asks ? ReviewAnswer.ask() : .skip)
      var own = said
      if own.decision == .accept, snapshot.isStale {
        own.decision = .skip
        stale += 1
        try Console.print("not accepted: the snapshot has changed since\n")
      }
      switch own.decision {
      case .accept: try perform { () throws(Failure) in try snapshot.accept() }
      case .reject: try perform { () throws(Failure) in try snapshot.reject() }
      case .skip: left += 1
      }
      if own.decision != .skip {
        try Console.print("\(own.decision.rawValue)ed \(TerminalText.line(snapshot.held))\n")
      }
      if said.isForAll { answer = said }
      if asks, answer?.decision == .skip {
        left += pending.count - index - 1
        break
      }
    }
    guard left > 0 else { return }
    if stale > 0 {
      Console.report(
        "\(stale) older than \(stale == 1 ? "its snapshot" : "their snapshots"): run the scenarios"
          + " again, or add --reject\n")
    }
    guard left > stale else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.failed.rawValue)
    }
    Console.report("\(left - stale) left: add --accept or --reject, or review on a terminal\n")
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.failed.rawValue)
  }

  /// Ends the program at once at a signal, with a line break behind the open question.
  private static func endAtSignals() {
    let stop = StopSignals()
    stop.beforeEndingAtOnce { _ = Console.write("\n", to: STDOUT_FILENO) }
    stop.watch()
  }

  private func perform(_ work: () throws(Failure) -> Void) throws {
    do throws(Failure) {
      try work()
    } catch {
      Console.report(ReportError(error.message, path: ""))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
    }
  }

  /// Returns whether a path is that of a file or a folder, or of a file that was there and has left snapshots.
  private static func mayHold(_ path: String) -> Bool {
    access(path, F_OK) == 0 || FileTree.isFolder(PlannedSnapshot.folder(of: path))
  }

  /// Returns the files of snapshots that belong to a scenario file, or are below a folder.
  private static func snapshots(of path: String, suffix: String) -> [String] {
    let folder = FileTree.isFolder(path) ? path : PlannedSnapshot.folder(of: path)
    let marker = "\(PlannedSnapshot.folder)/"
    return FileTree.files(below: folder).map { "\(folder)/\($0)" }
      .filter { $0.hasSuffix(suffix) && $0.contains(marker) }
  }

  // MARK: - Unused snapshots

  private func listUnreferenced() throws {
    let plan = try selection.planOfAll()
    let named = Set(plan.cases.flatMap(\.snapshots).map(\.path))
    let suffix = PlannedSnapshot.suffix
    let held = selection.paths.flatMap { Self.snapshots(of: $0, suffix: suffix) }
    let pending = selection.paths.flatMap {
      Self.snapshots(of: $0, suffix: suffix + SnapshotStore.pendingSuffix)
    }.filter { !named.contains(PendingSnapshot(path: $0).held) }
    let stale = Set(held).subtracting(named).union(pending).sorted()
    for path in stale {
      if delete { try perform { () throws(Failure) in try SnapshotStore.remove(path) } }
      try Console.print("\(delete ? "removed " : "")\(TerminalText.line(path))\n")
    }
    guard !stale.isEmpty else { return try Console.print("every snapshot is used\n") }
    guard delete else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.failed.rawValue)
    }
  }
}

extension SelectionOptions {
  /// Plans every case of the files, `only: true` or not.
  fileprivate func planOfAll() throws -> ExecutionPlan {
    var (input, _) = readInput()
    var options = options(for: input)
    options.only = .ignored
    let (plan, found) = Planner.plan(files: input.files, options: options)
    input.diagnostics += found
    input.addMistakes(ofBroken: options)
    try report(input)
    guard let plan else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    return plan
  }
}
