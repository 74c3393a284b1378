internal import FaultEngine
internal import Glibc

/// The use that a call makes of a disk.
extension DiskOperation {
  /// Returns whether a path leads to a disk: what the kernel makes up has none, and memory with a name neither.
  static func isOnDisk(_ path: String) -> Bool {
    if path.hasPrefix("/dev/") { return path.hasPrefix("/dev/shm/") }
    return !path.hasPrefix("/proc/") && !path.hasPrefix("/sys/") && !path.hasPrefix("/memfd:")
  }

  /// The same as chaos entries are asked about it; `nil` if there is nothing to ask.
  var use: DiskUse? {
    guard let path, Self.isOnDisk(path) else { return nil }
    var use = DiskUse(paths: [path])
    if let target { use.paths.append(target.path) }
    switch action {
    case .write(let range, _, _):
      guard let file, let status else { return nil }
      use.range = range
      use.holes = file.holes(in: range, status)
      use.canBeCut = true
    case .allocate(let range, let mode):
      // FALLOC_FL_PUNCH_HOLE and FALLOC_FL_COLLAPSE_RANGE of fallocate(2) take no room.
      guard let file, let status else { return nil }
      if mode & 0xa == 0 { use.holes = file.holes(in: range, status) }
    case .make(let room, let isFolder):
      use.entry = room
      use.makesFolder = isFolder
    case .open(let flags):
      guard opensForChange(flags) else { return nil }
      use.isChange = place != nil || flags & (OpenFlags.truncate | OpenFlags.nameless) != 0
      use.isRefusedReadOnly = true
      return use
    case .question:
      use.isQuestion = true
      return use
    case .access, .attribute:
      use.isRefusedReadOnly = true
      use.isChange = false
      return use
    case .link(let from):
      if !isInVain { use.move = DiskMove(from: from, to: path) }
    case .move(let exchanges):
      guard let target, !isInVain else { break }
      use.move = DiskMove(from: path, to: target.path, exchanges: exchanges)
    case .resize, .clone, .remove:
      break
    case .map, .protect, .sync, .flush, .syncDisk, .syncAll, .syncMapping:
      return nil
    }
    use.isRefusedReadOnly = true
    use.isChange = true
    return use
  }

  /// True if both names of a move are those of one file.
  var isOfOneFile: Bool {
    guard let status, let other = target?.file?.status else { return false }
    return FileIdentity(status) == FileIdentity(other)
  }

  /// Returns whether the kernel refuses to open a file so on a disk that cannot be changed: files for writing, new
  /// ones, and ones without a name.
  func opensForChange(_ flags: UInt64) -> Bool {
    guard let status else { return place != nil }
    if flags & OpenFlags.nameless != 0 { return status.isFolder }
    // A file that must not be there gives EEXIST.
    if flags & OpenFlags.createOnly == OpenFlags.createOnly { return false }
    let writes = flags & (UInt64(O_ACCMODE) | OpenFlags.truncate) != 0
    return status.isRegular && writes
  }
}
