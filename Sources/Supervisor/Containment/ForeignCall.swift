internal import Glibc

/// A call that may reach processes which are not of the scenario.
struct ForeignCall: Equatable {
  /// The receiver of a call.
  enum Receiver: Equatable {
    /// The process of a number, or the thread: the kernel takes both, as a rule.
    case process(Int32)
    /// The process of a descriptor (pidfd_open(2)).
    case descriptor(Int32)
    /// The process group that the process of a descriptor is in.
    case groupOfDescriptor(Int32)
    /// A process group; 0 is the caller's own.
    case group(Int32)
    /// Each process that the caller may signal (kill(2): −1).
    case everybody
  }

  /// The effect of a call on its receiver.
  enum Deed: Equatable {
    /// Sends a signal, or checks whether it could.
    case signal
    /// Makes the kernel send signals later (fcntl(2): F_SETOWN).
    case ownership
    /// Reads the process, holds it, or changes how it may run.
    case access
  }

  /// The receiver of the call.
  var receiver: Receiver
  /// The effect on the receiver.
  var deed: Deed

  /// Reads a call; `nil` for one that concerns no process, or only the caller.
  ///
  /// - Parameters:
  ///   - number: the system call.
  ///   - arguments: its arguments.
  ///   - word: reads two C ints of the caller's memory.
  init?(
    _ number: Int, _ arguments: (Int) -> UInt64, word: (UInt64) -> (Int32, Int32)?
  ) {
    func int(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: arguments(index)) }
    if let receiver = SignalCall.receiver(of: number, arguments) {
      self.init(receiver, .signal)
      return
    }
    switch number {
    case SystemCallNumber.fcntl:
      guard let receiver = Self.owner(int(1), arguments(2), word) else { return nil }
      self.init(receiver, .ownership)
    case SystemCallNumber.ioctl:
      guard SignalCall.ownerRequests.contains(UInt32(truncatingIfNeeded: arguments(1))),
        let owner = word(arguments(2))?.0, let receiver = Self.owner(owner)
      else { return nil }
      self.init(receiver, .ownership)
    case SystemCallNumber.ptrace:
      guard Self.attachments.contains(int(0)) else { return nil }
      self.init(.process(int(1)), .access)
    case SystemCallNumber.pidfdGetfd, SystemCallNumber.processMadvise,
      SystemCallNumber.processMrelease:
      self.init(.descriptor(int(0)), .access)
    case SystemCallNumber.kcmp:
      self.init(.process(int(1)), .access)
    case SystemCallNumber.setpriority, SystemCallNumber.ioprioSet:
      // PRIO_PROCESS is 0, IOPRIO_WHO_PROCESS is 1.
      guard int(0) == (number == SystemCallNumber.setpriority ? 0 : 1), int(1) != 0 else {
        return nil
      }
      self.init(.process(int(1)), .access)
    case SystemCallNumber.prlimit64:
      guard int(0) != 0, arguments(2) != 0 else { return nil }
      self.init(.process(int(0)), .access)
    case SystemCallNumber.processVmReadv, SystemCallNumber.processVmWritev,
      SystemCallNumber.schedSetparam, SystemCallNumber.schedSetscheduler,
      SystemCallNumber.schedSetattr, SystemCallNumber.schedSetaffinity:
      guard int(0) != 0 else { return nil }
      self.init(.process(int(0)), .access)
    default:
      return nil
    }
  }

  private init(_ receiver: Receiver, _ deed: Deed) {
    self.receiver = receiver
    self.deed = deed
  }

  /// Returns the receiver of a descriptor's signals, from fcntl(2); `nil` for none.
  private static func owner(
    _ command: Int32, _ argument: UInt64, _ word: (UInt64) -> (Int32, Int32)?
  ) -> Receiver? {
    guard command == SignalCall.setOwnerInStructure else {
      return command == SignalCall.setOwner ? owner(Int32(truncatingIfNeeded: argument)) : nil
    }
    // struct f_owner_ex: F_OWNER_TID, F_OWNER_PID or F_OWNER_PGRP, and the number.
    guard let (type, number) = word(argument), number > 0 else { return nil }
    return type == 2 ? .group(number) : .process(number)
  }

  private static func owner(_ number: Int32) -> Receiver? {
    number == 0 ? nil : number > 0 ? .process(number) : .group(0 &- number)
  }

  /// PTRACE_ATTACH and PTRACE_SEIZE.
  private static let attachments: [Int32] = [16, 0x4206]
}

// MARK: - The filter

extension ForeignCall {
  /// The calls that the supervisor sees in each scenario, whatever its environment is like.
  static let filterRules: [Int: FilterRule] = SignalCall.filterRules.merging([
    SystemCallNumber.fcntl: .traceIfAmong([
      ArgumentValues(argument: 1, values: SignalCall.ownerCommands)
    ]),
    SystemCallNumber.ioctl: .traceIfAmong([
      ArgumentValues(argument: 1, values: SignalCall.ownerRequests)
    ]),
    SystemCallNumber.ptrace: .traceIfAmong([
      ArgumentValues(argument: 0, values: TraceRequest.beginnings)
    ]),
    SystemCallNumber.processVmReadv: .trace,
    SystemCallNumber.processVmWritev: .trace,
    SystemCallNumber.kcmp: .trace,
    SystemCallNumber.pidfdGetfd: .trace,
    SystemCallNumber.processMadvise: .trace,
    SystemCallNumber.processMrelease: .trace,
    SystemCallNumber.prlimit64: .traceIfPositive(argument: 0),
    SystemCallNumber.setpriority: .traceIfPositive(argument: 1),
    SystemCallNumber.ioprioSet: .traceIfPositive(argument: 1),
    SystemCallNumber.schedSetparam: .traceIfPositive(argument: 0),
    SystemCallNumber.schedSetscheduler: .traceIfPositive(argument: 0),
    SystemCallNumber.schedSetattr: .traceIfPositive(argument: 0),
    SystemCallNumber.schedSetaffinity: .traceIfPositive(argument: 0),
  ]) { $0.or($1) }

  /// Returns whether a system call is one of these.
  static func isOne(_ number: Int) -> Bool {
    numbers.indices.contains(number) && numbers[number]
  }

  private static let numbers: [Bool] = (0...(filterRules.keys.max() ?? 0)).map {
    filterRules[$0] != nil
  }
}
