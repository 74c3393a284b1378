internal import CSupervisor
internal import Glibc

/// The services that a debugger's hold needs of the tracing loop.
protocol DebugKernel: TraceKernel {
  /// The targets.
  var targets: LaunchedTargets { get }
  /// Resumes a thread, with a signal.
  func resume(_ tracee: Tracee, signal: Int32)
}

/// Holds the threads of one process where they stop, for a debugger, and keeps the reason for the
/// stop.
///
/// Confined to the tracer's thread. A thread is held where the loop would resume it: whatever its
/// stop calls for has been done by then.
final class DebuggerHold {
  private unowned let kernel: any DebugKernel
  /// The process that is debugged; `nil` for none.
  private(set) var process: ThreadIdentifier?
  /// The held threads, with the signal that each gets when it continues, or 0.
  private var held: [ThreadIdentifier: Int32] = [:]
  /// True if threads are to be kept as they stop.
  private var isStopping = false
  /// The thread that makes one instruction alone.
  private var stepper: ThreadIdentifier?
  private var stop: DebugStop?

  init(kernel: any DebugKernel) {
    self.kernel = kernel
  }

  // MARK: - As the loop sees it

  /// Holds a thread that is about to be resumed; false if it may run.
  func holds(_ tracee: Tracee, signal: Int32) -> Bool {
    guard let process, tracee.process.identifier == process else { return false }
    let thread = tracee.identifier
    if Self.crashes.contains(signal), !isStopping || thread == stepper {
      held[thread] = signal
      begin(.signal(signal, thread: thread.number))
      return true
    }
    guard isStopping, thread != stepper else { return false }
    held[thread] = signal
    return true
  }

  /// Signals by which a mistake shows: the debugger sees them first.
  private static let crashes: Set<Int32> = [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL]

  /// Returns whether a thread is to make one instruction only.
  func steps(_ tracee: Tracee) -> Bool { stepper == tracee.identifier }

  /// Handles SIGTRAP of a thread: true if that is a breakpoint of the debugger's, or the end of a
  /// step.
  func takeTrap(of tracee: Tracee) -> Bool {
    guard let process, tracee.process.identifier == process else { return false }
    held[tracee.identifier] = 0
    begin(.signal(SIGTRAP, thread: tracee.identifier.number))
    return true
  }

  /// Begins to stop all threads, for a reason; the first one counts.
  private func begin(_ reason: DebugStop) {
    stop = stop ?? reason
    stepper = nil
    isStopping = true
    guard let process, let threads = kernel.processes[process]?.threads else { return }
    for thread in threads where held[thread] == nil {
      _ = scenario_trace_interrupt(thread.number)
    }
  }

  // MARK: - As the debugger wants it

  /// Attaches to a process, whose threads stop; false if another one is debugged, or it is gone.
  func attach(to process: ThreadIdentifier) -> Bool {
    guard self.process == nil, kernel.processes[process] != nil else { return false }
    self.process = process
    begin(.signal(SIGTRAP, thread: process.number))
    return true
  }

  /// Resumes all threads, or has one of them make one instruction, while the others stay.
  func resume(stepping thread: ThreadIdentifier?) {
    stop = nil
    isStopping = thread != nil
    stepper = thread
    let going = thread.map { [$0] } ?? Array(held.keys)
    for thread in going {
      guard let signal = held.removeValue(forKey: thread), let tracee = kernel.tracees[thread]
      else {
        continue
      }
      kernel.resume(tracee, signal: signal)
    }
  }

  /// Begins to stop all threads at the debugger's request.
  func interrupt() {
    guard let process else { return }
    begin(.signal(SIGINT, thread: process.number))
  }

  /// The debugger has gone.
  func detach() {
    process = nil
    resume(stepping: nil)
    held = [:]
  }

  /// Returns the reason why the process is stopped; `nil` while threads of it may run.
  func stopReason() -> DebugStop? {
    guard let process else { return .exited(0) }
    guard let living = kernel.processes[process] else {
      switch kernel.targets.begun(by: process)?.status {
      case .signaled(let number)?: return .killed(number)
      case .exited(let code)?: return .exited(code)
      case nil: return .exited(0)
      }
    }
    guard let stop, living.threads.allSatisfy(stands) else { return nil }
    return stop
  }

  private func stands(_ thread: ThreadIdentifier) -> Bool {
    guard held[thread] == nil, let tracee = kernel.tracees[thread] else { return true }
    switch tracee.state {
    case .parked, .stoppedWithGroup, .waitingForChild: return true
    default: return tracee.awaitsTurn
    }
  }
}
