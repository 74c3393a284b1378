/// Which threads must be looked at to know whether they sleep.
///
/// A thread that only sleeps, in nanosleep(2), or in poll(2) without a descriptor, and the like, without an end of
/// the kernel's, is woken by nothing but a signal, and stops before its next instruction. While nobody can have sent it one it needs no look:
/// a thousand of them cost nothing where one runs. Who may have sent one is known, because the supervisor sees the
/// calls that do (``SignalSources``) and all that ends.
struct SleepWatch {
  /// Those that only sleep, and have got no signal.
  private var resting: [ThreadIdentifier: Tracee] = [:]
  /// Those that only slept when somebody may have sent them a signal.
  private var suspects: [ThreadIdentifier: Tracee] = [:]
  /// Those that must be looked at.
  private(set) var watched: [ThreadIdentifier: Tracee] = [:]
  /// Whether signals may come that nobody announces.
  private var looksAtAll = false

  /// Adds a thread.
  mutating func add(_ tracee: Tracee) {
    watched[tracee.identifier] = tracee
  }

  /// Forgets a thread that is gone.
  mutating func remove(_ thread: ThreadIdentifier) {
    watched[thread] = nil
    resting[thread] = nil
    suspects[thread] = nil
  }

  /// A thread only sleeps from here on, unless a signal was on its way before: it must be seen asleep once.
  mutating func rest(_ tracee: Tracee) {
    guard !looksAtAll, !tracee.process.hasEndedLeader else { return }
    watched[tracee.identifier] = tracee
    suspects[tracee.identifier] = tracee
    resting[tracee.identifier] = nil
    tracee.isResting = true
  }

  /// A thread has stopped, or is about to: it does not only sleep.
  mutating func wake(_ tracee: Tracee) {
    guard tracee.isResting else { return }
    tracee.isResting = false
    suspects[tracee.identifier] = nil
    guard resting.removeValue(forKey: tracee.identifier) != nil else { return }
    watched[tracee.identifier] = tracee
  }

  /// A thread may have got a signal.
  mutating func suspect(_ tracee: Tracee) {
    guard tracee.isResting, resting.removeValue(forKey: tracee.identifier) != nil else { return }
    watched[tracee.identifier] = tracee
    suspects[tracee.identifier] = tracee
  }

  /// Any thread may have got a signal.
  mutating func suspectAll() {
    guard !resting.isEmpty else { return }
    watched.merge(resting) { tracee, _ in tracee }
    suspects.merge(resting) { tracee, _ in tracee }
    resting = [:]
  }

  /// Signals may come that nobody announces: from here on every thread is looked at.
  mutating func lookAtAll() {
    suspectAll()
    looksAtAll = true
  }

  /// All that must be looked at was seen asleep: no signal has come.
  mutating func noteAllAsleep() {
    guard !suspects.isEmpty, !looksAtAll else { return }
    for (thread, tracee) in suspects where !tracee.process.hasEndedLeader {
      watched[thread] = nil
      resting[thread] = tracee
    }
    suspects = [:]
  }
}

/// The calls by which somebody who sleeps may get a signal.
enum SignalSources {
  /// What a call may do.
  enum Effect {
    /// Nothing to those that sleep.
    case none
    /// It sends a signal, or several.
    case signal
    /// It has signals sent later, at a moment of which the supervisor does not hear.
    case laterSignals
  }

  /// The rules that show them.
  static let filterRules: [Int: FilterRule] = [
    SystemCallNumber.kill: .trace,
    SystemCallNumber.tkill: .trace,
    SystemCallNumber.tgkill: .trace,
    SystemCallNumber.rtSigqueueinfo: .trace,
    SystemCallNumber.rtTgsigqueueinfo: .trace,
    SystemCallNumber.pidfdSendSignal: .trace,
    SystemCallNumber.mqNotify: .trace,
    SystemCallNumber.fcntl: .traceIfAmong([ArgumentValues(argument: 1, values: ownerCommands)]),
    SystemCallNumber.ioctl: .traceIfAmong([ArgumentValues(argument: 1, values: ownerRequests)]),
    SystemCallNumber.prctl: .traceIfAmong([ArgumentValues(argument: 0, values: parentOperations)]),
  ]

  /// F_SETOWN, F_SETOWN_EX, F_SETLEASE and F_NOTIFY of `linux/fcntl.h`.
  private static let ownerCommands: [UInt32] = [8, 15, 1_024, 1_026]
  /// FIOSETOWN and SIOCSPGRP of `asm-generic/sockios.h`.
  private static let ownerRequests: [UInt32] = [0x8901, 0x8902]
  /// PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of `linux/prctl.h`.
  private static let parentOperations: [UInt32] = [1, 36]

  /// What a call that a thread is about to make may do.
  static func effect(of registers: Registers) -> Effect {
    switch registers.systemCall {
    case SystemCallNumber.kill, SystemCallNumber.tkill, SystemCallNumber.tgkill,
      SystemCallNumber.rtSigqueueinfo, SystemCallNumber.rtTgsigqueueinfo,
      SystemCallNumber.pidfdSendSignal:
      .signal
    case SystemCallNumber.mqNotify: .laterSignals
    case SystemCallNumber.fcntl: later(registers[argument: 1], ownerCommands)
    case SystemCallNumber.ioctl: later(registers[argument: 1], ownerRequests)
    case SystemCallNumber.prctl: later(registers[argument: 0], parentOperations)
    default: .none
    }
  }

  private static func later(_ argument: UInt64, _ values: [UInt32]) -> Effect {
    values.contains(UInt32(truncatingIfNeeded: argument)) ? .laterSignals : .none
  }
}

extension SupervisorLoop {
  /// A thread is about to make a call that may send signals.
  func noteSignalSource(_ registers: Registers) {
    switch SignalSources.effect(of: registers) {
    case .none: break
    case .signal: sleepWatch.suspectAll()
    case .laterSignals: sleepWatch.lookAtAll()
    }
  }

  /// Threads of a process may have got a signal.
  func suspectSleepers(of process: TargetProcess?) {
    for thread in process?.threads ?? [] {
      if let tracee = tracees[thread] { sleepWatch.suspect(tracee) }
    }
  }

  /// A thread has ended: where its whole process is about to, the first thread is as well; and the parent of a
  /// process that has ended may get a signal, or its parent's parent, whose child one may ask to be (clone(2):
  /// CLONE_PARENT).
  func suspectSleepers(after thread: ThreadIdentifier, of process: TargetProcess) {
    guard thread == process.identifier else {
      if let leader = tracees[process.identifier] { sleepWatch.suspect(leader) }
      return
    }
    let parent = process.parent.flatMap { processes[$0] }
    suspectSleepers(of: parent)
    suspectSleepers(of: parent?.parent.flatMap { processes[$0] })
  }
}
