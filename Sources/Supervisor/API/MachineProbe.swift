internal import CSupervisor
internal import Glibc

/// What this machine lets the supervisor do to a process, found out by doing it.
public struct MachineProbe: Sendable, Hashable {
  /// How one thing went.
  public enum Outcome: Sendable, Hashable {
    /// It works.
    case works
    /// It failed with this errno.
    case fails(Int32)
    /// Something that it needs has failed before.
    case notReached
  }

  /// fork(2).
  public var makesProcess: Outcome
  /// PTRACE_SEIZE of a child.
  public var traces: Outcome
  /// PR_SET_NO_NEW_PRIVS.
  public var dropsPrivileges: Outcome
  /// A seccomp(2) filter.
  public var filters: Outcome
  /// Anonymous pages that can be executed.
  public var mapsExecutable: Outcome
  /// The filter stops the child at a call.
  public var stopsAtCall: Outcome
  /// A stopped call is not made, and returns what the tracer says.
  public var answersCall: Outcome
  /// Reading /proc/PID/mem.
  public var readsMemory: Outcome
  /// Writing to /proc/PID/mem where the child itself may only read.
  public var writesMemory: Outcome
  /// process_vm_writev(2).
  public var writesAsProcess: Outcome
  /// pidfd_open(2).
  public var opensProcess: Outcome
  /// pidfd_getfd(2).
  public var copiesDescriptor: Outcome
  /// Reading /proc/PID/task/TID/syscall.
  public var seesThreadCall: Outcome
  /// Reading /proc/PID/task/TID/stat.
  public var seesThreadState: Outcome
  /// Reading /proc/PID/task/TID/schedstat.
  public var seesThreadSchedule: Outcome
  /// eventfd(2).
  public var opensEventDescriptor: Outcome
  /// Whether the kernel gives processes a vDSO that the supervisor can replace.
  public var hasReplaceableVDSO: Bool

  /// Makes a child, tries everything on it, and waits for its end.
  public static func run() -> MachineProbe {
    let probe = scenario_probe_machine()
    return MachineProbe(
      makesProcess: Outcome(probe.make_process), traces: Outcome(probe.trace),
      dropsPrivileges: Outcome(probe.privileges), filters: Outcome(probe.filter),
      mapsExecutable: Outcome(probe.executable_mapping), stopsAtCall: Outcome(probe.call_stop),
      answersCall: Outcome(probe.call_result), readsMemory: Outcome(probe.read_memory),
      writesMemory: Outcome(probe.write_memory),
      writesAsProcess: Outcome(probe.write_as_process),
      opensProcess: Outcome(probe.open_process),
      copiesDescriptor: Outcome(probe.copy_descriptor),
      seesThreadCall: Outcome(probe.thread_call), seesThreadState: Outcome(probe.thread_state),
      seesThreadSchedule: Outcome(probe.thread_schedule),
      opensEventDescriptor: Outcome(probe.open_event),
      hasReplaceableVDSO: KernelVDSO.current() != nil)
  }
}

extension MachineProbe.Outcome {
  fileprivate init(_ number: Int32) {
    self =
      switch number {
      case 0: .works
      case SCENARIO_PROBE_NOT_REACHED: .notReached
      default: .fails(number)
      }
  }
}
