internal import Glibc

/// The calls that change files, or what is said about them, and where their arguments say which.
enum OutsideCalls {
  /// Names of ``DiskCall``.
  private static let names = [
    "open", "openat", "openat2", "creat", "truncate", "mkdir", "mkdirat", "mknod", "mknodat",
    "symlink", "symlinkat", "link", "linkat", "unlink", "unlinkat", "rmdir", "rename", "renameat",
    "renameat2", "bind", "chmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchownat", "utime",
    "utimes", "futimesat", "utimensat", "setxattr", "removexattr", "lsetxattr", "lremovexattr",
    "fchmod", "fchown", "fsetxattr", "fremovexattr",
  ]
  /// Calls that came with Linux 6.13 and 6.17.
  private static let young: [String: DiskCall] = [
    "setxattrat": .attribute(path: 1, directory: 0, flags: 2),
    "removexattrat": .attribute(path: 1, directory: 0, flags: 2),
    "file_setattr": .attribute(path: 1, directory: 0, flags: 4),
  ]

  /// The calls by number; `nil` for all others.
  private static let calls: [DiskCall?] = {
    let named = names.map { ($0, DiskCall.table[$0]) } + young.map { ($0.key, $0.value) }
    let numbered = named.compactMap { name, call in
      SystemCallTable.current.number(of: name).map { ($0, call) }
    }
    var calls = [DiskCall?](repeating: nil, count: (numbered.map(\.0).max() ?? -1) + 1)
    for (number, call) in numbered { calls[number] = call }
    return calls
  }()

  /// Returns the kind of change that a call makes to files; `nil` for one that makes none, or opens
  /// a file only to read it.
  static func call(_ registers: Registers) -> DiskCall? {
    let number = registers.systemCall
    guard calls.indices.contains(number), let call = calls[number] else { return nil }
    if case .open(_, _, let flags) = call, !changes(registers[argument: flags]) { return nil }
    return call
  }

  /// Returns whether an open with such flags changes a file, or lets it be changed.
  ///
  /// open(2): with O_PATH all but three other flags are ignored, and what O_TMPFILE makes has no name.
  static func changes(_ flags: UInt64) -> Bool {
    flags & openFlags != 0 && flags & (OpenFlags.path | OpenFlags.nameless) == 0
  }

  private static let openFlags = UInt64(O_ACCMODE) | OpenFlags.create | OpenFlags.truncate

  /// The rules of the calls that must be seen: reading a file costs no stop.
  static let filterRules: [Int: FilterRule] = Dictionary(
    uniqueKeysWithValues: calls.enumerated().compactMap { number, call in
      call.map { (number, $0.filterRule(openFlags: openFlags)) }
    })
}
