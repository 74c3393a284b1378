internal import Glibc

/// A process's disposition of SIGSEGV, which the kernel sends for a forbidden read of the time stamp counter.
struct FaultHandler: Sendable {
  /// `struct kernel_sigaction` of the kernel's x86: handler, flags, restorer and mask.
  private let structure: [UInt8]

  private static let length = 32
  /// The size of the kernel's set of signals (rt_sigaction(2)).
  private static let setSize: UInt64 = 8
  /// SIGSEGV in such a set.
  static let mask: UInt64 = 1 << UInt64(SIGSEGV - 1)

  /// Reads what a thread gives to rt_sigaction(2); `nil` for the usual, which ends the process.
  init?(at address: UInt64, in memory: TargetMemory?) {
    let bytes = memory?.readBytes(Self.length, at: address) ?? []
    guard bytes.count == Self.length, bytes.prefix(8).contains(where: { $0 != 0 }) else {
      return nil
    }
    structure = bytes
  }

  /// True if the signal is ignored (SIG_IGN).
  var isIgnored: Bool { structure.prefix(8).elementsEqual([1, 0, 0, 0, 0, 0, 0, 0]) }

  /// Returns whether the kernel has put the usual in its place (proc(5): SigCgt, SigIgn).
  func isLost(by process: ThreadIdentifier) -> Bool {
    guard
      let masks = SmallFile.signalMasks(
        ["SigIgn:", "SigCgt:"], in: "/proc/\(process.number)/status")
    else { return false }
    return (masks[0] | masks[1]) & Self.mask == 0
  }

  func write(to address: UInt64, in memory: TargetMemory?) -> Bool {
    structure.withUnsafeBytes { memory?.write($0, at: address) ?? false }
  }

  /// The arguments of the call that sets it again.
  static func arguments(structureAt address: UInt64) -> [UInt64] {
    [UInt64(SIGSEGV), address, 0, setSize, 0, 0]
  }
}
