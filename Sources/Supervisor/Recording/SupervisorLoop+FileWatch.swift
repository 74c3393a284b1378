internal import Glibc

extension FileWatch {
  /// The calls that name files, by the kernel's names.
  private static let names: [String] = [
    "open", "openat", "openat2", "creat", "truncate", "mkdir", "mkdirat", "link", "linkat",
    "unlink", "unlinkat", "rename", "renameat", "renameat2", "symlink", "symlinkat", "chmod",
    "fchmodat",
  ]

  /// Calls that ask about a path or run it, and where their arguments say which.
  private static let questions: [String: DiskCall] = [
    "stat": .attribute(path: 0), "access": .attribute(path: 0), "chdir": .attribute(path: 0),
    "newfstatat": .attribute(path: 1, directory: 0, flags: 3),
    "statx": .attribute(path: 1, directory: 0, flags: 2),
    "faccessat": .attribute(path: 1, directory: 0),
    "faccessat2": .attribute(path: 1, directory: 0, flags: 3),
    "execve": .attribute(path: 0), "execveat": .attribute(path: 1, directory: 0, flags: 4),
  ]

  /// All of them, by number.
  fileprivate static let calls: [Int: DiskCall] = {
    var calls = questions
    for name in names { calls[name] = DiskCall.table[name] }
    return Dictionary(
      uniqueKeysWithValues: calls.compactMap { name, call in
        SystemCallTable.current.number(of: name).map { ($0, call) }
      })
  }()

  /// Which calls must be seen.
  static var filterRules: [Int: FilterRule] { calls.mapValues { _ in .trace } }
}

extension SupervisorLoop {
  /// Tells, before a call is made, which files it is about.
  func tellFiles(of tracee: Tracee, _ registers: Registers) {
    guard let watch = configuration.fileWatch, let call = FileWatch.calls[registers.systemCall],
      let memory = tracee.process.memory
    else { return }
    let reader = DiskTouchReader(of: tracee, registers, memory)
    guard let touch = reader.read(call) else { return }
    if let link = Self.link(by: call, reader, to: touch) { watch.sight(.look(link)) }
    if let seen = Self.touch(touch, registers.systemCall) { watch.sight(seen) }
  }

  /// The symbolic link by which a call names its file; `nil` where it is named itself.
  private static func link(
    by call: DiskCall, _ reader: DiskTouchReader, to touch: DiskTouch
  ) -> String? {
    let argument: PathArgument
    switch call {
    case .open(let path, let directory, _), .attribute(let path, let directory, _, _):
      argument = reader.argument(path, directory)
    case .openWithStructure: argument = reader.argument(1, 0)
    default: return nil
    }
    guard touch.status?.isRegular == true, let place = reader.place(argument),
      place.path != touch.path
    else { return nil }
    return place.path
  }

  private static func touch(_ touch: DiskTouch, _ number: Int) -> FileTouch? {
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
