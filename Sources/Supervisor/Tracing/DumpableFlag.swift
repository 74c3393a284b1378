internal import Glibc

/// The dumpable flag of a process (prctl(2): PR_SET_DUMPABLE).
///
/// Whoever takes it away hides the process from its own user, and so from a supervisor without
/// CAP_SYS_PTRACE: its children could not be given the time. There the kernel is not told; what the
/// process asks back is what it set.
enum DumpableFlag {
  /// SUID_DUMP_USER of `linux/sched/coredump.h`.
  static let on: UInt64 = 1
  /// SUID_DUMP_DISABLE.
  static let off: UInt64 = 0
  /// PR_GET_DUMPABLE of `linux/prctl.h`.
  static let get: UInt32 = 3
  /// PR_SET_DUMPABLE.
  static let set: UInt32 = 4
  /// The operations of prctl(2) that the supervisor answers itself.
  static let operations = [get, set]

  /// Whether this process needs it.
  static var mustBeKept: Bool { geteuid() != 0 }
}

/// Requests of ptrace(2).
enum TraceRequest {
  /// Those that make a process traced: PTRACE_TRACEME, PTRACE_ATTACH, PTRACE_SEIZE.
  static let beginnings: [UInt32] = [0, 16, 0x4206]
}
