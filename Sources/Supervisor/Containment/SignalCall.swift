/// The calls that send signals at once, and those that say who gets the signals of a descriptor.
enum SignalCall {
  /// The rules that show the calls that send.
  static let filterRules: [Int: FilterRule] = [
    SystemCallNumber.kill: .trace,
    SystemCallNumber.tkill: .trace,
    SystemCallNumber.tgkill: .trace,
    SystemCallNumber.rtSigqueueinfo: .trace,
    SystemCallNumber.rtTgsigqueueinfo: .trace,
    SystemCallNumber.pidfdSendSignal: .trace,
  ]

  /// F_SETOWN and F_SETOWN_EX of `asm-generic/fcntl.h`.
  static let setOwner: Int32 = 8
  static let setOwnerInStructure: Int32 = 15
  /// The two commands, as a filter has them.
  static let ownerCommands = [UInt32(setOwner), UInt32(setOwnerInStructure)]
  /// FIOSETOWN and SIOCSPGRP of `asm-generic/sockios.h`.
  static let ownerRequests: [UInt32] = [0x8901, 0x8902]

  /// PIDFD_SIGNAL_PROCESS_GROUP of `linux/pidfd.h`.
  private static let groupFlag: UInt64 = 4

  /// Returns the receiver of a call that sends a signal; `nil` for one that sends none.
  ///
  /// - Parameters:
  ///   - number: the system call.
  ///   - arguments: its arguments.
  static func receiver(
    of number: Int, _ arguments: (Int) -> UInt64
  ) -> ForeignCall.Receiver? {
    func int(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: arguments(index)) }
    switch number {
    case SystemCallNumber.kill: return receiver(ofKill: int(0))
    case SystemCallNumber.tkill, SystemCallNumber.rtSigqueueinfo, SystemCallNumber.rtTgsigqueueinfo:
      return .process(int(0))
    case SystemCallNumber.tgkill: return .process(int(1))
    case SystemCallNumber.pidfdSendSignal:
      let isForGroup = arguments(3) & groupFlag != 0
      return isForGroup ? .groupOfDescriptor(int(0)) : .descriptor(int(0))
    default: return nil
    }
  }

  /// kill(2): what its first argument means.
  private static func receiver(ofKill number: Int32) -> ForeignCall.Receiver {
    switch number {
    case -1: .everybody
    case ...0: .group(0 &- number)
    default: .process(number)
    }
  }
}
