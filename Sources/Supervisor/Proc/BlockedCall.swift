/// The system call in which a thread sleeps.
struct BlockedCall: Equatable {
  /// Its number.
  var number: Int
  /// Its arguments, 0 … 5.
  var arguments: [UInt64]

  /// Its name.
  var name: String { SystemCallTable.current.name(of: number) }

  init(number: Int, arguments: [UInt64]) {
    self.number = number
    self.arguments = arguments
  }

  /// The call that a stopped thread was about to make.
  init(_ registers: Registers) {
    self.init(number: registers.systemCall, arguments: (0..<6).map { registers[argument: $0] })
  }

  /// Reads the bytes of /proc/PID/task/TID/syscall (proc(5)): the number, the arguments in hexadecimal, stack
  /// pointer and program counter; `nil` for "running", and for a thread that sleeps in no call.
  init?(text: some Collection<UInt8>) {
    let words = text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    guard words.count == 9, let number = Int(String(decoding: words[0], as: UTF8.self)),
      number >= 0
    else { return nil }
    self.number = number
    arguments = []
    for word in words[1...6] {
      guard let value = UInt64(String(decoding: word.dropFirst(2), as: UTF8.self), radix: 16)
      else { return nil }
      arguments.append(value)
    }
  }

  /// Returns whether a stopped thread is at the end of this call.
  func isCall(of registers: Registers) -> Bool {
    registers.systemCall == number
      && (0..<6).allSatisfy { registers[argument: $0] == arguments[$0] }
  }

  /// The condition that may end a call.
  enum Awaited {
    /// An event on one of these descriptors.
    case descriptors([Int32])
    /// Whoever has the memory at one of these addresses.
    case lock([UInt64])
    /// A child.
    case child
    /// A signal.
    case signal
    /// The release of a lock on a file.
    case fileLock
    /// The opening of the other end of a fifo, if the path leads to one.
    case opening(PathArgument)
    /// A condition that cannot be determined.
    case unknown
  }

  /// Returns the condition that the call waits for.
  ///
  /// - Parameters:
  ///   - memory: the caller's memory, for lists of descriptors.
  ///   - members: the descriptors in an epoll set.
  func awaited(_ memory: TargetMemory?, members: (Int32) -> [Int32]) -> Awaited {
    let first = Int32(truncatingIfNeeded: arguments[0])
    switch name {
    case "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "pwrite64", "pwritev",
      "pwritev2", "recvfrom", "recvmsg", "recvmmsg", "sendto", "sendmsg", "sendmmsg", "accept",
      "accept4", "connect":
      return .descriptors([first])
    case "sendfile", "splice", "tee", "copy_file_range":
      return .descriptors([first, Int32(truncatingIfNeeded: arguments[name == "splice" ? 2 : 1])])
    case "poll", "ppoll":
      return .descriptors(pollDescriptors(memory))
    case "select", "pselect6":
      return .descriptors(selectDescriptors(memory))
    case "epoll_wait", "epoll_pwait", "epoll_pwait2":
      return .descriptors(members(first))
    case "futex", "futex_wait": return .lock([arguments[0]])
    case "futex_waitv":
      // At most 128 waits, of 24 bytes each, with the address behind the value (linux/futex.h: FUTEX_WAITV_MAX).
      return .lock(
        (0..<min(arguments[1] & 0xffff_ffff, 128)).compactMap { index in
          memory?.read(UInt64.self, at: arguments[0] &+ index * 24 &+ 8)
        })
    case "wait4", "waitid": return .child
    case "pause", "rt_sigsuspend", "rt_sigtimedwait": return .signal
    case "flock", "fcntl": return .fileLock
    case "open", "creat":
      return .opening(PathArgument(address: arguments[0], directory: Self.workingFolder))
    case "openat", "openat2":
      return .opening(PathArgument(address: arguments[1], directory: first))
    default: return .unknown
    }
  }

  /// True if the call waits for events on descriptors and names none: poll(2), select(2).
  var awaitsNothing: Bool {
    switch name {
    case "poll", "ppoll": arguments[1] & 0xffff_ffff == 0
    case "select", "pselect6":
      arguments[0] & 0xffff_ffff == 0 || arguments[1...3].allSatisfy { $0 == 0 }
    default: false
    }
  }

  /// The largest number of descriptors of poll(2) and select(2) that are read.
  private static let descriptorLimit = 1_024

  /// True if the call waits for more descriptors than are read.
  var awaitsMoreThanIsRead: Bool {
    switch name {
    case "poll", "ppoll": arguments[1] & 0xffff_ffff > Self.descriptorLimit
    case "select", "pselect6":
      Int(Int32(truncatingIfNeeded: arguments[0])) > Self.descriptorLimit
    default: false
    }
  }

  /// AT_FDCWD of `linux/fcntl.h`.
  private static let workingFolder: Int32 = -100

  /// poll(2): an array of `struct pollfd`, eight bytes each; negative descriptors are ignored.
  private func pollDescriptors(_ memory: TargetMemory?) -> [Int32] {
    let count = min(Int(arguments[1] & 0xffff_ffff), Self.descriptorLimit)
    return (0..<count).compactMap { index in
      memory?.read(Int32.self, at: arguments[0] &+ UInt64(index * 8))
    }.filter { $0 >= 0 }
  }

  /// select(2): three sets of bits.
  private func selectDescriptors(_ memory: TargetMemory?) -> [Int32] {
    let count = min(max(0, Int(Int32(truncatingIfNeeded: arguments[0]))), Self.descriptorLimit)
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for set in arguments[1...3] where set != 0 {
      for index in words.indices {
        words[index] |= memory?.read(UInt64.self, at: set &+ UInt64(index * 8)) ?? 0
      }
    }
    return (0..<count).filter { words[$0 / 64] & (1 << UInt64($0 % 64)) != 0 }.map(Int32.init)
  }
}
