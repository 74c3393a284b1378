/// The flags of a clone(2) or clone3(2) call.
///
/// The kernel does not report a child with CLONE_UNTRACED to a tracer, and the filter, which the
/// child inherits, would make every call of it that is to be shown fail. So the flag is cleared for
/// the duration of the call.
struct CloneFlags {
  /// CLONE_UNTRACED of `linux/sched.h`.
  static let untraced: UInt32 = 0x0080_0000
  /// CLONE_PIDFD: a descriptor for the child.
  static let descriptor: UInt32 = 0x1000
  /// CLONE_THREAD.
  private static let thread: UInt32 = 0x1_0000

  /// The flags as the caller wrote them.
  var original: UInt64
  /// The address of the flags: in memory, at the beginning of a `struct clone_args`; `nil`: in the
  /// first argument.
  var address: UInt64?

  /// True if a descriptor announces the end of the thread that it makes to the caller, as since
  /// Linux 6.9 it can.
  var announcesEndOfThread: Bool {
    let both = UInt64(Self.descriptor | Self.thread)
    return original & both == both
  }
  /// True if the child is to be left untraced.
  var isUntraced: Bool { original & UInt64(Self.untraced) != 0 }

  /// Reads the call; `nil` if it is none that makes a child.
  init?(_ registers: Registers, memory: TargetMemory?) {
    guard SystemCallNumber.clones.contains(registers.systemCall) else { return nil }
    let first = registers[argument: 0]
    if registers.systemCall == SystemCallNumber.clone3 {
      guard let flags = memory?.read(UInt64.self, at: first) else { return nil }
      original = flags
      address = first
    } else {
      original = first
      address = nil
    }
  }

  /// The flags without the one.
  var traced: UInt64 { original & ~UInt64(Self.untraced) }
}
