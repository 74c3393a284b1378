internal import CSupervisor
internal import Glibc

/// The files and processes that a branch may change.
struct BranchSandbox {
  /// The watched folders.
  let roots: [String]
  /// The processes of the branch.
  let processes: [Int32]
  /// The thread that is about to change something.
  let thread: ThreadIdentifier
  /// Folders whose entries must stay.
  var readFolders: Set<WatchedFolders.Inode> = []

  /// Files that take anything and keep nothing (null(4), full(4), random(4)).
  private static let harmless: Set<String> = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
  ]

  /// Returns whether a path, as the kernel gives it, may be changed.
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

  /// Returns whether no process outside is behind an address: there is none, or it is that of a
  /// local socket which does not exist.
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

  /// True if the process has a controlling terminal (proc(5): `tty_nr` of /proc/PID/stat, the seventh field).
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
