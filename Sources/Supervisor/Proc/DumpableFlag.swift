internal import Glibc

/// The dumpable flag of a process (prctl(2): PR_SET_DUMPABLE).
///
/// A process that clears it hides from its own user, and so from a supervisor without
/// CAP_SYS_PTRACE: its children could not be given virtual time. The supervisor then skips the call
/// in the kernel; the process reads back the value that it has set.
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

  /// True if this process needs it.
  static var mustBeKept: Bool { geteuid() != 0 || CredentialCalls.closeProcesses }
}

/// Calls by which a process becomes another user or group.
///
/// credentials(7), prctl(2): the kernel then takes the dumpable flag away, and with it the way into the process and
/// all that it forks, which only CAP_SYS_PTRACE gets past.
enum CredentialCalls {
  /// Their numbers.
  static let numbers: Set<Int> = Set(
    [
      "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid",
    ].compactMap { SystemCallTable.current.number(of: $0) })

  /// True if they close a target to this process: it has root's user, and not the capability, as in containers.
  static let closeProcesses: Bool = {
    guard geteuid() == 0 else { return false }
    // Bit 19 is CAP_SYS_PTRACE (`linux/capability.h`).
    let capabilities = SmallFile.signalMask("CapEff:", in: "/proc/self/status")
    return (capabilities ?? .max) & (1 << 19) == 0
  }()
}

/// Requests of ptrace(2).
enum TraceRequest {
  /// The requests that make a process traced: PTRACE_TRACEME, PTRACE_ATTACH, PTRACE_SEIZE.
  static let beginnings: [UInt32] = [0, 16, 0x4206]
}
