internal import CSupervisor
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension SupervisorLoop {
  /// Keeps what a call is about to change, or notes what it will make durable.
  func prepareShadow(_ passage: inout DiskPassage, of tracee: Tracee) {
    guard let log = disks?.unsynced else { return }
    let touch = passage.touch
    switch touch.action {
    case .sync: passage.sync = touch.status.map { log.beginSync(of: $0) }
    case .syncDisk: passage.sync = log.beginSync(of: touch.status, wholeDevice: true)
    case .syncAll: passage.sync = log.beginSync(of: nil)
    case .syncMapping(let addresses):
      let files = MappedFiles(of: tracee.process.identifier).files(in: addresses)
      passage.sync = log.beginSync(of: files)
    case .make, .link, .remove, .move:
      passage.isShadowed =
        log.keepsNames
        && [touch.path, touch.target?.path].contains { path in
          path.map { log.follows($0) && DiskTouch.isOnDisk($0) } ?? false
        }
    default:
      guard let path = touch.path, DiskTouch.isOnDisk(path), log.follows(path) else { return }
      prepareContent(&passage, of: tracee, path, log)
    }
    tellShortcoming(of: tracee.process)
  }

  private func prepareContent(
    _ passage: inout DiskPassage, of tracee: Tracee, _ path: String, _ log: UnsyncedLog
  ) {
    let touch = passage.touch
    if case .open = touch.action, touch.file == nil {
      // Whoever else may make it at the same time: it is new.
      passage.isShadowed = log.keepsNames
      return
    }
    guard let file = touch.file, let status = touch.status, status.isRegular else { return }
    let end = max(0, Int64(status.st_size))
    var byPosition = false
    let range: Range<Int64>
    switch touch.action {
    case .write(let written, let isOwn, _):
      range = written
      byPosition = isOwn
    case .allocate(let allocated, let mode):
      // FALLOC_FL_COLLAPSE_RANGE and FALLOC_FL_INSERT_RANGE of fallocate(2) move all that is behind.
      range =
        mode & 0x28 == 0 ? allocated : allocated.lowerBound..<max(allocated.lowerBound, end)
    case .resize(let size): range = max(0, min(size, end))..<end
    case .clone: range = 0..<end
    case .open(let flags):
      guard flags & OpenFlags.truncate != 0 else { return }
      range = 0..<end
    case .map(let isWritable):
      if isWritable {
        let name =
          path.hasPrefix(directoryPrefix) ? path.dropFirst(directoryPrefix.count) : path[...]
        notice(
          "\(tracee.process.programName) maps \(name) for writing: what it changes there is not"
            + " seen, and a crash does not take it back", of: tracee.process)
      }
      return
    default: return
    }
    log.prepare(file, status, path: path, range: range, byPosition: byPosition)
    passage.isShadowed = true
  }

  private var directoryPrefix: String { configuration.directory.map { $0 + "/" } ?? "//" }

  /// A call that was prepared is over.
  func finishShadow(_ passage: DiskPassage, result: Int) {
    guard let log = disks?.unsynced else { return }
    if let sync = passage.sync, result == 0 { log.endSync(sync) }
    guard passage.isShadowed else { return }
    let touch = passage.touch
    switch touch.action {
    case .write(let range, let byPosition, let isDurable):
      guard let status = touch.status else { return }
      log.finish(
        status, range: range, result: result, byPosition: byPosition, isDurable: isDurable)
    case .make, .link, .remove, .move, .open:
      if result >= 0 { noteNames(touch, log) }
    default:
      return
    }
  }

  private func noteNames(_ touch: DiskTouch, _ log: UnsyncedLog) {
    guard let place = touch.place else { return }
    func note(_ change: NameLog.Entry.Change) {
      let paths = [place.path] + (touch.target.map { [$0.path] } ?? [])
      log.note(change, in: place.folder, place.name, paths: paths)
    }
    switch touch.action {
    case .make(_, let isFolder): note(.made(isFolder: isFolder))
    case .link, .open: note(.made(isFolder: false))
    case .remove: if let file = place.file { note(.removed(file)) }
    case .move(let exchanges):
      guard let target = touch.target else { return }
      note(
        exchanges
          ? .exchanged(folder: target.folder, name: target.name)
          : .moved(folder: target.folder, name: target.name, replaced: target.file))
    default: return
    }
  }

  private func tellShortcoming(of process: TargetProcess) {
    guard let shortcoming = disks?.unsynced?.shortcoming else { return }
    notice(
      "a crash does not take everything back that is not durable: there is \(shortcoming)",
      of: process)
  }

  // MARK: - The crash

  /// Kills processes, and puts files into the state that a crash of the machine would have left.
  func crash(_ crash: PlannedCrash, _ decision: ChaosDecision, of tracee: Tracee) -> String {
    self.crash(crash, of: tracee.process)
  }

  /// Kills a process or all of them, and puts files into the state that a crash of the machine would have left.
  func crash(_ crash: PlannedCrash, of process: TargetProcess) -> String {
    let victims = victims(crash.scope, around: process)
    endProcesses(crash.scope, around: process)
    let words = "kill \(crash.scope.rawValue)"
    guard let log = disks?.unsynced else { return words }
    let globs = DiskGlobs(
      crash.files, directory: configuration.directory.map { DiskWatch.canonical($0) })
    let loss = log.loss(globs)
    for process in victims { awaitEnd(of: process) }
    log.crash(crash, globs)
    tellShortcoming(of: process)
    var parts = [words, "\(loss.files) \(loss.files == 1 ? "file" : "files") unsynced"]
    if crash.names == .lost { parts.append("\(loss.names) names") }
    return parts.joined(separator: ", ")
  }

  /// Waits until no thread of a process that was killed can write any more.
  ///
  /// They stay in /proc until this thread takes note of their ends: as zombies (proc(5): state Z or X).
  private func awaitEnd(of process: TargetProcess) {
    let folder = "/proc/\(process.identifier.number)/task"
    let deadline = RealClock.monotonic() + .seconds(5)
    while RealClock.monotonic() < deadline {
      let isAlive = SmallFile.names(in: folder).contains { name in
        let text = SmallFile.read("\(folder)/\(name)/stat") ?? ""
        // The name of the program stands in parentheses, and may hold some.
        guard let mark = text.lastIndex(of: ")") else { return false }
        let state = text[text.index(after: mark)...].first { $0 != " " }
        return state != "Z" && state != "X"
      }
      if !isAlive { return }
      usleep(50)
    }
  }
}
