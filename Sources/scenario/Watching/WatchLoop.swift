internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioModel
internal import ScenarioReport
internal import ScenarioRunner

/// Runs scenarios, and again those that depend on a file when it changes, until the user ends it.
struct WatchLoop {
  private let selection: SelectionOptions
  private let network: NetworkSettings.Mode?
  private let additions: [String]
  private let signals: SignalPipe
  private let folders: FolderWatch
  private let keyboard = WatchKeyboard()

  private var project: WatchedProject
  private var marks: [String: FileFingerprint] = [:]
  private var changes = WatchedChanges()
  private var round: WatchedRound?
  /// True if the next run is of everything.
  private var wantsAll = true
  /// True if anything may have changed, as the kernel lost track of changes.
  private var hasLostTrack = false
  private var isStopping = false
  private var lastCode: Int32 = 0
  /// The words of a run's command line, from the command on.
  var words = Array(CommandLine.arguments.dropFirst())
  /// What is done before a run, of everything or of a part, and behind it, with its exit code.
  var whenRoundBegins: (_ isWhole: Bool) -> Void = { _ in }
  var whenRoundEnds: (_ code: Int32) -> Void = { _ in }

  /// - Parameter additions: Options of every run.
  init(
    _ selection: SelectionOptions, _ network: NetworkSettings.Mode?, adding additions: [String]
  ) throws {
    guard
      let signals = SignalPipe(
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGCHLD]
          + (keyboard == nil ? [] : WatchKeyboard.signals)),
      let folders = FolderWatch()
    else { throw Self.failure("cannot watch files", errno) }
    self.selection = selection
    self.network = network
    self.additions = additions
    self.signals = signals
    self.folders = folders
    project = WatchedProject(selection, network)
  }

  /// Runs until it is ended.
  ///
  /// - Throws: The exit code of the last run.
  mutating func run() throws -> Never {
    defer { keyboard?.release() }
    keyboard?.take()
    try watchFolders()
    lookAtFiles()
    try begin(nil)
    while true {
      try wait()
      if round == nil, isStopping { throw ArgumentParser.ExitCode(lastCode) }
      if round == nil, let changed = takeChanges() { try runAgain(changed) }
    }
  }

  // MARK: - Waiting

  private mutating func wait() throws {
    var places = [
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: folders.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let hasKeyboard = keyboard?.isOurs ?? false
    if hasKeyboard { places.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)) }
    var patience: Int32 = -1
    if round == nil, let due = changes.due {
      let rest = due - RealTime.monotonic()
      patience = Int32(clamping: max(0, rest.count / 1_000_000 + 1))
    }
    guard poll(&places, nfds_t(places.count), patience) > 0 else { return }
    if places[0].revents != 0, let signal = signals.next() { try take(signal) }
    if places[1].revents != 0 { takeEvents() }
    if hasKeyboard, places[2].revents != 0 { try takeKeys() }
  }

  private mutating func take(_ signal: SignalPipe.Arrival) throws {
    guard !WatchKeyboard.signals.contains(signal.number) else {
      keyboard?.pass(signal.number)
      return
    }
    guard signal.number != SIGCHLD else {
      guard let code = round?.end() else { return }
      round = nil
      lastCode = code
      whenRoundEnds(code)
      // Nothing that was named is there, and nothing says where it would come.
      if project.files.isEmpty, project.roots.isEmpty { throw ArgumentParser.ExitCode(code) }
      if !isStopping { reportWaiting() }
      return
    }
    if let round {
      // What the terminal sends, it sends to both.
      if !signal.isFromTerminal { kill(round.process, signal.number) }
      if signal.number != SIGUSR1 { isStopping = true }
    } else if signal.number != SIGUSR1 {
      throw ArgumentParser.ExitCode(lastCode)
    }
  }

  private mutating func takeEvents() {
    let now = RealTime.monotonic()
    for event in folders.events() {
      switch event {
      case .written(let path):
        for file in project.files(changedAt: path) { changes.record(file, .written, at: now) }
      case .removed(let path):
        for file in project.files(changedAt: path) { changes.record(file, .removed, at: now) }
      case .folders(let path):
        hasLostTrack = true
        changes.record(path, .written, at: now)
      case .overflow:
        hasLostTrack = true
        changes.record("", .written, at: now)
      }
    }
  }

  /// Keys: Enter runs everything, `q` ends, behind a run that is under way.
  private mutating func takeKeys() throws {
    guard let key = keyboard?.read() else { return }
    switch key {
    case .end:
      isStopping = true
    case .everything:
      guard round == nil else { return }
      refresh()
      try begin(nil)
    }
  }

  // MARK: - Changes

  /// Returns the files that differ from the last look; `nil` if it is too early, or none do.
  private mutating func takeChanges() -> Set<String>? {
    guard var paths = changes.take(at: RealTime.monotonic()) else { return nil }
    let known = project
    refresh()
    if hasLostTrack { paths.formUnion(project.files.union(known.files)) }
    hasLostTrack = false
    // A scenario that is new was not looked at before.
    paths.formUnion(project.files.subtracting(known.files))
    var changed: Set<String> = []
    for path in paths {
      let mark = FileFingerprint(path: path)
      if marks.updateValue(mark, forKey: path) ?? .absent != mark { changed.insert(path) }
    }
    return changed.isEmpty ? nil : changed
  }

  /// Updates the selection.
  private mutating func refresh() {
    let known = project.files
    var folders: Set<String> = []
    repeat {
      folders = project.folders
      project = WatchedProject(selection, network)
      // A file that is gone is still named, and may come again.
      project.remember(known)
      do { try watchFolders() } catch {}
      // In a folder that was not watched yet, something may have come while it was read.
    } while !project.folders.isSubset(of: folders)
  }

  private func watchFolders() throws {
    guard let (folder, number) = folders.watch(project.folders) else { return }
    throw Self.failure("cannot watch \"\(folder)\"", number)
  }

  private mutating func lookAtFiles() {
    for path in project.files { marks[path] = FileFingerprint(path: path) }
  }

  // MARK: - Running

  private mutating func runAgain(_ changed: Set<String>) throws {
    let name = changed.sorted().prefix(3).map(PathFromHere.text).joined(separator: ", ")
    let more = changed.count > 3 ? " and \(changed.count - 3) more" : ""
    guard let cases = project.cases, !wantsAll else {
      report("\n\(name)\(more) changed: running all cases")
      return try begin(nil)
    }
    let affected = project.affected(by: changed)
    guard !affected.isEmpty else { return }
    report(
      "\n\(name)\(more) changed: \(affected.count) of \(cases.count)"
        + " case\(cases.count == 1 ? "" : "s")")
    try begin(affected.count == cases.count ? nil : affected)
  }

  private mutating func begin(_ identifiers: [String]?) throws {
    // Where mistakes kept anything from running, all of it is still to run.
    wantsAll = project.cases == nil
    whenRoundBegins(identifiers == nil)
    guard let started = WatchedRound(words, of: identifiers, adding: additions) else {
      throw Self.failure("cannot start a run", errno)
    }
    round = started
  }

  private func reportWaiting() {
    let count = project.files.count { marks[$0] ?? .absent != .absent }
    report(
      "exit code \(lastCode); waiting for changes of \(count) file\(count == 1 ? "" : "s")"
        + (keyboard != nil ? " (Enter runs all cases, q quits)" : ""))
  }

  private func report(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let last = lines.last.map { "watch: \(TerminalText.line(String($0)))\n" } ?? ""
    Console.report(lines.dropLast().map { "\($0)\n" }.joined() + last)
  }

  private static func failure(_ message: String, _ number: Int32) -> ArgumentParser.ExitCode {
    let help =
      number == ENOSPC
      ? "raise fs.inotify.max_user_watches by sysctl(8), or name fewer files" : nil
    Console.report(
      Diagnostic(
        "\(message): \(SystemText.error(number))", code: .badArguments, at: nil,
        help: help))
    return ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
  }
}
