/// The ways in which threads have sent by TCP so that packets, or news of them, come later than the call.
struct DelayedSends: OptionSet {
  let rawValue: UInt8

  /// Bytes wait for more, up to 200 ms of real time, and no packet tells of them.
  ///
  /// TCP_CORK (tcp(7)), MSG_MORE (send(2)), SPLICE_F_MORE (splice(2)).
  static let ofBytes = DelayedSends(rawValue: 1)
  /// The sender is told of acknowledgements.
  ///
  /// SO_ZEROCOPY (the kernel's Documentation/networking/msg_zerocopy.rst).
  static let ofAcknowledgements = DelayedSends(rawValue: 2)

  /// The rules by which filters show the calls that send so.
  static let filterRules: [Int: FilterRule] = [
    SystemCallNumber.sendto: .traceIfAnySet(argument: 3, bits: more),
    SystemCallNumber.sendmsg: .traceIfAnySet(argument: 2, bits: more),
    SystemCallNumber.sendmmsg: .traceIfAnySet(argument: 3, bits: more),
    SystemCallNumber.splice: .traceIfAnySet(argument: 5, bits: spliceMore),
    SystemCallNumber.setsockopt: FilterRule.traceIfAmong(corks).or(.traceIfAmong(zeroCopies)),
  ]

  /// MSG_MORE.
  private static let more: UInt32 = 0x8000
  /// SPLICE_F_MORE.
  private static let spliceMore: UInt32 = 4
  /// IPPROTO_TCP, TCP_CORK.
  private static let corks = [
    ArgumentValues(argument: 1, values: [6]), ArgumentValues(argument: 2, values: [3]),
  ]
  /// SOL_SOCKET, SO_ZEROCOPY.
  private static let zeroCopies = [
    ArgumentValues(argument: 1, values: [1]), ArgumentValues(argument: 2, values: [60]),
  ]
}

extension DelayedSends {
  /// The ways in which a call sends so; none for other calls.
  init(of registers: Registers) {
    func has(_ bit: UInt32, in argument: Int) -> DelayedSends {
      UInt32(truncatingIfNeeded: registers[argument: argument]) & bit == 0 ? [] : .ofBytes
    }
    self =
      switch registers.systemCall {
      case SystemCallNumber.sendto, SystemCallNumber.sendmmsg: has(Self.more, in: 3)
      case SystemCallNumber.sendmsg: has(Self.more, in: 2)
      case SystemCallNumber.splice: has(Self.spliceMore, in: 5)
      case SystemCallNumber.setsockopt where registers.isAmong(Self.corks): .ofBytes
      case SystemCallNumber.setsockopt where registers.isAmong(Self.zeroCopies): .ofAcknowledgements
      default: []
      }
  }
}
