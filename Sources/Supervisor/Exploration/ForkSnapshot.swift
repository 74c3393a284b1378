internal import CSupervisor
internal import Glibc

/// The reason why a branch is not made.
struct BranchRefusal: Error {
  /// The reason in words.
  var reason: String
}

/// The state that a branch shares with the trunk: saved at the fork, and restored behind the
/// branch.
///
/// fork(2): parent and child share their open files, with position and flags, and the files
/// themselves.
final class ForkSnapshot {
  /// An open file of the trunk.
  private struct OpenFile {
    var copy: Int32
    var position: off_t
    var flags: Int32
    /// True if the file has positions and locks.
    var isFile: Bool
  }

  private var files: [OpenFile] = []
  /// The folders that the trunk has begun to read.
  let readFolders: Set<WatchedFolders.Inode>
  /// The unread bytes of standard input, and a copy of the trunk's descriptor.
  private var input: (copy: Int32, bytes: [UInt8])?
  private let folders: WatchedFolders
  private let state: WatchedFolders.State
  /// Second names of files that the trunk writes, by inode: a branch may remove the first.
  private var held: [WatchedFolders.Inode: String] = [:]

  /// The largest number of open files that are saved.
  private static let fileLimit = 64

  init(
    of tracee: Tracee, _ target: LaunchedTarget, _ branching: ForkServer, hasLocked: Bool
  ) throws(BranchRefusal) {
    folders = branching.folders
    let open = try Self.open(
      of: tracee, target, branching.plan.directories, hasLocked: hasLocked)
    files = open.files
    input = open.input
    readFolders = open.folders
    do throws(BranchRefusal) {
      held = try Self.hold(open.writable, in: branching.plan.holdingDirectory)
      do throws(BranchRefusal) {
        branching.folders.held = Set(held.keys)
        state = try branching.folders.keep()
      } catch {
        for path in held.values { unlink(path) }
        throw error
      }
    } catch {
      for file in open.files { close(file.copy) }
      throw error
    }
  }

  deinit {
    release()
  }

  /// Releases what was saved.
  func release() {
    for file in files { close(file.copy) }
    files = []
    for path in held.values { unlink(path) }
    held = [:]
  }

  // MARK: - The fork

  private struct Open {
    var files: [OpenFile] = []
    var input: (copy: Int32, bytes: [UInt8])?
    var folders: Set<WatchedFolders.Inode> = []
    var writable: [(inode: WatchedFolders.Inode, copy: Int32)] = []
  }

  private static func open(
    of tracee: Tracee, _ target: LaunchedTarget, _ roots: [String], hasLocked: Bool
  ) throws(BranchRefusal) -> Open {
    var open = Open()
    do throws(BranchRefusal) {
      let folder = "/proc/\(tracee.process.identifier.number)/fd"
      let numbers = SmallFile.names(in: folder).compactMap { Int32($0) }
      guard numbers.count <= fileLimit else {
        throw BranchRefusal(reason: "the program has \(numbers.count) files open")
      }
      let reach = BranchSandbox(roots: roots, processes: [], thread: tracee.identifier)
      let streams = target.pipes
      for number in numbers {
        guard let link = SmallFile.link("\(folder)/\(number)") else {
          throw BranchRefusal(reason: "descriptor \(number) cannot be inspected")
        }
        let copy = tracee.copyDescriptor(number)
        guard copy >= 0 else {
          throw BranchRefusal(reason: "descriptor \(number) cannot be inspected")
        }
        let flags = fcntl(copy, F_GETFL)
        var file = OpenFile(copy: copy, position: 0, flags: flags, isFile: false)
        open.files.append(file)
        switch OpenDescriptor(link: link) {
        case .pipe(let pipe):
          guard streams.contains(pipe) else {
            throw BranchRefusal(reason: "the program has a pipe open")
          }
          if pipe == target.input.pipe, open.input == nil {
            open.input = try takeInput(target, copy)
          }
        case .socket: throw BranchRefusal(reason: "the program has a socket open")
        case .anonymous(let name): throw BranchRefusal(reason: "the program has \(name) open")
        case .path(let path):
          var status = stat()
          guard fstat(copy, &status) == 0 else {
            throw BranchRefusal(reason: "descriptor \(number) cannot be inspected")
          }
          switch status.st_mode & S_IFMT {
          case S_IFREG:
            file.isFile = true
            if flags & O_ACCMODE != O_RDONLY, flags & PathFlags.pathOnly == 0 {
              guard reach.contains(path), status.st_nlink == 1 else {
                throw BranchRefusal(reason: "the program writes \"\(path)\"")
              }
              open.writable.append((.init(status), copy))
            }
          case S_IFDIR: file.isFile = true
          case S_IFCHR where reach.contains(path): break
          default: throw BranchRefusal(reason: "the program has \"\(path)\" open")
          }
          if flags & PathFlags.pathOnly != 0 { file.isFile = false }
          if file.isFile { file.position = lseek(copy, 0, SEEK_CUR) }
          if status.st_mode & S_IFMT == S_IFDIR, file.position > 0 {
            open.folders.insert(.init(status))
          }
          open.files[open.files.count - 1] = file
        }
      }
      guard hasLocked else { return open }
      if holdsLocks(open.files) {
        throw BranchRefusal(reason: "the program holds a lock on a file")
      }
    } catch {
      for file in open.files { close(file.copy) }
      throw error
    }
    return open
  }

  /// Returns whether any file that the trunk has open is locked (proc(5): /proc/locks ends with device and inode).
  private static func holdsLocks(_ files: [OpenFile]) -> Bool {
    guard let text = SmallFile.read("/proc/locks") else { return true }
    let inodes = Set(
      text.split(separator: "\n").compactMap { line in
        line.split(separator: " ").first { $0.contains(":") && $0.split(separator: ":").count == 3 }
          .flatMap { $0.split(separator: ":").last.flatMap { UInt64($0) } }
      })
    return files.contains { file in
      var status = stat()
      return file.isFile && fstat(file.copy, &status) == 0 && inodes.contains(UInt64(status.st_ino))
    }
  }

  /// FIONREAD of `asm-generic/ioctls.h`.
  private static let unread: UInt = 0x541b

  /// Reads the unread bytes of standard input, and puts them back there.
  private static func takeInput(
    _ target: LaunchedTarget, _ copy: Int32
  ) throws(BranchRefusal) -> (copy: Int32, bytes: [UInt8])? {
    guard !target.input.isOpen else {
      throw BranchRefusal(reason: "the program's standard input may still get data")
    }
    var count: Int32 = 0
    guard ioctl(copy, unread, &count) == 0 else {
      throw BranchRefusal(reason: "the program's standard input cannot be inspected")
    }
    guard count > 0 else { return nil }
    let bytes = drain(copy, Int(count))
    guard refill(copy, bytes) else {
      throw BranchRefusal(reason: "the program's standard input cannot be saved")
    }
    return (copy, bytes)
  }

  private static func drain(_ descriptor: Int32, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let part = [UInt8](unsafeUninitializedCapacity: count - bytes.count) { buffer, length in
        length = max(0, read(descriptor, buffer.baseAddress, buffer.count))
      }
      guard !part.isEmpty else { break }
      bytes += part
    }
    return bytes
  }

  /// Writes into a pipe of which there is but the end to read from (pipe(7), proc(5)).
  private static func refill(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    let end = Glibc.open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard end >= 0 else { return false }
    defer { close(end) }
    return bytes.withUnsafeBytes { write(end, $0.baseAddress, $0.count) } == bytes.count
  }

  private static func hold(
    _ files: [(inode: WatchedFolders.Inode, copy: Int32)], in folder: String
  ) throws(BranchRefusal) -> [WatchedFolders.Inode: String] {
    var held: [WatchedFolders.Inode: String] = [:]
    for (inode, copy) in files where held[inode] == nil {
      let path = "\(folder)/held-\(inode.number)"
      // linkat(2): a file that is open gets another name by its name in /proc.
      guard linkat(AT_FDCWD, "/proc/self/fd/\(copy)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else {
        for path in held.values { unlink(path) }
        throw BranchRefusal(reason: "a file that the program writes cannot be saved")
      }
      held[inode] = path
    }
    return held
  }

  // MARK: - Behind the branch

  /// Returns the branch's changes to the watched folders; `nil` if they cannot be determined.
  func compare(limit: Int) -> WatchedFolders.Comparison? {
    folders.compare(with: state, limit: limit)
  }

  /// Makes everything what it was; why that was not possible, or `nil`.
  func putBack() -> String? {
    var reason = folders.putBack(state, held: held)
    if !readFolders.isDisjoint(with: folders.changedFolders) {
      // Where its entries stand now is not where they stood (readdir(3)).
      reason = reason ?? "a branch changed a folder that the program is reading"
    }
    for file in files {
      if file.isFile {
        if lseek(file.copy, 0, SEEK_CUR) != file.position {
          if lseek(file.copy, file.position, SEEK_SET) < 0 {
            reason = reason ?? "the position of an open file cannot be restored"
          }
        }
        unlock(file.copy)
      }
      if fcntl(file.copy, F_GETFL) != file.flags { _ = fcntl(file.copy, F_SETFL, file.flags) }
    }
    if let input {
      var count: Int32 = 0
      if ioctl(input.copy, Self.unread, &count) == 0, Int(count) != input.bytes.count {
        _ = Self.drain(input.copy, Int(count))
        if !Self.refill(input.copy, input.bytes) {
          reason = reason ?? "standard input cannot be restored"
        }
      }
    }
    release()
    return reason
  }

  /// Releases the locks that belong to the open file and not to a process (flock(2); fcntl(2):
  /// F_OFD_SETLK); the trunk had none.
  private func unlock(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    scenario_unlock_open_file(descriptor)
  }
}

extension LaunchedTarget {
  /// The inodes of the pipes that the three streams are.
  var pipes: Set<UInt64> {
    var list: Set<UInt64> = []
    if let pipe = input.pipe { list.insert(pipe) }
    for stream in [output, errorOutput] where stream.descriptor >= 0 {
      var status = stat()
      if fstat(stream.descriptor, &status) == 0 { list.insert(UInt64(status.st_ino)) }
    }
    return list
  }
}
