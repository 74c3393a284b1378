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
    /// All processes of a user.
    case user
    /// The terminal of a descriptor.
    case terminal(Int32)
  }

  /// The effect of a call on its receiver.
  enum Deed: Equatable {
    /// Sends a signal, or checks whether it could.
    case signal
    /// Makes the kernel send signals later (fcntl(2): F_SETOWN).
    case ownership
    /// Reads the process, holds it, or changes how it may run.
    case access
    /// Types into a terminal (ioctl_tty(2): TIOCSTI).
    case input
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
    case SystemCallNumber.ioctl where UInt32(truncatingIfNeeded: arguments(1)) == Self.typing:
      self.init(.terminal(int(0)), .input)
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
    case SystemCallNumber.setpriority:
      guard let receiver = Self.scheduled(kind: int(0), int(1)) else { return nil }
      self.init(receiver, .access)
    case SystemCallNumber.ioprioSet:
      // ioprio_set(2) counts from one where setpriority(2) counts from zero.
      guard let receiver = Self.scheduled(kind: int(0) &- 1, int(1)) else { return nil }
      self.init(receiver, .access)
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

  /// Returns whose priority is set (setpriority(2)); `nil` for the caller's own, and for what is no kind.
  private static func scheduled(kind: Int32, _ number: Int32) -> Receiver? {
    switch kind {
    case 0: number == 0 ? nil : .process(number)
    case 1: .group(number)
    case 2: .user
    default: nil
    }
  }

  /// TIOCSTI of `asm-generic/ioctls.h`.
  fileprivate static let typing: UInt32 = 0x5412
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
      ArgumentValues(argument: 1, values: SignalCall.ownerRequests + [typing])
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
    // Zero is the caller, but the caller's whole group or user in calls for these.
    SystemCallNumber.setpriority: .traceIfPositive(argument: 1).or(
      .traceIfPositive(argument: 0)),
    SystemCallNumber.ioprioSet: .traceIfPositive(argument: 1).or(
      .traceIfAmong([ArgumentValues(argument: 0, values: [2, 3])])),
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
