internal import CSupervisor
internal import Glibc

extension TracerLoop {
  /// Looks at a call that is about to be made, for the sake of branches; true if nobody else is to see it.
  ///
  /// Of the trunk it is noted what a fork would not hand on. A branch that is about to change what is not
  /// its own comes to its end: the call is not made.
  func looksAfterBranches(_ registers: Registers, of tracee: Tracee) -> Bool {
    guard let effect = BranchCalls.effect(of: registers) else { return false }
    tracee.process.entanglement.record(effect, registers, tracee.process)
    if let branch, branch.objection == nil,
      let objection = objection(to: effect, registers, of: tracee, branch)
    {
      branch.objection = objection
      branch.isOver = true
      isStopping = true
      return true
    }
    return false
  }

  /// Why a branch must not make a call.
  private func objection(
    to effect: BranchCalls.Effect, _ registers: Registers, of tracee: Tracee, _ branch: Branch
  ) -> String? {
    let name = SystemCallTable.current.name(of: registers.systemCall)
    let reach = BranchSandbox(
      roots: branch.roots, processes: processes.keys.map(\.number), thread: tracee.identifier,
      readFolders: branch.readFolders)
    guard let memory = tracee.process.memory else { return nil }
    func argument(_ path: Int, _ folder: Int?) -> PathArgument {
      PathArgument(
        address: registers[argument: path],
        directory: folder.map { Int32(truncatingIfNeeded: registers[argument: $0]) } ?? AT_FDCWD)
    }
    let foreign: String?
    switch effect {
    case .mapping, .advice, .filter, .timer, .lock:
      return nil
    case .address where registers.systemCall == SystemCallTable.current.number(of: "bind"):
      return "the branch takes an address by bind"
    case .address(let index):
      return reach.mayReach(registers[argument: index], registers[argument: index + 1], memory)
        ? nil : "the branch speaks to somebody outside by \(name)"
    case .messages(let index, let count):
      return reach.mayReach(
        messages: registers[argument: index], count.map { registers[argument: $0] }, memory)
        ? nil : "the branch speaks to somebody outside by \(name)"
    case .attributes: return "the branch changes extended attributes by \(name)"
    case .machine: return "the branch makes the call \(name), which acts on the machine"
    case .sharing(let what):
      return registers.systemCall == SystemCallTable.current.number(of: "io_setup") ? nil : what
    case .signal(let place):
      let receiver = Int32(truncatingIfNeeded: registers[argument: place])
      return reach.mayBeSignalled(receiver)
        ? nil
        : "the branch makes the call \(name) for process \(receiver), which is none of its own"
    case .open(let path, let folder, let place):
      let flags: UInt64
      switch place {
      case .argument(let index): flags = registers[argument: index]
      case .memory(let index): flags = memory.read(UInt64.self, at: registers[argument: index]) ?? 0
      case .creating: flags = UInt64(O_CREAT | O_WRONLY | O_TRUNC)
      }
      guard flags & BranchCalls.changingFlags != 0, flags & OpenFlags.path == 0 else { return nil }
      foreign = reach.foreignOpening(argument(path, folder), flags, memory)
    case .entries(let list):
      foreign =
        list.lazy.compactMap { reach.foreignEntry(argument($0.path, $0.folder), memory) }
        .first
    case .file(let path, let folder):
      foreign = reach.foreignFile(argument(path, folder), memory)
    case .descriptor(let index):
      foreign = reach.foreign(descriptor: Int32(truncatingIfNeeded: registers[argument: index]))
    }
    return foreign.map {
      "the branch changes \"\($0)\" by \(name), which is in no watched folder, or in one that the"
        + " program is reading"
    }
  }
}

/// What a branch may change.
struct BranchSandbox {
  /// The watched folders.
  let roots: [String]
  /// The processes of the branch.
  let processes: [Int32]
  /// Who is about to change something.
  let thread: ThreadIdentifier
  /// Folders whose entries must stay.
  var readFolders: Set<WatchedFolders.Inode> = []

  /// Files that take anything and keep nothing (null(4), full(4), random(4)).
  private static let harmless: Set<String> = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
  ]

  /// Whether a path, as the kernel gives it, may be changed.
  func contains(_ path: String) -> Bool {
    roots.contains { path == $0 || path.hasPrefix($0 + "/") } || Self.harmless.contains(path)
      || path.hasPrefix("pipe:[") || path.hasPrefix("/memfd:")
      || processes.contains { path.hasPrefix("/proc/\($0)/") }
  }

  /// kill(2): whether a number means processes of the branch alone; 0 is the group of the caller, of which
  /// the branch has its own.
  func mayBeSignalled(_ number: Int32) -> Bool {
    number == 0 || processes.contains(number) || number < -1 && processes.contains(0 &- number)
      || processes.contains { access("/proc/\($0)/task/\(number)", F_OK) == 0 }
  }

  /// Whether nobody outside is behind an address: there is none, or it is that of a local socket which does
  /// not exist.
  func mayReach(_ address: UInt64, _ length: UInt64, _ memory: TargetMemory) -> Bool {
    guard address != 0 else { return true }
    // sockaddr_un(7): the family, then the path; a zero at its beginning is no path.
    guard length > 3, let family = memory.read(UInt16.self, at: address),
      Int32(family) == AF_UNIX,
      let path = memory.readPath(
        PathArgument(address: address &+ 2, directory: AT_FDCWD, length: Int(min(length, 110)) - 2)),
      !path.isEmpty
    else { return false }
    do throws(TargetPaths.Failure) {
      _ = try TargetPaths(thread: thread).file(at: path, from: AT_FDCWD)
      return false
    } catch {
      return error.errorNumber == ENOENT
    }
  }

  /// The same of `struct msghdr`, or of an array of `struct mmsghdr`, 64 bytes each.
  func mayReach(messages: UInt64, _ count: UInt64?, _ memory: TargetMemory) -> Bool {
    for index in 0..<min(count ?? 1, 1_024) {
      let message = messages &+ index &* 64
      guard let name = memory.read(UInt64.self, at: message) else { return true }
      guard name == 0 else { return false }
    }
    return true
  }

  /// The path of what an open file is, if it may not be changed.
  func foreign(descriptor: Int32) -> String? {
    guard let path = SmallFile.link("/proc/\(thread.number)/fd/\(descriptor)") else { return nil }
    return contains(path) ? nil : path
  }

  /// The path of the folder in which an entry comes or goes, if it may not be changed; a call that fails
  /// anyhow changes nothing.
  func foreignEntry(_ place: PathArgument, _ memory: TargetMemory) -> String? {
    guard let path = memory.readPath(place), let entry = EntryPath(path) else { return nil }
    guard
      let folder = try? TargetPaths(thread: thread).file(
        at: entry.folder, from: place.directory, flags: O_DIRECTORY)
    else { return nil }
    let text = String(decoding: folder.path, as: UTF8.self)
    let isRead = folder.status.map { readFolders.contains(.init($0)) } ?? false
    return contains(text) && !isRead
      ? nil : "\(text)/\(String(decoding: entry.name, as: UTF8.self))"
  }

  /// The path of the file that a path leads to, if it may not be changed.
  func foreignFile(_ place: PathArgument, _ memory: TargetMemory) -> String? {
    // utimensat(2): without a path the descriptor itself is meant.
    guard place.address != 0 else { return foreign(descriptor: place.directory) }
    guard let path = memory.readPath(place) else { return nil }
    for flags in [0, O_NOFOLLOW] {
      guard
        let file = try? TargetPaths(thread: thread).file(
          at: path, from: place.directory, flags: flags)
      else { continue }
      let text = String(decoding: file.path, as: UTF8.self)
      if !contains(text) { return text }
    }
    return nil
  }

  /// Whether the process has a controlling terminal (proc(5): `tty_nr` of /proc/PID/stat, the seventh field).
  private var hasTerminal: Bool {
    let text = SmallFile.read("/proc/\(thread.number)/stat") ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count < 5 || fields[4] != "0"
  }

  /// The path of the file that is opened to be changed, or made, if that may not be.
  func foreignOpening(_ place: PathArgument, _ flags: UInt64, _ memory: TargetMemory) -> String? {
    guard let path = memory.readPath(place) else { return nil }
    // tty(4): who has no terminal gets ENXIO.
    if path == Array("/dev/tty".utf8), !hasTerminal { return nil }
    if let file = try? TargetPaths(thread: thread).file(at: path, from: place.directory) {
      let text = String(decoding: file.path, as: UTF8.self)
      return contains(text) ? nil : text
    }
    guard flags & OpenFlags.create != 0, let entry = EntryPath(path) else { return nil }
    // A symbolic link that leads nowhere yet: what is made stands somewhere else.
    if let link = try? TargetPaths(thread: thread).file(
      at: path, from: place.directory, flags: O_NOFOLLOW)
    {
      return String(decoding: link.path, as: UTF8.self)
    }
    return foreignEntry(
      PathArgument(address: place.address, directory: place.directory), memory
    ).map { _ in String(decoding: entry.folder + entry.name, as: UTF8.self) }
  }
}
