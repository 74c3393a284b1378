internal import CSupervisor
internal import Foundations
internal import Glibc

/// The replacements of /proc/uptime: anonymous files (memfd_create(2)), one for each open of the
/// target, which show the boot clock.
///
/// Programs like top(1) open it once and read it again and again, so files stay up to date; all but
/// the newest are forgotten, and keep what they showed.
struct UptimeFiles: ~Copyable {
  /// The resolution of /proc/uptime.
  static let resolution = Nanoseconds.milliseconds(10)

  /// The number of files that are kept up to date.
  static let limit = 8

  /// `MFD_` flags with which the target's files are made, besides MFD_CLOEXEC.
  let creationFlags: UInt64
  private var descriptors: [Int32] = []
  /// The time that the files show, in steps of the resolution.
  private var shown: Int64?

  init() {
    // MFD_NOEXEC_SEAL: the setting vm.memfd_noexec may demand it.
    creationFlags = scenario_knows_unexecutable_files() != 0 ? 0x8 : 0
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  /// True if there is nothing to keep up to date.
  var isEmpty: Bool { descriptors.isEmpty }

  /// Opens the file behind a descriptor of a stopped thread; `nil` if it is not one of these, as another
  /// thread may have put something else in its place.
  ///
  /// By way of /proc, as a thread may have descriptors of its own (CLONE_FILES of unshare(2)).
  static func open(
    descriptor: Int, of thread: ThreadIdentifier, named name: String = "/proc/uptime"
  ) -> Int32? {
    let path = "/proc/\(thread.number)/fd/\(descriptor)"
    guard SmallFile.link(path) == "/memfd:\(name) (deleted)" else { return nil }
    let file = ProcessOwner.retrying(path) { Glibc.open(path, O_RDWR | O_CLOEXEC) }
    return file < 0 ? nil : file
  }

  /// Fills a new file and keeps it up to date from now on.
  ///
  /// - Parameters:
  ///   - descriptor: what `open` returned; it is closed here.
  ///   - boot: what the boot clock shows.
  mutating func add(_ descriptor: Int32, boot: Nanoseconds) {
    if descriptors.count >= Self.limit { close(descriptors.removeFirst()) }
    descriptors.append(descriptor)
    shown = nil
    refresh(boot: boot)
  }

  /// Writes what the boot clock shows into all files, if they show something else.
  mutating func refresh(boot: Nanoseconds) {
    guard !descriptors.isEmpty, shown != boot.count / Self.resolution.count else { return }
    shown = boot.count / Self.resolution.count
    var text = Self.text(boot: boot)
    text.withUTF8 { bytes in
      for descriptor in descriptors { pwrite(descriptor, bytes.baseAddress, bytes.count, 0) }
    }
  }

  /// Returns the content of /proc/uptime (proc(5)): seconds since the start, and seconds that
  /// processors were idle, for which the same number is given, as if one of them had done nothing
  /// else.
  static func text(boot: Nanoseconds) -> String {
    let hundredths = boot.count / resolution.count
    let rest = hundredths % 100
    let number = "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    return "\(number) \(number)\n"
  }
}

/// An open for reading of a file in whose place an anonymous one would do as well.
struct PlainOpening {
  /// Flags with which an anonymous file does as well: O_CLOEXEC, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW,
  /// O_NOATIME, O_LARGEFILE, and O_RDONLY, which is 0.
  static let harmlessFlags = UInt32(
    O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | noAccessTime | largeFile)
  private static let noAccessTime: Int32 = 0o1000000
  // For 64-bit programs libc's O_LARGEFILE is 0; the kernel's is this.
  private static let largeFile: Int32 = 0o100000

  /// True if the descriptor closes at exec.
  let closesAtExec: Bool
  /// The address of the path.
  let pathAddress: UInt64

  /// Reads a call; `nil` if it opens in another way.
  init?(_ registers: Registers, _ memory: TargetMemory) {
    let flags: UInt64
    switch registers.systemCall {
    case SystemCallNumber.open:
      pathAddress = registers[argument: 0]
      flags = registers[argument: 1] & UInt64(UInt32.max)
    case SystemCallNumber.openat:
      pathAddress = registers[argument: 1]
      flags = registers[argument: 2] & UInt64(UInt32.max)
    default:
      pathAddress = registers[argument: 1]
      // openat2(2): the other bits of `resolve` forbid to go to /proc from anywhere.
      let harmlessResolution: UInt64 = 0x2 | 0x4  // RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS
      guard registers[argument: 3] == UInt64(MemoryLayout<OpenHow>.size),
        let how = memory.read(OpenHow.self, at: registers[argument: 2]), how.mode == 0,
        how.resolve & ~harmlessResolution == 0
      else { return nil }
      flags = how.flags
    }
    guard flags & ~UInt64(Self.harmlessFlags) == 0 else { return nil }
    closesAtExec = flags & UInt64(O_CLOEXEC) != 0
  }

  /// `struct open_how` of openat2(2).
  private struct OpenHow: BitwiseCopyable {
    var flags: UInt64
    var mode: UInt64
    var resolve: UInt64
  }
}

/// An open of /proc/uptime for reading.
struct UptimeOpening {
  /// True if the descriptor closes at exec.
  let closesAtExec: Bool
  /// The address of the path.
  let pathAddress: UInt64

  /// Reads a call; `nil` if it opens something else, or in another way.
  init?(_ registers: Registers, _ memory: TargetMemory) {
    guard let opening = PlainOpening(registers, memory),
      let path = memory.read(PathBytes.self, at: opening.pathAddress), path.areUptime
    else { return nil }
    closesAtExec = opening.closesAtExec
    pathAddress = opening.pathAddress
  }

  /// A buffer of as many bytes as the path has, with its final zero; every open is compared, so
  /// none is copied.
  private struct PathBytes: BitwiseCopyable {
    var first: UInt64
    var second: UInt32
    var third: UInt8

    /// True if they are "/proc/up", "time" and the zero, on a machine that counts bytes from the low end.
    var areUptime: Bool {
      first == 0x7075_2f63_6f72_702f && second == 0x656d_6974 && third == 0
    }
  }
}
