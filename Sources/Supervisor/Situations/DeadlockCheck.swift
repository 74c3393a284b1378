internal import CSupervisor
internal import Glibc

/// One look at a tree in which nothing runs: the processes that might end what its threads wait
/// for.
///
/// The tree cannot, as it sleeps. A wait that a process outside may end is not stuck, it may only
/// be slow.
final class DeadlockCheck {
  private let processes: [ThreadIdentifier: TargetProcess]
  /// The start of the tree, on the kernel's wall clock; `nil` if it is not known.
  private let beginning: timespec?
  /// The open descriptors of the tree.
  private(set) lazy var descriptors = TreeDescriptors(of: processes.values)
  private lazy var outsiders = TreeDescriptors(outside: processes)
  private var connections: [ThreadIdentifier: ConnectionTable] = [:]
  /// True if what answers the target in this process may speak without being asked.
  private let relaysOthers: Bool
  /// True if time flows by itself: then what has a timeout in the kernel, as sockets may, is not known to wait.
  private let timeFlows: Bool
  /// The case's folder, whose path nobody outside knows.
  private let ownFolder: String?
  /// The open descriptors of this process.
  private lazy var own = TreeDescriptors.own

  init(
    of processes: [ThreadIdentifier: TargetProcess], _ targets: LaunchedTargets, relaysOthers: Bool,
    timeFlows: Bool = false, ownFolder: String? = nil
  ) {
    self.processes = processes
    self.timeFlows = timeFlows
    self.ownFolder = ownFolder
    self.relaysOthers = relaysOthers
    beginning = targets.all.map(\.beginning).min {
      ($0.tv_sec, $0.tv_nsec) < ($1.tv_sec, $1.tv_nsec)
    }
  }

  // MARK: - Who may end a wait

  /// close(2) waits for a peer to take what was sent, and not for ever (socket(7): SO_LINGER).
  private static let callsThatOthersEnd: Set<String> = [
    "close", "semtimedop", "semop", "mq_timedsend", "mq_timedreceive", "io_getevents", "nanosleep",
    "clock_nanosleep", "msgrcv", "msgsnd", "futex_wait", "io_pgetevents",
  ]

  /// Returns whether a process outside of the tree might end the call in which a thread sleeps.
  func mayBeEndedFromOutside(_ call: BlockedCall, of tracee: Tracee) -> Bool {
    let table = DescriptorTable(of: tracee)
    switch call.awaited(tracee.process.memory, members: { table.members(of: $0) }) {
    case .descriptors(let descriptors):
      guard !descriptors.isEmpty else { return !call.awaitsNothing }
      if timeFlows, call.awaitsMoreThanIsRead { return true }
      return descriptors.contains { reachesOutside($0, in: table, tracee) }
    case .fileLock:
      let conflicts = conflicts(with: call, of: tracee)
      return conflicts.allSatisfy { isSharedWithOutsiders($0.lock, $0.entry) }
    case .opening(let place):
      return fifo(at: place, for: tracee).map(mayBeOpenedFromOutside) ?? true
    case .lock(let addresses): return timeFlows && isSharedWithOthers(addresses, of: tracee)
    case .child: return false
    // Steps send signals, and no step does while one waits; timers are on the timeline where they are held.
    case .signal: return NativeWait(call) != nil || tracee.process.image == nil && !timeFlows
    case .unknown: return timeFlows || Self.callsThatOthersEnd.contains(call.name)
    }
  }

  /// Returns whether a process outside of the tree may act on a descriptor.
  ///
  /// A pipe without a name has been made by the tree, or is one of the target's three streams, at whose
  /// other end sits the runner, which sends nothing while it waits.
  private func reachesOutside(
    _ descriptor: Int32, in table: DescriptorTable, _ tracee: Tracee
  ) -> Bool {
    switch table[descriptor] {
    case .pipe: return timeFlows && isHeldOutside(descriptor, in: table)
    case .anonymous("[eventfd]") where timeFlows, .anonymous("[pidfd]") where timeFlows:
      return isHeldOutside(descriptor, in: table)
    case .anonymous(let name):
      return !["[eventfd]", "[pidfd]", "[eventpoll]", "[signalfd]"].contains(name)
    case .socket(let socket):
      guard !timeFlows else { return true }
      switch table.peer(of: descriptor) {
      case .local(let peer): return processes[ThreadIdentifier(peer)] == nil
      case .internet: return peers(of: socket, tracee).isEmpty && !isAnsweredHere(socket, tracee)
      case .none: return true
      }
    case .path:
      let file = try? TargetPaths(thread: tracee.identifier).file(behind: descriptor)
      return file.flatMap(asFifo).map(mayBeOpenedFromOutside) ?? true
    case nil: return true
    }
  }

  /// Returns whether a process outside of the tree has the other end of a pipe or the same counter, or is the one whose
  /// end a descriptor announces.
  private func isHeldOutside(_ descriptor: Int32, in table: DescriptorTable) -> Bool {
    switch table[descriptor] {
    case .pipe(let inode): return !outsiders.holders(of: .pipe(inode)).isEmpty
    case .anonymous("[pidfd]"):
      // -1: the process has ended, or is in another namespace of processes (pidfd_open(2)).
      let number = DescriptorInformation.number("Pid", in: table.information(of: descriptor))
      return number.map { processes[ThreadIdentifier(Int32($0))] == nil } ?? true
    case .anonymous("[eventfd]"):
      let number = DescriptorInformation.number("eventfd-id", in: table.information(of: descriptor))
      return number.map { outsiders.hasCounter($0) } ?? true
    default: return true
    }
  }

  /// Returns whether a process outside of the tree may have memory in which a thread waits.
  private func isSharedWithOthers(_ addresses: [UInt64], of tracee: Tracee) -> Bool {
    let list = MappingList(
      SmallFile.read("/proc/\(tracee.process.identifier.number)/maps") ?? "")
    return addresses.contains { list.isInNamedSharedFile($0) }
  }

  // MARK: - Connections

  /// The processes of the tree that hold the other side of a TCP connection, or listen for it while
  /// it is not accepted; none if a process outside might hold it.
  func peers(of socket: UInt64, _ tracee: Tracee) -> [Int32] {
    let holders = table(of: tracee).peers(of: socket).map { descriptors.holders(of: .socket($0)) }
    // Of several that listen, the kernel chooses.
    guard holders.allSatisfy({ !$0.isEmpty }) else { return [] }
    return Set(holders.joined()).sorted()
  }

  /// Returns whether the other side of a TCP connection is the mock server's, which sends what it has to send at
  /// once or in virtual time.
  private func isAnsweredHere(_ socket: UInt64, _ tracee: Tracee) -> Bool {
    guard !relaysOthers else { return false }
    let sockets = table(of: tracee).peers(of: socket)
    return !sockets.isEmpty && sockets.allSatisfy { !own.holders(of: .socket($0)).isEmpty }
  }

  private func table(of tracee: Tracee) -> ConnectionTable {
    let table = connections[tracee.identifier] ?? DescriptorTable(of: tracee).connections()
    connections[tracee.identifier] = table
    return table
  }

  // MARK: - Locks on files

  /// The locks that keep a thread waiting in flock(2) or fcntl(2) and that the tree holds.
  ///
  /// As all who hold a lock in the way must give it back, one that only the tree can give back is enough
  /// to say that no other process can end the wait. Where none is seen, the holder is outside, or has the file
  /// at a place that cannot be examined, such as a message under way (unix(7): SCM_RIGHTS).
  private func conflicts(
    with call: BlockedCall, of tracee: Tracee
  ) -> [(entry: TreeDescriptors.Entry, lock: FileLock)] {
    let table = DescriptorTable(of: tracee)
    guard
      let request = LockRequest(
        call, tracee.process.memory, position: { Self.position($0, $1, in: table) }),
      let file = FileIdentity(path: table.path(of: request.descriptor))
    else { return [] }
    let own = Set(FileLock.held(in: table.information(of: request.descriptor)))
    return descriptors.locks(on: file).filter { entry, lock in
      guard lock.conflicts(with: request.lock) else { return false }
      // No process waits for itself.
      guard lock.family == request.lock.family else { return true }
      return lock.family == .ofProcess
        ? entry.process != tracee.process.identifier.number : !own.contains(lock)
    }
  }

  /// Returns the position from which a range counts: SEEK_CUR and SEEK_END of fcntl(2).
  private static func position(
    _ origin: Int16, _ descriptor: Int32, in table: DescriptorTable
  ) -> Int64? {
    if origin == Int16(SEEK_END) {
      var status = stat()
      return stat(table.path(of: descriptor), &status) == 0 ? Int64(status.st_size) : nil
    }
    let lines = table.information(of: descriptor).split(separator: "\n")
    return lines.first { $0.hasPrefix("pos:") }.flatMap { line in
      line.split(separator: "\t").last.flatMap { Int64($0) }
    }
  }

  /// Returns whether a process outside has the open file to which a lock of the tree belongs, and may unlock it.
  private func isSharedWithOutsiders(_ lock: FileLock, _ entry: TreeDescriptors.Entry) -> Bool {
    guard case .path(let path) = entry.target,
      let file = FileIdentity(path: "\(entry.folder)/fd/\(entry.number)")
    else { return true }
    return outsiders.locks(on: file, named: TreeDescriptors.name(in: path)).contains {
      $0.lock == lock
    }
  }

  /// Returns the processes that hold the lock for which a thread waits, as far as they can be
  /// found: of the tree those that took it, or, where these have ended, those that have the open
  /// file.
  func lockHolders(for call: BlockedCall, of tracee: Tracee) -> [Int32] {
    let conflicts = conflicts(with: call, of: tracee)
    guard conflicts.isEmpty else {
      return Set(
        conflicts.map { entry, lock in
          processes[ThreadIdentifier(lock.taker)] == nil ? entry.process : lock.taker
        }
      ).sorted()
    }
    return FileLocks.holders(
      blocking: tracee.process.identifier.number, in: SmallFile.read("/proc/locks") ?? "")
  }

  // MARK: - Fifos

  /// Returns the fifo that a thread opens; `nil` if it opens something else, or if that cannot be
  /// determined.
  func fifo(at place: PathArgument, for tracee: Tracee) -> FileHandle? {
    guard let path = tracee.process.memory?.readPath(place) else { return nil }
    let file = try? TargetPaths(thread: tracee.identifier).file(at: path, from: place.directory)
    return file.flatMap(asFifo)
  }

  private func asFifo(_ file: FileHandle) -> FileHandle? {
    file.status.map { $0.st_mode & S_IFMT == S_IFIFO } ?? false ? file : nil
  }

  /// Returns whether a process outside of the tree may have a fifo open, or may open it later.
  ///
  /// Any process that knows a fifo's name may open it. One that was there when the tree began was put there for
  /// others as well; one that was made later is the tree's own, and strangers to it are only those that
  /// have it open already, as far as this user may look at them; where time flows, that is true of the case's folder alone.
  private func mayBeOpenedFromOutside(_ fifo: FileHandle) -> Bool {
    let path = String(decoding: fifo.path, as: UTF8.self)
    if timeFlows, ownFolder.map({ !path.hasPrefix($0 + "/") }) ?? true { return true }
    var birth = timespec()
    guard let beginning, let status = fifo.status,
      scenario_birth_time(fifo.descriptor, &birth) == 0,
      (birth.tv_sec, birth.tv_nsec) > (beginning.tv_sec, beginning.tv_nsec)
    else { return true }
    return outsiders.holds(FileIdentity(status), named: TreeDescriptors.name(in: path))
  }
}
