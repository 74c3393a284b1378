internal import Glibc

/// The changes of a system call to files, and which of its arguments describe them; arguments count
/// from 0.
enum FileCall: Equatable {
  /// Writes bytes to a descriptor.
  case write(descriptor: Int)
  /// Changes the size of an open file, or what it has on disk.
  case resize(descriptor: Int, mayBeIdle: Bool = false)
  /// Changes the size of what a path names.
  case resizePath(Int)
  /// Copies extents into a descriptor's file, if the request is one of those (ioctl_ficlonerange(2)).
  case cloneRange(descriptor: Int)
  /// Opens a path, or what a handle means, with flags.
  case open(path: Int?, directory: Int? = nil, flags: Int)
  /// Opens a path, with a `struct open_how` that begins with the flags.
  case openWithStructure(path: Int, directory: Int, Int)
  /// Opens a file that it makes or empties.
  case create
  /// Opens a file that it makes, without a name.
  case createNameless
  /// Makes something with a name.
  case makeEntry(path: Int, directory: Int? = nil)
  /// Adds, removes or changes the entry of a folder; what it leads to keeps its times.
  case changeEntry(path: Int, directory: Int? = nil)
  /// Changes entries of two folders, or two of one.
  case moveEntry(from: Int, fromFolder: Int? = nil, to: Int, toFolder: Int? = nil)
  /// Gives a socket an address, which may be a path.
  case bind(address: Int)
  /// Sets times: NULL means now, and so may each of two timespecs.
  case setTimes(path: Int, directory: Int? = nil, times: Int, flags: Int? = nil)

  /// The calls that change files, by the kernel's names.
  static let table: [String: FileCall] = [
    "write": .write(descriptor: 0), "pwrite64": .write(descriptor: 0),
    "writev": .write(descriptor: 0), "pwritev": .write(descriptor: 0),
    "pwritev2": .write(descriptor: 0), "sendfile": .write(descriptor: 0),
    "copy_file_range": .write(descriptor: 2), "splice": .write(descriptor: 2),
    "ftruncate": .resize(descriptor: 0),
    // What fallocate(2) does to the times is each filesystem's own.
    "fallocate": .resize(descriptor: 0, mayBeIdle: true),
    "truncate": .resizePath(0), "ioctl": .cloneRange(descriptor: 0),
    "open": .open(path: 0, flags: 1), "openat": .open(path: 1, directory: 0, flags: 2),
    "open_by_handle_at": .open(path: nil, flags: 2),
    "openat2": .openWithStructure(path: 1, directory: 0, 2), "creat": .create,
    "memfd_create": .createNameless,
    "mkdir": .makeEntry(path: 0), "mkdirat": .makeEntry(path: 1, directory: 0),
    "mknod": .makeEntry(path: 0), "mknodat": .makeEntry(path: 1, directory: 0),
    "symlink": .makeEntry(path: 1), "symlinkat": .makeEntry(path: 2, directory: 1),
    "link": .changeEntry(path: 1), "linkat": .changeEntry(path: 3, directory: 2),
    "unlink": .changeEntry(path: 0), "unlinkat": .changeEntry(path: 1, directory: 0),
    "rmdir": .changeEntry(path: 0),
    "rename": .moveEntry(from: 0, to: 1),
    "renameat": .moveEntry(from: 1, fromFolder: 0, to: 3, toFolder: 2),
    "renameat2": .moveEntry(from: 1, fromFolder: 0, to: 3, toFolder: 2),
    "bind": .bind(address: 1),
    "utime": .setTimes(path: 0, times: 1), "utimes": .setTimes(path: 0, times: 1),
    "futimesat": .setTimes(path: 1, directory: 0, times: 2),
    "utimensat": .setTimes(path: 1, directory: 0, times: 2, flags: 3),
  ]

  /// The rule of the calls of this kind that the supervisor must see.
  var filterRule: FilterRule {
    switch self {
    case .open(_, _, let flags):
      .traceIfAnySet(argument: flags, bits: UInt32(OpenFlags.thatChange))
    case .cloneRange:
      .traceIfAmong([ArgumentValues(argument: 1, values: [Self.clone, Self.cloneRangeRequest])])
    default:
      .trace
    }
  }

  /// FICLONE and FICLONERANGE of `linux/fs.h`.
  private static let clone: UInt32 = 0x4004_9409
  private static let cloneRangeRequest: UInt32 = 0x4020_940d
}

/// Flags of open(2), as `asm-generic/fcntl.h` has them.
enum OpenFlags {
  static let create: UInt64 = 0x40
  /// O_CREAT with O_EXCL: a file that was there before is an error.
  static let createOnly: UInt64 = 0xc0
  static let truncate: UInt64 = 0x200
  static let path: UInt64 = 0x20_0000
  /// `__O_TMPFILE`, the bit of O_TMPFILE that is not O_DIRECTORY's.
  static let nameless: UInt64 = 0x40_0000

  /// The flags with which opening changes times.
  static let thatChange = create | truncate | nameless
}

// MARK: - What a call changes

extension FileCall {
  /// Returns the changes of a call of this kind; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - registers: its arguments.
  ///   - memory: the memory that they point into.
  func changes(_ registers: Registers, _ memory: TargetMemory) -> FileChanges? {
    switch self {
    case .write(let index):
      return FileChanges(
        first: .descriptor(descriptor(index, registers), .modification), success: .positive)
    case .resize(let index, let mayBeIdle):
      return FileChanges(
        first: .descriptor(descriptor(index, registers), .modification), mayBeIdle: mayBeIdle)
    case .resizePath(let index):
      // truncate(2) leaves the times alone where the size stays.
      return FileChanges(
        first: .path(path(index, nil, registers), followsLink: true, .modification),
        mayBeIdle: true)
    case .cloneRange(let index):
      let request = UInt32(truncatingIfNeeded: registers[argument: 1])
      guard request == Self.clone || request == Self.cloneRangeRequest else { return nil }
      return FileChanges(
        first: .descriptor(descriptor(index, registers), .modification), mayBeIdle: true)
    case .open(let place, let directory, let index):
      return opening(
        place.map { path($0, directory, registers) }, flags: registers[argument: index])
    case .openWithStructure(let place, let directory, let index):
      return opening(
        path(place, directory, registers),
        flags: memory.read(UInt64.self, at: registers[argument: index]) ?? 0)
    case .create:
      return opening(path(0, nil, registers), flags: OpenFlags.create | OpenFlags.truncate)
    case .createNameless:
      return opening(nil, flags: OpenFlags.nameless)
    case .makeEntry(let index, let directory):
      return FileChanges(first: .newEntry(path(index, directory, registers)))
    case .changeEntry(let index, let directory):
      return FileChanges(first: .folder(path(index, directory, registers)))
    case .moveEntry(let from, let fromFolder, let to, let toFolder):
      // rename(2) of one file's name to another of its names does nothing.
      return FileChanges(
        first: .folder(path(from, fromFolder, registers)),
        second: .folder(path(to, toFolder, registers)), mayBeIdle: true)
    case .bind(let index):
      return binding(registers[argument: index], registers[argument: index + 1], memory)
    case .setTimes(let index, let directory, let times, let flags):
      return settingTimes(path(index, directory, registers), times, flags, registers, memory)
    }
  }

  private func descriptor(_ index: Int, _ registers: Registers) -> Int32 {
    Int32(truncatingIfNeeded: registers[argument: index])
  }

  private func path(_ index: Int, _ directory: Int?, _ registers: Registers) -> PathArgument {
    PathArgument(
      address: registers[argument: index],
      directory: directory.map { descriptor($0, registers) } ?? AT_FDCWD)
  }

  private func opening(_ path: PathArgument?, flags: UInt64) -> FileChanges? {
    // open(2): with O_PATH all but three other flags are ignored.
    guard flags & OpenFlags.thatChange != 0, flags & OpenFlags.path == 0 else { return nil }
    // Whether a file was there before is not known, as a rule: its times tell.
    var certain: FileTimeSet = []
    if flags & OpenFlags.truncate != 0 { certain = .modification }
    let hasName = flags & OpenFlags.nameless == 0
    if !hasName || flags & OpenFlags.createOnly == OpenFlags.createOnly { certain = .all }
    return FileChanges(
      first: .opened(
        hasName ? path : nil, creates: hasName && flags & OpenFlags.create != 0, certain: certain))
  }

  private func binding(
    _ address: UInt64, _ length: UInt64, _ memory: TargetMemory
  ) -> FileChanges? {
    // unix(7): the family, two bytes, then the path; an abstract name begins with a zero byte, and
    // the longest path, of 108 bytes, needs no zero at its end.
    let pathLength = Int(UInt32(truncatingIfNeeded: length)) - 2
    guard (1...108).contains(pathLength),
      let family = memory.read(UInt16.self, at: address), Int32(family) == AF_UNIX,
      let first = memory.read(UInt8.self, at: address &+ 2), first != 0
    else { return nil }
    return FileChanges(
      first: .newEntry(
        PathArgument(address: address &+ 2, directory: AT_FDCWD, length: pathLength)))
  }

  private func settingTimes(
    _ path: PathArgument, _ timesIndex: Int, _ flagsIndex: Int?, _ registers: Registers,
    _ memory: TargetMemory
  ) -> FileChanges? {
    var set = FileTimeSet.all
    let times = registers[argument: timesIndex]
    if times != 0 {
      // utimensat(2): only its own structure can say "now" for one of the two.
      guard flagsIndex != nil, let access = memory.read(Int64.self, at: times &+ 8),
        let modification = memory.read(Int64.self, at: times &+ 24)
      else { return nil }
      set = []
      if access == Self.now { set.insert(.access) }
      if modification == Self.now { set.insert(.modification) }
      guard !set.isEmpty else { return nil }
    }
    let flags = flagsIndex.map { Int32(truncatingIfNeeded: registers[argument: $0]) } ?? 0
    let namesDescriptor =
      path.address == 0
      || flags & PathFlags.emptyPath != 0 && memory.read(UInt8.self, at: path.address) == 0
    if namesDescriptor, path.directory != AT_FDCWD {
      return FileChanges(first: .descriptor(path.directory, set))
    }
    return FileChanges(first: .path(path, followsLink: flags & AT_SYMLINK_NOFOLLOW == 0, set))
  }

  /// UTIME_NOW of `linux/stat.h`.
  private static let now: Int64 = 0x3fff_ffff
}
