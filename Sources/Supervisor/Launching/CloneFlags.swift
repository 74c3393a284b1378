/// The flags of a clone(2) or clone3(2) call that was to leave the child untraced.
///
/// The kernel tells a tracer nothing of such a child, and the filter, which the child inherits, would make
/// every call that it asks a tracer about fail. So the flag is taken out for the time of the call.
struct CloneFlags {
  /// CLONE_UNTRACED of `linux/sched.h`.
  static let untraced: UInt32 = 0x0080_0000

  /// The flags as the caller wrote them.
  var original: UInt64
  /// Where they lie: in memory, at the beginning of a `struct clone_args`; `nil`: in the first argument.
  var address: UInt64?

  /// Reads the call; `nil` if its child is to be traced anyhow.
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
    guard original & UInt64(Self.untraced) != 0 else { return nil }
  }

  /// The flags without the one.
  var traced: UInt64 { original & ~UInt64(Self.untraced) }
}
