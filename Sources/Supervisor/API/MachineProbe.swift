internal import CSupervisor
internal import Glibc

/// The operations on a process that this machine permits the supervisor, found out by doing them.
package struct MachineProbe: Sendable, Hashable {
  /// The outcome of one operation.
  package enum Outcome: Sendable, Hashable {
    /// The operation works.
    case works
    /// The operation failed with this errno.
    case fails(Int32)
    /// An operation that it needs has failed before.
    case notReached
  }

  /// fork(2).
  package var makesProcess: Outcome
  /// PTRACE_SEIZE of a child.
  package var traces: Outcome
  /// PR_SET_NO_NEW_PRIVS.
  package var dropsPrivileges: Outcome
  /// A seccomp(2) filter.
  package var filters: Outcome
  /// Anonymous pages that can be executed.
  package var mapsExecutable: Outcome
  /// The filter stops the child at a call.
  package var stopsAtCall: Outcome
  /// A stopped call is not made, and returns what the tracer says.
  package var answersCall: Outcome
  /// Reading /proc/PID/mem.
  package var readsMemory: Outcome
  /// Writing to /proc/PID/mem where the child itself may only read.
  package var writesMemory: Outcome
  /// process_vm_writev(2).
  package var writesAsProcess: Outcome
  /// pidfd_open(2).
  package var opensProcess: Outcome
  /// pidfd_getfd(2).
  package var copiesDescriptor: Outcome
  /// Having the process send a descriptor itself.
  package var sendsDescriptor: Outcome
  /// Answering a call that a filter from outside may refuse.
  package var answersRefusedCall: Outcome
  /// Fixing addresses, which seeded cases ask for.
  package var fixesAddresses: Outcome
  /// Reading /proc/PID/task/TID/syscall.
  package var seesThreadCall: Outcome
  /// Reading /proc/PID/task/TID/stat.
  package var seesThreadState: Outcome
  /// Reading /proc/PID/task/TID/schedstat.
  package var seesThreadSchedule: Outcome
  /// eventfd(2).
  package var opensEventDescriptor: Outcome
  /// True if the kernel gives processes a vDSO that the supervisor can replace.
  package var hasReplaceableVDSO: Bool

  /// Makes a child, tries everything on it, and waits for its end.
  package static func run() -> MachineProbe {
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
      sendsDescriptor: Outcome(probe.send_descriptor),
      answersRefusedCall: Outcome(probe.answer_refused),
      fixesAddresses: Outcome(probe.fix_addresses),
      seesThreadCall: Outcome(probe.thread_call), seesThreadState: Outcome(probe.thread_state),
      seesThreadSchedule: Outcome(probe.thread_schedule),
      opensEventDescriptor: Outcome(probe.open_event),
      hasReplaceableVDSO: KernelVDSO.current() != nil)
  }
}

extension MachineProbe {
  /// The name that the processor gives itself; emulated ones name their emulator.
  package static var processorName: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 49) { name in
      guard let start = name.baseAddress else { return "" }
      scenario_processor_name(start)
      return String(cString: start)
    }
  }

  /// True if processes cannot be traced, and nobody forbids it: the kernel of an emulated machine has ptrace(2), and
  /// refuses it with EPERM or EACCES.
  package var lacksTracing: Bool {
    traces != .works && traces != .fails(EPERM) && traces != .fails(EACCES)
  }

  /// Returns whether a processor of this name is an emulator's: QEMU's (a machine or one program), or Rosetta's.
  package static func isEmulated(processor name: String) -> Bool {
    ["QEMU", "VirtualApple"].contains { name.hasPrefix($0) }
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
