/// A lock that is held on a file, from a line of /proc/PID/fdinfo/N (proc(5): `lock:`).
///
/// Unlike /proc/locks, these lines show which processes can release the lock: all that have the
/// open file, for flock(2) and F_OFD_SETLK; the process itself, for F_SETLK. The process that took
/// it may have ended long ago.
struct FileLock: Hashable {
  /// Locks of different families do not see each other, but for the two of fcntl(2).
  enum Family: Hashable {
    /// flock(2): belongs to the open file.
    case whole
    /// F_SETLK of fcntl(2): belongs to the process.
    case ofProcess
    /// F_OFD_SETLK of fcntl(2): belongs to the open file.
    case ofOpenFile
  }

  /// Its family.
  var family: Family
  /// True if it excludes all other locks.
  var isExclusive: Bool
  /// The process that took it; not positive where the kernel does not say.
  var taker: Int32
  /// Its first byte.
  var start: Int64
  /// Its last byte.
  var end: Int64

  /// Reads the words behind `lock:`, as in `1: POSIX ADVISORY WRITE 4711 fd:01:42 0 EOF`; `nil` for leases,
  /// and for what is no lock.
  init?(words: [Substring]) {
    guard words.count > 7, let taker = Int32(words[4]), let start = Int64(words[6]) else {
      return nil
    }
    switch words[1] {
    case "FLOCK": family = .whole
    case "POSIX": family = .ofProcess
    case "OFDLCK": family = .ofOpenFile
    default: return nil
    }
    isExclusive = words[3] == "WRITE"
    self.taker = taker
    self.start = start
    end = words[7] == "EOF" ? .max : Int64(words[7]) ?? .max
  }

  init(family: Family, isExclusive: Bool, start: Int64 = 0, end: Int64 = .max) {
    self.family = family
    self.isExclusive = isExclusive
    taker = 0
    self.start = start
    self.end = end
  }

  /// The locks in the text of a descriptor's fdinfo.
  static func held(in text: String) -> [FileLock] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      return words.first == "lock:" ? FileLock(words: Array(words.dropFirst())) : nil
    }
  }

  /// Returns whether one of the two has to wait for the other, if different ones hold them.
  func conflicts(with other: FileLock) -> Bool {
    (family == .whole) == (other.family == .whole) && (isExclusive || other.isExclusive)
      && start <= other.end && other.start <= end
  }
}

/// A lock that a thread waits for in flock(2) or fcntl(2).
struct LockRequest {
  /// The file's descriptor.
  var descriptor: Int32
  /// The lock.
  var lock: FileLock

  /// Reads a call's arguments; `nil` if it does not wait for a lock, or if that cannot be
  /// determined.
  ///
  /// - Parameters:
  ///   - memory: the caller's memory.
  ///   - position: where a range begins that counts from the current position, or from the end.
  init?(_ call: BlockedCall, _ memory: TargetMemory?, position: (Int16, Int32) -> Int64?) {
    descriptor = Int32(truncatingIfNeeded: call.arguments[0])
    guard call.name == "fcntl" else {
      // LOCK_EX.
      lock = FileLock(family: .whole, isExclusive: call.arguments[1] & 2 != 0)
      return
    }
    let command = Int32(truncatingIfNeeded: call.arguments[1])
    guard [Self.setAndWait, Self.setAndWaitOfOpenFile].contains(command),
      let record = memory?.read(Record.self, at: call.arguments[2]),
      let base = record.origin == 0 ? 0 : position(record.origin, descriptor)
    else { return nil }
    let family: FileLock.Family = command == Self.setAndWait ? .ofProcess : .ofOpenFile
    var start = base.addingReportingOverflow(record.start).partialValue
    var end = Int64.max
    if record.length > 0 {
      let sum = start.addingReportingOverflow(record.length - 1)
      end = sum.overflow ? .max : sum.partialValue
    } else if record.length < 0 {
      end = start &- 1
      start = start &+ record.length
    }
    // F_WRLCK.
    lock = FileLock(family: family, isExclusive: record.kind == 1, start: start, end: end)
  }

  /// F_SETLKW of fcntl(2).
  private static let setAndWait: Int32 = 7
  /// F_OFD_SETLKW.
  private static let setAndWaitOfOpenFile: Int32 = 38

  /// `struct flock`, where `off_t` has 64 bits.
  private struct Record: BitwiseCopyable {
    var kind: Int16
    var origin: Int16
    var padding: Int32
    var start: Int64
    var length: Int64
    var process: Int64
  }
}
