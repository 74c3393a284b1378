internal import Foundations

/// A call that may wait, and whose arguments have the length, read from outside of the thread.
///
/// It describes waits that the supervisor does not hold: those that it holds have no timeout in the
/// kernel.
struct NativeWait: Equatable {
  /// The form of the length in the arguments.
  enum Length: Equatable {
    /// This length.
    case known(Nanoseconds)
    /// The value of a timespec at this address; the instant of the end, if it is absolute.
    case timespec(UInt64, isAbsolute: Bool)
    /// The value of a timeval at this address.
    case timeval(UInt64)
    /// The kernel has stored it, in an interrupted call that continues.
    case hidden
  }

  /// The call's number.
  var systemCall: Int
  /// The length of the wait.
  var length: Length

  /// Reads a call's arguments; `nil` if it does not wait, or for no time that passes by itself.
  init?(systemCall: Int, arguments: [UInt64]) {
    guard arguments.count >= 6,
      let length = Self.length(SystemCallTable.current.name(of: systemCall), arguments)
    else { return nil }
    self.systemCall = systemCall
    self.length = length
  }

  /// Reads a call in which a thread sleeps.
  init?(_ call: BlockedCall) {
    self.init(systemCall: call.number, arguments: call.arguments)
  }

  /// Returns the timeout of a call, from the argument that section 2 of the manual names.
  private static func length(_ name: String, _ arguments: [UInt64]) -> Length? {
    switch name {
    case "nanosleep": pointed(arguments[0], isAbsolute: false)
    case "clock_nanosleep":
      // The clocks of processes and threads tell of computing, which is real.
      ClockKind(number: arguments[0]) == nil
        ? nil : pointed(arguments[2], isAbsolute: arguments[1] & 1 != 0)
    case "poll": milliseconds(arguments[2])
    case "epoll_wait", "epoll_pwait": milliseconds(arguments[3])
    case "ppoll", "rt_sigtimedwait": pointed(arguments[2], isAbsolute: false)
    case "epoll_pwait2", "semtimedop": pointed(arguments[3], isAbsolute: false)
    case "pselect6", "recvmmsg", "io_getevents", "io_pgetevents":
      pointed(arguments[4], isAbsolute: false)
    case "select": arguments[4] == 0 ? nil : .timeval(arguments[4])
    case "mq_timedsend", "mq_timedreceive": pointed(arguments[4], isAbsolute: true)
    case "futex_waitv": pointed(arguments[3], isAbsolute: true)
    case "futex_wait": pointed(arguments[4], isAbsolute: true)
    case "futex": futex(arguments)
    case "restart_syscall": .hidden
    default: nil
    }
  }

  private static func futex(_ arguments: [UInt64]) -> Length? {
    switch arguments[1] & 127 {
    case 0: pointed(arguments[3], isAbsolute: false)
    case 6, 9, 11, 13: pointed(arguments[3], isAbsolute: true)
    default: nil
    }
  }

  private static func pointed(_ address: UInt64, isAbsolute: Bool) -> Length? {
    address == 0 ? nil : .timespec(address, isAbsolute: isAbsolute)
  }

  private static func milliseconds(_ argument: UInt64) -> Length? {
    let count = Int32(truncatingIfNeeded: argument)
    return count > 0 ? .known(.milliseconds(Int64(count))) : nil
  }
}

extension NativeWait {
  /// Returns the length of the wait, from memory where needed; `nil` if that has none.
  func length(in memory: TargetMemory?) -> Nanoseconds? {
    switch length {
    case .known(let length): return length
    case .timespec(let address, isAbsolute: false):
      return memory?.read(TimeValue.self, at: address)?.length
    case .timeval(let address):
      guard let time = memory?.read(TimeValue.self, at: address) else { return nil }
      return .seconds(time.seconds) + .microseconds(time.fraction)
    case .timespec(_, isAbsolute: true), .hidden: return nil
    }
  }
}
