package import Foundations
internal import Glibc
internal import MockEngine
internal import MockServer
internal import Patterns
package import ScenarioEvents
package import ScenarioPlan
package import ScenarioTools
internal import Supervisor

/// One run of a case from which all is recorded that a scenario can expect.
package struct WatchedRun: Sendable {
  /// A file of the folder in which the case ran.
  package struct File: Sendable {
    /// The content before; `nil` where it did not exist, or was a link.
    package var before: [UInt8]?
    /// The target of the link before, if it was a symbolic link.
    package var linkBefore: String?
    /// Its permission bits before.
    package var mode: UInt32
    /// The target's use of it.
    package var use: FileUse
    /// True if the target has changed it.
    package var isChanged: Bool
    /// The content at the end; `nil` where it did not exist, or was a broken link.
    package var after: [UInt8]?
    /// The target of the link at the end, if it was a symbolic link.
    package var linkAfter: String?
    /// Its permission bits at the end; `nil` where it was not there.
    package var modeAfter: UInt32?
  }

  /// A folder that was there before.
  package struct Folder: Sendable {
    /// The target's use of it.
    package var use: FileUse
    /// Its permission bits.
    package var mode: UInt32
  }

  /// The interruption of a run.
  package struct Interruption: Sendable {
    /// The signal that all processes of the target got, without SIG.
    package var signalName: String
    /// The scenario's time at the interruption.
    package var elapsed: Nanoseconds
    /// The programs that ran then, in start order.
    package var programs: [String]
    /// True if they ended by themselves.
    package var wasHeeded: Bool
  }

  /// The observations of a run.
  package struct Seen: Sendable {
    /// The end of the target; `nil` where it had not ended.
    package var ending: CommandTemplate.Ending?
    /// The output: of long output the beginning and the end.
    package var output: [UInt8] = []
    /// The output to standard error: of long output the beginning and the end.
    package var errorOutput: [UInt8] = []
    /// The command's waits, in order.
    package var waits: [Nanoseconds] = []
    /// True if more of them came than are kept.
    package var hasMoreWaits = false
    /// The scenario's time that has passed.
    package var elapsed = Nanoseconds.zero
    /// The processor time of the target and of the processes that it has waited for.
    package var processorTime = Nanoseconds.zero
    /// Files by their paths below the working directory.
    package var files: [String: File] = [:]
    /// Folders that were there before, by their paths below the working directory.
    package var folders: [String: Folder] = [:]
    /// Folders that the target has made and that are there at the end, by their paths below the working directory.
    package var madeFolders: [String] = []
    /// The interruption of the run; `nil` if it was not interrupted, or the target was not running.
    package var interruption: Interruption?
    /// True if processes have outlived the target and done something, or not ended.
    package var isOutlived = false
    /// True if threads or processes of the target ran side by side.
    package var isConcurrent = false
    /// The working directory.
    package var folder = ""
    /// The paths that differ in each run.
    package var places = PlaceNames()
    /// True if the target had exchanges over the network.
    package var hasExchanges = false
    /// True if the target had exchanges with a service of this machine.
    package var asksThisMachine = false
    /// True if connections were made to servers on this machine that are not the target's own.
    package var meetsThisMachine = false
    /// The failures.
    package var failures: [Failure] = []
    /// The further notes to be reported.
    package var notes: [String] = []
  }

  /// The case.
  package var plannedCase: PlannedCase
  /// The settings of the run.
  package var options: RunOptions
  /// The folder in which it runs for real; `nil` for a fresh one.
  package var folder: String?
  /// Files of a fresh folder that are wanted.
  package var wanted: [String] = []
  /// True if expectations are checked.
  package var isJudged = false
  /// The target's standard input; `nil` for that of the case.
  package var input: StdinTee?
  /// The signal that has interrupted the run, which all processes of the target get; asked once the run is cancelled.
  package var interruptingSignal: @Sendable () -> Int32? = { nil }
  /// True if the case's own folders lie where they usually do not, and it has another number.
  package var isElsewhere = false
  /// True if the machine has all hands full meanwhile, so that what runs side by side does so in another order.
  package var isUnderLoad = false
  /// Called before the recording is written; what it throws is a failure of the run.
  package var beforeRecording: @Sendable () throws(Failure) -> Void = {}

  /// Prepares a run.
  package init(_ plannedCase: PlannedCase, options: RunOptions) {
    self.plannedCase = plannedCase
    self.options = options
  }

  /// Runs the case.
  package func run(_ cancellation: RunCancellation) -> Seen {
    var seen = Seen()
    let load = isUnderLoad ? BusyProcessors() : nil
    defer { load?.stop() }
    let log = CaseLog(scenario: plannedCase.identifier, runStart: RealTime.monotonic()) { _ in }
    let usedBefore = RunnerProcess.processorTimeOfChildren()
    do throws(Failure) {
      let place =
        isElsewhere
        ? try RunPlace(besides: options.temporaryFolder)
        : try RunPlace(in: options.temporaryFolder)
      defer { place.remove() }
      let runner = CaseRunner(
        plannedCase: plannedCase, number: place.caseNumber, folder: RunFolder(path: place.path),
        options: options, cancellation: cancellation, log: log)
      runner.isJudged = isJudged
      runner.keepsEveryRecording = true
      try runner.watch(self, into: &seen)
    } catch {
      log.fail(error)
    }
    log.flush()
    seen.failures = log.failures
    seen.processorTime = RunnerProcess.processorTimeOfChildren() - usedBefore
    return seen
  }
}

extension CaseRunner {
  /// Runs the case and keeps what it has shown.
  fileprivate func watch(_ watched: WatchedRun, into seen: inout WatchedRun.Seen) throws(Failure) {
    let touched = watched.folder.map {
      TouchedFiles(
        below: $0, except: folder.path, isOver: { [inbox = log.inbox] in inbox.hasTargetEnded })
    }
    var place: HostDirectory?
    if let touched, let folder = watched.folder {
      place = HostDirectory(folder: folder, watch: FileWatch { touched.add($0) })
    }
    let world = try CaseEnvironment(
      plannedCase, number: number, folder: folder, options: options, inbox: log.inbox, place: place,
      parts: parts)
    let supervisor = world.supervisor
    let ticket = cancellation.whenCancelled { supervisor.cancel() }
    inputDescriptor = watched.input?.start()
    runSteps(in: world)
    if hasStarted, world.supervisor.exitStatus(of: .first) != nil {
      var isOutlived = !world.supervisor.livePrograms().isEmpty
      // A scenario is judged by the moment in which its target ends.
      look(at: world, touched, watched.wanted, into: &seen)
      isOutlived = isOutlived || (touched?.files.contains { $0.value.isLate } ?? false)
      if isOutlived {
        seen.leave(to: survivors(in: world, touched))
      } else {
        _ = endTree(of: world, by: nil)
      }
    } else {
      if hasStarted { seen.interruption = endTree(of: world, by: watched.interruptingSignal()) }
      look(at: world, touched, watched.wanted, into: &seen)
    }
    watched.input?.finish()
    cancellation.forget(ticket)
    seen.notes += touched?.notes ?? []
    if watched.folder != nil, let note = world.snapshot().outside.recordingNote {
      seen.notes.append(note)
    }
    world.end()
    guard watched.folder != nil, let mockServer = world.mockServer else { return }
    let hosts = mockServer.exchanges().map(\.target.host) + mockServer.unreachable().keys
    seen.hasExchanges = !hosts.isEmpty
    seen.asksThisMachine = hosts.contains { Self.isThisMachine($0) }
    seen.meetsThisMachine =
      seen.asksThisMachine
      || mockServer.realConnections.counts.keys.contains { Self.isThisMachine($0) }
    // Who speaks what cannot be recorded has not met who was meant.
    guard seen.hasExchanges, !log.failures.contains(where: { $0.type.hasPrefix("network.") })
    else { return }
    try watched.beforeRecording()
    writeRecording(of: world) { seen.notes.append($0) }
  }

  /// Gives processes that outlive the target time to end by themselves, ends the others, and returns what they do
  /// meanwhile.
  private func survivors(
    in world: CaseEnvironment, _ touched: TouchedFiles?
  ) -> WatchedRun.Survivors {
    var survivors = WatchedRun.Survivors()
    survivors.left = world.supervisor.leftBehind(patience: Self.stragglerPatience).map {
      ($0.program, $0.number)
    }
    // What they do once they are asked to end is theirs as well.
    let killed = world.supervisor.endTree(signals: [:], others: nil, grace: grace)
    survivors.wereKilled = !killed.isEmpty
    let snapshot = world.snapshot()
    survivors.haveWritten =
      keptOutput.size < snapshot.output.size || keptErrorOutput.size < snapshot.errorOutput.size
    for (path, file) in touched?.files ?? [:] {
      if file.isLate { survivors.latePaths.insert(path) }
      survivors.files[path] = Self.file(file, at: "\(world.work)/\(path)")
    }
    return survivors
  }

  /// Ends what is left, as a person at a terminal would who has interrupted it.
  private func endTree(of world: CaseEnvironment, by signal: Int32?) -> WatchedRun.Interruption? {
    let supervisor = world.supervisor
    guard let signal, supervisor.exitStatus(of: .first) == nil else {
      _ = supervisor.endTree(signals: [:], others: nil, grace: grace)
      return nil
    }
    var interruption = WatchedRun.Interruption(
      signalName: Self.shortName(of: signal), elapsed: world.view.reading().elapsed,
      programs: supervisor.runningPrograms, wasHeeded: true)
    let killed = supervisor.endTree(signals: [.first: signal], others: signal, grace: grace)
    interruption.wasHeeded = killed.isEmpty
    return interruption
  }

  /// Returns whether a host's name or address, with or without a port, is one of loopback.
  private static func isThisMachine(_ place: String) -> Bool {
    LocalHost.isNamed(by: place)
      || (try? URLParts.hostAndPort(place, in: place)).map { LocalHost.isNamed(by: $0.host) }
        ?? false
  }

  private static func shortName(of number: Int32) -> String {
    let name = SignalNames.name(of: number)
    return name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name
  }

  private func look(
    at world: CaseEnvironment, _ touched: TouchedFiles?, _ wanted: [String],
    into seen: inout WatchedRun.Seen
  ) {
    keepOutput(of: world)
    seen.elapsed = world.view.reading().elapsed
    account(for: world)
    let snapshot = world.snapshot()
    seen.ending = snapshot.exitStatus.map { status in
      switch status {
      case .exited(let code): .exit(code)
      case .signaled(let number): .signal(Self.shortName(of: number))
      }
    }
    seen.output = keptOutput.ends
    seen.errorOutput = keptErrorOutput.ends
    seen.waits = snapshot.waits.waits.map(\.length)
    seen.hasMoreWaits = snapshot.waits.omitted > 0
    seen.folder = world.work
    seen.places = PlaceNames(world.directory, work: world.work)
    seen.folders = (touched?.folders ?? [:]).mapValues {
      WatchedRun.Folder(use: $0.use, mode: $0.mode)
    }
    seen.madeFolders = (touched?.madeFolders ?? []).filter {
      FileTree.isFolder("\(world.work)/\($0)", followsLinks: false)
    }
    seen.isConcurrent = world.census.most > 1
    var files: [String: TouchedFiles.Original] = touched?.files ?? [:]
    for path in wanted { files[path] = TouchedFiles.Original() }
    for (path, file) in files { seen.files[path] = Self.file(file, at: "\(seen.folder)/\(path)") }
  }

  /// A file as it was before and as it is now.
  private static func file(
    _ original: TouchedFiles.Original, at path: String
  ) -> WatchedRun.File {
    var file = WatchedRun.File(
      before: original.content, linkBefore: original.link, mode: original.mode, use: original.use,
      isChanged: false)
    file.after = try? FileTree.read(path, limit: TouchedFiles.sizeLimit)
    file.linkAfter = FileTree.link(at: path)
    file.modeAfter = FileStatus(path: path).map { $0.permissions & 0o777 }
    let isOther =
      file.linkAfter != original.link || file.linkAfter == nil && file.after != original.content
      || original.content != nil && file.modeAfter != nil && file.modeAfter != original.mode
    file.isChanged = original.isChanged && isOther
    return file
  }
}

extension CapturedOutput {
  /// The number of bytes that were written.
  fileprivate var size: Int { bytes.count + beyondMemory }
}

extension KeptOutput {
  /// The number of bytes that were written.
  fileprivate var size: Int { bytes.count + omitted }
}
