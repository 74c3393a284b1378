internal import Glibc

extension FileWatch {
  /// The calls that name files, by the kernel's names.
  private static let names: [String] = [
    "open", "openat", "openat2", "creat", "truncate", "mkdir", "mkdirat", "link", "linkat",
    "unlink", "unlinkat", "rename", "renameat", "renameat2", "symlink", "symlinkat", "chmod",
    "fchmodat", "fchmodat2", "rmdir",
  ]

  /// The calls among them that change permission bits, by number.
  fileprivate static let modeCalls = Set(
    ["chmod", "fchmodat", "fchmodat2"].compactMap { SystemCallTable.current.number(of: $0) })

  /// Calls that ask about a path or run it, and where their arguments say which.
  private static let questions: [String: DiskCall] = [
    "stat": .attribute(path: 0), "access": .attribute(path: 0), "chdir": .attribute(path: 0),
    "newfstatat": .attribute(path: 1, directory: 0, flags: 3),
    "statx": .attribute(path: 1, directory: 0, flags: 2),
    "faccessat": .attribute(path: 1, directory: 0),
    "faccessat2": .attribute(path: 1, directory: 0, flags: 3),
    "execve": .attribute(path: 0), "execveat": .attribute(path: 1, directory: 0, flags: 4),
  ]

  /// The calls, by number.
  fileprivate static let calls: [Int: DiskCall] = {
    var calls = questions
    for name in names { calls[name] = DiskCall.table[name] }
    return Dictionary(
      uniqueKeysWithValues: calls.compactMap { name, call in
        SystemCallTable.current.number(of: name).map { ($0, call) }
      })
  }()
}

/// Reports to a watch, before a call is made, which files it is about.
final class FileObserver: Interceptor {
  private let watch: FileWatch

  init(_ watch: FileWatch) {
    self.watch = watch
  }

  /// The rules of the calls that must be seen.
  let filterRules = FileWatch.calls.mapValues { _ in FilterRule.trace }

  func enter(_ intercepted: InterceptedCall) -> CallDisposition {
    let (tracee, registers) = (intercepted.tracee, intercepted.registers)
    guard let call = FileWatch.calls[intercepted.number], let memory = tracee.process.memory
    else { return .pass }
    let reader = DiskOperationReader(of: tracee, registers, memory)
    for link in Self.links(by: call, reader, memory, TargetPaths(thread: tracee.identifier)) {
      watch.sight(.follow(link))
    }
    guard let touch = reader.read(call) else { return .pass }
    if let seen = Self.touch(touch, intercepted.number) { watch.sight(seen) }
    return .pass
  }

  /// The symbolic links by which a call comes to what it names, in order.
  private static func links(
    by call: DiskCall, _ reader: DiskOperationReader, _ memory: TargetMemory, _ paths: TargetPaths
  ) -> [String] {
    let argument: PathArgument
    switch call {
    case .open(let path, let directory, _), .attribute(let path, let directory, _, _),
      .makeFolder(let path, let directory), .remove(let path, let directory),
      .makeLink(_, let path, let directory), .move(let path, let directory, _, _, _),
      .link(let path, let directory, _, _, _):
      argument = reader.argument(path, directory)
    case .openWithStructure: argument = reader.argument(1, 0)
    case .create, .resizePath: argument = reader.argument(0, nil)
    default: return []
    }
    guard let path = memory.readPath(argument), !path.isEmpty,
      !path.starts(with: Array("/proc/".utf8))
    else { return [] }
    if path.first == UInt8(ascii: "/") { return LinkWalk.links(through: path, from: "") }
    guard let folder = try? paths.file(at: [], from: argument.directory), let status = folder.status
    else { return [] }
    return LinkWalk.links(through: path, from: folder.plainPath(status))
  }

  private static func touch(_ touch: DiskOperation, _ number: Int) -> FileTouch? {
    switch touch.action {
    case .open(let flags): return touch.path.flatMap { opening($0, touch.status, flags) }
    case .make(_, let isFolder):
      guard let path = touch.path else { return nil }
      return isFolder ? .makeFolder(path) : .write(path, keepsContent: false)
    case .resize: return touch.path.map { .write($0, keepsContent: true) }
    case .link(let source): return touch.path.map { .link(from: source, to: $0) }
    case .remove: return touch.path.map { .remove($0) }
    case .move(let exchanges):
      guard let from = touch.path, let to = touch.target?.path else { return nil }
      return .move(from: from, to: to, exchanges: exchanges)
    case .attribute:
      guard let status = touch.status, let path = touch.path else { return nil }
      if status.isFolder { return .enter(path) }
      guard status.isRegular else { return nil }
      if FileWatch.modeCalls.contains(number) { return .changeMode(path) }
      let isRun = number == SystemCallNumber.execve || number == SystemCallNumber.execveat
      return isRun ? .run(path) : .look(path)
    default: return nil
    }
  }

  private static func opening(_ path: String, _ status: stat?, _ flags: UInt64) -> FileTouch? {
    if flags & OpenFlags.nameless != 0 { return nil }
    if status?.isFolder == true { return .list(path) }
    guard status?.isRegular ?? true else { return nil }
    // open(2): what O_CREAT finds is not changed by it.
    let writes =
      flags & UInt64(O_ACCMODE) != UInt64(O_RDONLY)
      || flags & OpenFlags.truncate != 0 || status == nil
    return writes ? .write(path, keepsContent: flags & OpenFlags.truncate == 0) : .read(path)
  }
}
