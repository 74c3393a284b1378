internal import Glibc

/// How the file system of a path is mounted (statvfs(3), whose names for most flags the C library declares for GNU sources
/// alone).
struct MountFlags: OptionSet {
  let rawValue: UInt

  /// Nothing can be written: ST_RDONLY.
  static let readOnly = MountFlags(rawValue: 1)
  /// No program can be run from there: ST_NOEXEC.
  static let noExecution = MountFlags(rawValue: 8)

  init(rawValue: UInt) { self.rawValue = rawValue }

  /// The flags at a path; `nil` if they cannot be read.
  init?(of path: String) {
    var fileSystem = statvfs()
    guard statvfs(path, &fileSystem) == 0 else { return nil }
    rawValue = fileSystem.f_flag
  }
}
