internal import Glibc

/// The operation of a system call on a disk, and which of its arguments describe it; arguments
/// count from 0.
enum DiskCall: Equatable {
  /// The place of the number of bytes.
  enum Size: Equatable {
    /// The index of an argument.
    case argument(Int)
    /// The index of an argument that is an array of `struct iovec`.
    case vector(Int)
  }

  /// Writes bytes to descriptor 0, at an offset or at the descriptor's own, with flags of
  /// pwritev2(2).
  case write(Size, offset: Int? = nil, flags: Int? = nil)
  /// Moves bytes from one descriptor to another; offsets are pointers.
  case transfer(from: Int, fromOffset: Int, to: Int, toOffset: Int?, size: Int)
  /// fallocate(2).
  case allocate
  /// ftruncate(2).
  case resize
  /// truncate(2).
  case resizePath
  /// Shares extents with another file (ioctl_ficlonerange(2)).
  case clone
  /// Opens a path with flags.
  case open(path: Int, directory: Int? = nil, flags: Int)
  /// Opens a path with a `struct open_how` that begins with the flags.
  case openWithStructure
  /// creat(2).
  case create
  /// Makes a folder.
  case makeFolder(path: Int, directory: Int? = nil)
  /// Makes a file of another kind.
  case makeNode(path: Int, directory: Int? = nil)
  /// Makes a symbolic link with a text.
  case makeLink(text: Int, path: Int, directory: Int? = nil)
  /// Gives a file another name.
  case link(from: Int, fromFolder: Int? = nil, to: Int, toFolder: Int? = nil, flags: Int? = nil)
  /// Removes a name.
  case remove(path: Int, directory: Int? = nil)
  /// Renames.
  case move(from: Int, fromFolder: Int? = nil, to: Int, toFolder: Int? = nil, flags: Int? = nil)
  /// Gives a socket an address, which may be a path.
  case bind
  /// Changes what is said about a path.
  case attribute(path: Int, directory: Int? = nil, flags: Int? = nil, followsLink: Bool = true)
  /// Changes what is said about a descriptor's file.
  case attributeOfDescriptor
  /// Asks what may be done with a path.
  case access(path: Int, directory: Int? = nil, mode: Int)
  /// statfs(2).
  case question
  /// fstatfs(2).
  case questionOfDescriptor
  /// mmap(2).
  case map
  /// mprotect(2).
  case protect
  /// mremap(2).
  case remap
  /// fsync(2), fdatasync(2).
  case sync
  /// sync_file_range(2).
  case flush
  /// syncfs(2).
  case syncDisk
  /// sync(2).
  case syncAll
  /// msync(2).
  case syncMapping

  /// The calls by the kernel's names.
  static let table: [String: DiskCall] = [
    "write": .write(.argument(2)), "pwrite64": .write(.argument(2), offset: 3),
    "writev": .write(.vector(1)), "pwritev": .write(.vector(1), offset: 3),
    "pwritev2": .write(.vector(1), offset: 3, flags: 5),
    "sendfile": .transfer(from: 1, fromOffset: 2, to: 0, toOffset: nil, size: 3),
    "copy_file_range": .transfer(from: 0, fromOffset: 1, to: 2, toOffset: 3, size: 4),
    "splice": .transfer(from: 0, fromOffset: 1, to: 2, toOffset: 3, size: 4),
    "fallocate": .allocate, "ftruncate": .resize, "truncate": .resizePath, "ioctl": .clone,
    "open": .open(path: 0, flags: 1), "openat": .open(path: 1, directory: 0, flags: 2),
    "openat2": .openWithStructure, "creat": .create,
    "mkdir": .makeFolder(path: 0), "mkdirat": .makeFolder(path: 1, directory: 0),
    "mknod": .makeNode(path: 0), "mknodat": .makeNode(path: 1, directory: 0),
    "symlink": .makeLink(text: 0, path: 1),
    "symlinkat": .makeLink(text: 0, path: 2, directory: 1),
    "link": .link(from: 0, to: 1),
    "linkat": .link(from: 1, fromFolder: 0, to: 3, toFolder: 2, flags: 4),
    "unlink": .remove(path: 0), "unlinkat": .remove(path: 1, directory: 0),
    "rmdir": .remove(path: 0),
    "rename": .move(from: 0, to: 1),
    "renameat": .move(from: 1, fromFolder: 0, to: 3, toFolder: 2),
    "renameat2": .move(from: 1, fromFolder: 0, to: 3, toFolder: 2, flags: 4), "bind": .bind,
    "chmod": .attribute(path: 0), "fchmodat": .attribute(path: 1, directory: 0),
    "fchmodat2": .attribute(path: 1, directory: 0, flags: 3),
    "chown": .attribute(path: 0), "lchown": .attribute(path: 0, followsLink: false),
    "fchownat": .attribute(path: 1, directory: 0, flags: 4),
    "utime": .attribute(path: 0), "utimes": .attribute(path: 0),
    "futimesat": .attribute(path: 1, directory: 0),
    "utimensat": .attribute(path: 1, directory: 0, flags: 3),
    "setxattr": .attribute(path: 0), "removexattr": .attribute(path: 0),
    "lsetxattr": .attribute(path: 0, followsLink: false),
    "lremovexattr": .attribute(path: 0, followsLink: false),
    "fchmod": .attributeOfDescriptor, "fchown": .attributeOfDescriptor,
    "fsetxattr": .attributeOfDescriptor, "fremovexattr": .attributeOfDescriptor,
    "access": .access(path: 0, mode: 1), "faccessat": .access(path: 1, directory: 0, mode: 2),
    "faccessat2": .access(path: 1, directory: 0, mode: 2),
    "statfs": .question, "fstatfs": .questionOfDescriptor, "mmap": .map,
    "fsync": .sync, "fdatasync": .sync, "syncfs": .syncDisk, "sync": .syncAll,
    "msync": .syncMapping, "mprotect": .protect, "pkey_mprotect": .protect, "mremap": .remap,
    "sync_file_range": .flush,
  ]

  /// The calls by number.
  static let calls: [Int: DiskCall] = Dictionary(
    uniqueKeysWithValues: table.compactMap { name, call in
      SystemCallTable.current.number(of: name).map { ($0, call) }
    })

  /// FICLONE and FICLONERANGE of `linux/fs.h`.
  static let cloneRequests: [UInt32] = [0x4004_9409, 0x4020_940d]

  /// Returns the rule for the calls of this kind that matter to a disk.
  ///
  /// - Parameter openFlags: the flags of open(2) that matter.
  func filterRule(openFlags: UInt64) -> FilterRule {
    switch self {
    case .open(_, _, let flags):
      .traceIfAnySet(argument: flags, bits: UInt32(openFlags))
    case .clone: .traceIfAmong([ArgumentValues(argument: 1, values: Self.cloneRequests)])
    case .access(_, _, let mode): .traceIfAnySet(argument: mode, bits: UInt32(W_OK))
    // MAP_SHARED and MAP_SHARED_VALIDATE of mmap(2).
    case .map: .traceIfAnySet(argument: 3, bits: UInt32(MAP_SHARED))
    case .protect: .traceIfAnySet(argument: 2, bits: UInt32(PROT_WRITE))
    // MS_SYNC of msync(2).
    case .syncMapping: .traceIfAnySet(argument: 2, bits: UInt32(MS_SYNC))
    default: .trace
    }
  }
}

extension DiskCall {
  /// The facts about files that a scenario must follow beyond what it decides about.
  struct Needs: Equatable {
    /// The room that files take.
    var room = false
    /// The changes that were not made durable.
    var unsynced = false
    /// The same of names.
    var names = false
  }

  /// Returns whether calls of this kind must be seen for such needs.
  func matters(to needs: Needs) -> Bool {
    switch self {
    case .write, .transfer, .allocate, .resize, .resizePath, .clone, .open, .openWithStructure,
      .create, .map:
      needs.room || needs.unsynced
    case .makeFolder, .makeLink, .remove: needs.room || needs.names
    // Files come by them from folders that are not followed.
    case .move, .link: needs.room || needs.names || needs.unsynced
    case .makeNode, .bind: needs.names
    case .protect, .remap, .sync, .flush, .syncDisk, .syncAll, .syncMapping: needs.unsynced
    case .attribute, .attributeOfDescriptor, .access, .question, .questionOfDescriptor: false
    }
  }
}
