internal import Glibc

/// The calls by which a sleeping thread may get a signal.
enum SignalSources {
  /// The effect that a call may have on sleepers.
  enum Effect {
    /// No effect on those that sleep.
    case none
    /// A signal, or several.
    case signal
    /// Signals sent later, at a moment that the supervisor does not see; or a descriptor by which
    /// the end of a thread is noticed.
    case laterSignals
  }

  /// The rules that show them.
  static let filterRules: [Int: FilterRule] = SignalCall.filterRules.merging([
    SystemCallNumber.mqNotify: .trace,
    SystemCallNumber.fcntl: .traceIfAmong([ArgumentValues(argument: 1, values: laterCommands)]),
    SystemCallNumber.ioctl: .traceIfAmong([
      ArgumentValues(argument: 1, values: SignalCall.ownerRequests)
    ]),
    SystemCallNumber.prctl: .traceIfAmong([ArgumentValues(argument: 0, values: parentOperations)]),
    SystemCallNumber.timerCreate: .trace,
    SystemCallNumber.pidfdOpen: .traceIfAmong([
      ArgumentValues(argument: 1, values: threadDescriptors)
    ]),
    SystemCallNumber.setitimer: .traceIfAmong([
      ArgumentValues(argument: 0, values: processorTimers)
    ]),
    SystemCallNumber.setrlimit: .traceIfAmong([
      ArgumentValues(argument: 0, values: [processorLimit])
    ]),
    SystemCallNumber.prlimit64: .traceIfAmong([
      ArgumentValues(argument: 1, values: [processorLimit])
    ]),
  ]) { $0.or($1) }

  /// The rules that show those of signals that come later, where timers are the kernel's.
  static let laterRules: [Int: FilterRule] = [
    SystemCallNumber.alarm: .trace,
    SystemCallNumber.setitimer: .trace,
    SystemCallNumber.timerCreate: .trace,
    SystemCallNumber.mqNotify: .trace,
    SystemCallNumber.fcntl: .traceIfAmong([ArgumentValues(argument: 1, values: laterCommands)]),
    SystemCallNumber.ioctl: .traceIfAmong([
      ArgumentValues(argument: 1, values: SignalCall.ownerRequests)
    ]),
  ]

  /// The commands for owners, and F_SETLEASE and F_NOTIFY of `linux/fcntl.h`.
  private static let laterCommands: [UInt32] = SignalCall.ownerCommands + [1_024, 1_026]
  /// PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of `linux/prctl.h`.
  private static let parentOperations: [UInt32] = [1, 36]
  /// PIDFD_THREAD of `linux/pidfd.h`, alone and with PIDFD_NONBLOCK.
  private static let threadDescriptors = [UInt32(O_EXCL), UInt32(O_EXCL | O_NONBLOCK)]
  /// ITIMER_VIRTUAL and ITIMER_PROF (setitimer(2)): while one thread computes, another one may get their signal.
  private static let processorTimers: [UInt32] = [1, 2]
  /// RLIMIT_CPU (getrlimit(2)): SIGXCPU comes by the same way.
  private static let processorLimit = UInt32(RLIMIT_CPU.rawValue)

  /// Returns the effect of the call that a thread is about to make.
  static func effect(of registers: Registers) -> Effect {
    func argument(_ index: Int, isAmong values: [UInt32]) -> Effect {
      values.contains(UInt32(truncatingIfNeeded: registers[argument: index]))
        ? .laterSignals : .none
    }
    switch registers.systemCall {
    case let number where SignalCall.filterRules[number] != nil: return .signal
    case SystemCallNumber.mqNotify: return .laterSignals
    case SystemCallNumber.fcntl: return argument(1, isAmong: laterCommands)
    case SystemCallNumber.ioctl: return argument(1, isAmong: SignalCall.ownerRequests)
    case SystemCallNumber.prctl: return argument(0, isAmong: parentOperations)
    case SystemCallNumber.pidfdOpen: return argument(1, isAmong: threadDescriptors)
    case SystemCallNumber.setitimer: return argument(0, isAmong: processorTimers)
    // The clocks that are not the scenario's count processor time.
    case SystemCallNumber.timerCreate:
      return ClockKind(number: registers[argument: 0]) == nil ? .laterSignals : .none
    case SystemCallNumber.setrlimit: return argument(0, isAmong: [processorLimit])
    case SystemCallNumber.prlimit64:
      return registers[argument: 2] == 0 ? .none : argument(1, isAmong: [processorLimit])
    default: return .none
    }
  }

  /// Returns whether a call may have the kernel send a signal later, unseen.
  ///
  /// - Parameter keepsTime: whether timers are the scenario's, and so on its timeline.
  static func maySignalLater(_ registers: Registers, keepsTime: Bool) -> Bool {
    if case .laterSignals = effect(of: registers) { return true }
    return !keepsTime
      && [SystemCallNumber.alarm, SystemCallNumber.setitimer, SystemCallNumber.timerCreate]
        .contains(registers.systemCall)
  }

  /// True if a limit of processor time has been set for this process, which its children have as well.
  static var areInherited: Bool {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0
      && limit.rlim_cur != rlim_t.max
  }
}

extension QuiescenceDetector {
  /// A thread is about to make a call that may send signals.
  func recordSignalSource(_ registers: Registers) {
    switch SignalSources.effect(of: registers) {
    case .none: break
    case .signal: sleepWatch.suspectAll()
    case .laterSignals: sleepWatch.lookAtAll()
    }
  }

  /// Threads of a process may have got a signal.
  func suspect(_ process: TargetProcess?) {
    for thread in process?.threads ?? [] {
      if let tracee = kernel.tracees[thread] { sleepWatch.suspect(tracee) }
    }
  }

  /// A thread has ended: where its whole process is about to, the first thread is as well; and the parent of a
  /// process that has ended may get a signal, or its parent's parent, whose child one may ask to be (clone(2):
  /// CLONE_PARENT).
  func suspect(after thread: ThreadIdentifier, of process: TargetProcess) {
    guard thread == process.identifier else {
      if let leader = kernel.tracees[process.identifier] { sleepWatch.suspect(leader) }
      return
    }
    let parent = process.parent.flatMap { kernel.processes[$0] }
    suspect(parent)
    suspect(parent?.parent.flatMap { kernel.processes[$0] })
  }
}
