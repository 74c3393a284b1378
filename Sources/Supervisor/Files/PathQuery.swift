internal import Glibc

/// Calls that ask about the file of a path without opening it.
///
/// The calls that a program makes before it opens a file change with each version of its libraries: a file that
/// exists for one of them exists for all.
enum PathQuery {
  /// The index of the path among the arguments, by system call number; where that is 1, argument 0
  /// is its directory.
  static let pathArguments: [Int: Int] = [
    SystemCallNumber.stat: 0,
    SystemCallNumber.lstat: 0,
    SystemCallNumber.newfstatat: 1,
    SystemCallNumber.statx: 1,
    SystemCallNumber.access: 0,
    SystemCallNumber.faccessat: 1,
    SystemCallNumber.faccessat2: 1,
    SystemCallNumber.readlink: 0,
    SystemCallNumber.readlinkat: 1,
  ]

  /// The rules of all of them but those about a descriptor, which fstat(3) makes for each file that
  /// is opened.
  static let filterRules: [Int: FilterRule] = Dictionary(
    uniqueKeysWithValues: pathArguments.keys.map { number in
      switch number {
      case SystemCallNumber.newfstatat, SystemCallNumber.faccessat2:
        (number, .traceIfNoneSet(argument: 3, bits: emptyPath))
      case SystemCallNumber.statx: (number, .traceIfNoneSet(argument: 2, bits: emptyPath))
      default: (number, .trace)
      }
    })

  /// AT_EMPTY_PATH (`linux/fcntl.h`).
  private static let emptyPath: UInt32 = 0x1000
}
