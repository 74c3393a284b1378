internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension DiskFollower {
  var unsyncedLog: WritebackJournal? { watch.unsynced }

  /// Keeps what a call is about to change, or notes what it will make durable.
  func prepareShadow(_ pendingFault: inout DiskPassage, of tracee: Tracee) {
    guard let log = watch.unsynced else { return }
    let touch = pendingFault.touch
    switch touch.action {
    case .sync, .syncDisk, .syncAll, .syncMapping:
      pendingFault.sync = beginSync(touch, of: tracee, log)
    case .make, .link, .remove, .move:
      pendingFault.isShadowed =
        !arrivals(by: touch, log).isEmpty
        || log.keepsNames
          && [touch.path, touch.target?.path].contains { path in
            path.map { log.follows($0) && DiskOperation.isOnDisk($0) } ?? false
          }
    case .protect(let addresses, let length):
      guard log.hasMappings else { return }
      log.recordProtection(
        of: MappedFiles(of: tracee.identifier).sharedParts(in: addresses, length: length))
    case .flush: return
    default:
      // Wherever it stands: it may be moved to where a crash takes its changes back.
      guard let path = touch.path, DiskOperation.isOnDisk(path) else { return }
      prepareContent(&pendingFault, path, log)
    }
  }

  private func beginSync(
    _ touch: DiskOperation, of tracee: Tracee, _ log: WritebackJournal
  ) -> WritebackJournal.Sync? {
    switch touch.action {
    case .sync, .flush: touch.status.map { log.beginSync(of: $0) }
    case .syncDisk: log.beginSync(of: touch.status, wholeDevice: true)
    case .syncAll: log.beginSync(of: nil)
    case .syncMapping(let addresses):
      log.beginSync(of: MappedFiles(of: tracee.identifier).sharedParts(in: addresses))
    default: nil
    }
  }

  private func prepareContent(
    _ pendingFault: inout DiskPassage, _ path: String, _ log: WritebackJournal
  ) {
    let touch = pendingFault.touch
    if case .open = touch.action, touch.file == nil {
      // Whoever else may make it at the same time: it is new.
      pendingFault.isShadowed = log.keepsNames && log.follows(path)
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
      range =
        AllocationMode(mode).movesBytes
        ? allocated.lowerBound..<max(allocated.lowerBound, end) : allocated
    case .resize(let size): range = max(0, min(size, end))..<end
    case .clone: range = 0..<end
    case .open(let flags):
      guard flags & OpenFlags.truncate != 0 else { return }
      range = 0..<end
    case .map(let isWritable, let mapped):
      guard log.follows(status, at: path) else { return log.disregard(status) }
      guard isWritable else { return log.recordCandidate(file, status, path: path) }
      return log.map(file, status, path: path, mapped)
    default: return
    }
    log.prepare(file, status, path: path, range: range, byPosition: byPosition)
    pendingFault.isShadowed = true
  }

  /// Finishes a prepared call.
  func finishShadow(_ pendingFault: DiskPassage, of tracee: Tracee, result: Int) {
    guard let log = watch.unsynced else { return }
    if let sync = pendingFault.sync {
      if !faults.keep(sync, of: tracee) { end(sync, result: result) }
    }
    guard pendingFault.isShadowed else { return }
    let touch = pendingFault.touch
    switch touch.action {
    case .write(let range, let byPosition, let isDurable):
      guard let status = touch.status else { return }
      log.finish(
        status, range: range, result: result, byPosition: byPosition, isDurable: isDurable)
    case .resize, .allocate:
      if result == 0 { recordLength(touch, log) }
    case .open(let flags):
      guard result >= 0 else { return }
      if touch.file != nil, flags & OpenFlags.truncate != 0 { recordLength(touch, log) }
      recordNames(touch, log)
    case .make, .link, .remove, .move:
      guard result >= 0 else { return }
      for (status, path) in arrivals(by: touch, log) { log.recordArrival(of: status, at: path) }
      recordNames(touch, log)
    default:
      return
    }
  }

  /// A call has given a file another length, or moved or cleared what is in it.
  private func recordLength(_ touch: DiskOperation, _ log: WritebackJournal) {
    guard let status = touch.status else { return }
    switch touch.action {
    case .open: log.recordChange(of: status) { $0.setLength(0) }
    case .resize(let size): log.recordChange(of: status) { $0.setLength(max(0, size)) }
    case .allocate(let range, let mode):
      let mode = AllocationMode(mode)
      log.recordChange(of: status) { content in
        switch mode.effect {
        case .collapses: content.collapse(range)
        case .inserts: content.insert(range)
        case .clears: content.clear(range)
        case .none: break
        }
        if mode.mayExtend, range.upperBound > Int64(status.st_size) {
          content.extend(to: range.upperBound)
        }
      }
    default: return
    }
  }

  /// Returns what a call gives names where a crash takes changes back, from where it takes none, each with its new
  /// path.
  private func arrivals(
    by touch: DiskOperation, _ log: WritebackJournal
  ) -> [(status: stat, path: String)] {
    guard let path = touch.path, let status = touch.status else { return [] }
    func isArrival(from: String, to: String) -> Bool { log.follows(to) && !log.follows(from) }
    switch touch.action {
    case .link(let from): return isArrival(from: from, to: path) ? [(status, path)] : []
    case .move(let exchanges):
      guard let target = touch.target else { return [] }
      if isArrival(from: path, to: target.path) { return [(status, target.path)] }
      guard exchanges, let met = target.file?.status, isArrival(from: target.path, to: path) else {
        return []
      }
      return [(met, path)]
    default: return []
    }
  }

  // MARK: - Syncs that fail

  /// A call has ended that makes something durable, with a result that its thread sees.
  func end(_ sync: WritebackJournal.Sync, result: Int) {
    if result == 0 { watch.unsynced?.endSync(sync) }
    if Self.forsakesPages(result) { watch.unsynced?.failSync(sync) }
  }

  /// Returns whether a sync that ended so has left pages that no later one writes.
  ///
  /// fsync(2): EIO, and ENOSPC and EDQUOT where room is sought as late as that. After other errors nothing
  /// has been tried.
  private static func forsakesPages(_ result: Int) -> Bool {
    [EIO, ENOSPC, EDQUOT].contains { result == -Int($0) }
  }

  /// Records a call that is skipped, and reported to have failed.
  func recordFailure(of tracee: Tracee, _ registers: Registers, result: Int) {
    guard let log = watch.unsynced, Self.forsakesPages(result),
      let touch = operation(of: tracee, registers),
      let sync = beginSync(touch, of: tracee, log)
    else { return }
    log.failSync(sync)
  }

  private func recordNames(_ touch: DiskOperation, _ log: WritebackJournal) {
    guard let place = touch.place else { return }
    func record(_ change: RenameJournal.Entry.Change) {
      let paths = [place.path] + (touch.target.map { [$0.path] } ?? [])
      log.record(change, in: place.folder, place.name, paths: paths)
    }
    switch touch.action {
    case .make(_, let isFolder): record(.made(isFolder: isFolder))
    case .link, .open: record(.made(isFolder: false))
    case .remove: if let file = place.file { record(.removed(file)) }
    case .move(let exchanges):
      guard let target = touch.target else { return }
      record(
        exchanges
          ? .exchanged(folder: target.folder, name: target.name)
          : .moved(folder: target.folder, name: target.name, replaced: target.file))
    default: return
    }
  }

  /// Records a function that is not called, and reported to have failed: one of those that make a
  /// call of the same name.
  func recordFailure(of tracee: Tracee, _ call: FunctionCall, _ error: ErrorNumber) {
    guard let log = watch.unsynced, Self.forsakesPages(-Int(error.code)),
      let sync = beginSync(
        DiskCall.table[call.function], of: tracee.identifier, call.arguments, log)
    else { return }
    log.failSync(sync)
  }

  /// Begins the sync of a call that the supervisor does not stop at; `nil` if it makes nothing
  /// durable.
  ///
  /// - Parameters:
  ///   - call: the kind of call.
  ///   - thread: the thread that makes it.
  ///   - arguments: its first arguments.
  func beginSync(
    _ call: DiskCall?, of thread: ThreadIdentifier, _ arguments: [UInt64], _ log: WritebackJournal
  ) -> WritebackJournal.Sync? {
    let first = arguments.first ?? 0
    switch call {
    case .syncAll: return log.beginSync(of: nil)
    case .sync, .syncDisk:
      let file = try? TargetPaths(thread: thread).file(behind: Int32(truncatingIfNeeded: first))
      return file?.status.map { log.beginSync(of: $0, wholeDevice: call == .syncDisk) }
    case .syncMapping:
      let (end, overflow) = first.addingReportingOverflow(arguments.dropFirst().first ?? 0)
      let addresses = first..<(overflow ? UInt64.max : end)
      return log.beginSync(of: MappedFiles(of: thread).sharedParts(in: addresses))
    default: return nil
    }
  }
}
