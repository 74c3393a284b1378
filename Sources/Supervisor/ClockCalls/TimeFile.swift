internal import CSupervisor
internal import Glibc

/// The last name of a path in a target's memory, if the path may lead to a file that tells a time.
///
/// Every open of the target is compared, so none is copied.
struct TimeFileName {
  /// The address of a name for an anonymous file: the path, or where that is too long for it, its last name.
  let address: UInt64

  /// Reads a path; `nil` if it leads to another file.
  ///
  /// - Parameter path: its address.
  init?(ofPath path: UInt64, in memory: TargetMemory) {
    // Not beyond the page: the next one may not be mapped.
    let room = Int(256 - path % 256)
    let found: (length: Int, name: Int?)? = withUnsafeTemporaryAllocation(
      byteCount: room, alignment: 1
    ) { buffer in
      guard memory.read(buffer, at: path), let start = buffer.baseAddress else { return nil }
      let length = strnlen(start.assumingMemoryBound(to: CChar.self), room)
      guard length < room else { return nil }
      return (length, Self.find(in: UnsafeRawBufferPointer(rebasing: buffer[..<length])))
    }
    guard let (length, name) = found ?? Self.findInLong(path, memory), let name else { return nil }
    address = length > Self.lengthLimit ? path &+ UInt64(name) : path
  }

  /// memfd_create(2): a name has no more bytes.
  private static let lengthLimit = 249

  private static func findInLong(
    _ path: UInt64, _ memory: TargetMemory
  ) -> (length: Int, name: Int?)? {
    memory.readText(at: path).map { text in
      let bytes = Array(text.utf8)
      return (bytes.count, bytes.withUnsafeBytes { find(in: $0) })
    }
  }

  /// Returns where the last name of a path begins; `nil` if it is not one of those.
  static func find(in path: UnsafeRawBufferPointer) -> Int? {
    var start = path.count
    while start > 0, path[start - 1] != UInt8(ascii: "/") { start -= 1 }
    let name = UnsafeRawBufferPointer(rebasing: path[start...])
    guard let first = name.first, let place = name.baseAddress else { return nil }
    // proc(5): names of open files are numbers.
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    if digits ~= first { return name.allSatisfy { digits ~= $0 } ? start : nil }
    guard 4...6 ~= name.count else { return nil }
    let isOne = names.contains {
      $0.utf8CodeUnitCount == name.count && memcmp($0.utf8Start, place, name.count) == 0
    }
    return isOne ? start : nil
  }

  /// The names of those files, and of links to open files (/dev/stdin).
  private static let names: [StaticString] = [
    "stat", "uptime", "utmp", "stdin", "stdout", "stderr",
  ]
}

/// A file that tells a time of the machine's, and that a thread of the target has opened.
struct TimeFile {
  enum Kind: Equatable {
    /// /proc/uptime.
    case uptime
    /// /proc/stat, whose line `btime` has the start time of the machine.
    case machine
    /// /proc/PID/stat, or a thread's, whose 22nd field has the start time of the process.
    case process
    /// /run/utmp: when the machine has started, and who has logged in.
    case logins
  }

  let kind: Kind
  /// The path that the kernel knows it by.
  let path: String
  /// Its length in bytes.
  let size: Int64
  private let file: FileHandle

  /// Looks at the file behind a descriptor of a stopped thread; `nil` if it tells no time.
  init?(behind descriptor: Int, of thread: ThreadIdentifier) {
    guard
      let file = try? TargetPaths(thread: thread)
        .file(behind: Int32(truncatingIfNeeded: descriptor)),
      let status = file.status, status.isRegular
    else { return nil }
    let path = String(decoding: file.path, as: UTF8.self)
    let identity = FileIdentity(status)
    let isOfProcesses = scenario_shows_processes(file.descriptor) == 1
    // In all mounts of the file system, what is not a process's has one number. A container may
    // have a mount over it (lxcfs).
    func isProcessFile(_ place: String) -> Bool {
      path == place || isOfProcesses && identity.inode == FileIdentity(path: place)?.inode
    }
    switch path.split(separator: "/").last {
    case "uptime" where isProcessFile("/proc/uptime"): kind = .uptime
    case "stat" where isProcessFile("/proc/stat"): kind = .machine
    case "stat" where isOfProcesses: kind = .process
    case "utmp" where Self.isRecordOfLogins(identity, seenBy: thread): kind = .logins
    default: return nil
    }
    self.path = path
    self.file = file
    size = Int64(status.st_size)
  }

  /// Returns whether a file is that of the records, in the root folder that a thread has.
  private static func isRecordOfLogins(
    _ identity: FileIdentity, seenBy thread: ThreadIdentifier
  ) -> Bool {
    ["/run/utmp", "/var/run/utmp"].contains { place in
      let file = try? TargetPaths(thread: thread).file(at: Array(place.utf8), from: AT_FDCWD)
      return file?.status.map { FileIdentity($0) } == identity
    }
  }

  /// Reads the file; `nil` if it cannot be read.
  func bytes() -> [UInt8]? { SmallFile.bytes("/proc/self/fd/\(file.descriptor)") }

  /// The same as text.
  func text() -> String? { SmallFile.read("/proc/self/fd/\(file.descriptor)") }
}
