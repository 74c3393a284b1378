internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// A fault that is injected into a process at an instant.
enum ScheduledProcessFault {
  /// An entry's moment comes.
  case moment(entry: Int)
  /// A stopped process continues.
  case goOn(ThreadIdentifier, ordinal: Int, entry: Int)
  /// The target is started again.
  case restart(TargetNumber, entry: Int)

  /// The entry that it belongs to.
  var entry: Int {
    switch self {
    case .moment(let entry), .goOn(_, _, let entry), .restart(_, let entry): entry
    }
  }
}

/// Injects the faults of fault rules into processes.
final class ProcessFaults {
  private unowned let kernel: any FaultKernel
  private unowned let faults: FaultInjector
  private let rules: FaultRules
  private let replies: ReplyCounter
  /// The faults to be injected at instants, by the numbers under which these are filed.
  private var scheduled:
    [UInt64: (fault: ScheduledProcessFault, ticket: Timeline<WaitOwner>.Ticket?)] = [:]
  private var lastNumber: UInt64 = 0
  /// Processes that chaos has killed, and that are not gone yet.
  private var doomed: Set<ThreadIdentifier> = []
  /// Rules whose reply has gone out.
  private var firedByReply: Set<Int> = []
  /// The targets that entries start again, until their programs run.
  private var restarts: [TargetNumber: Restart] = [:]

  /// A target's new start.
  private struct Restart {
    /// The entry that starts it.
    var entry: Int
    /// True until it is begun, which it is as soon as no process of the target is left.
    var isDue = true
  }

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - faults: who undoes what is not durable.
  ///   - replies: the replies that have gone out.
  init(kernel: any FaultKernel, faults: FaultInjector, replies: ReplyCounter) {
    self.kernel = kernel
    self.faults = faults
    rules = faults.rules
    self.replies = replies
  }

  /// Returns whether chaos has killed a process.
  func isDoomed(_ process: TargetProcess) -> Bool { doomed.contains(process.identifier) }

  /// A process has ended.
  func recordEnd(of process: ThreadIdentifier) { doomed.remove(process) }

  // MARK: - Moments

  /// Files the instants at which rules fire on those that live then.
  func fileMoments() {
    for entry in rules.table.processEntries {
      guard let from = rules.table.entries[entry].schedule.from else { continue }
      switch from {
      case .shift(let length):
        let elapsed = kernel.clock.elapsed(real: RealClock.monotonic())
        file(.moment(entry: entry), at: .monotonic(kernel.virtualNow + (length - elapsed)))
      case .absolute(let instant):
        let atomic = kernel.clock.atomic(whenWallShows: instant, real: RealClock.monotonic())
        file(.moment(entry: entry), at: .wall(atomic))
      case .day: break
      }
    }
  }

  private func file(_ fault: ScheduledProcessFault, at deadline: Deadline) {
    lastNumber += 1
    scheduled[lastNumber] = (fault, kernel.file(deadline, for: .processFault(lastNumber)))
  }

  /// An instant has come that was filed.
  func fire(_ number: UInt64, at instant: Nanoseconds) {
    guard let fault = scheduled.removeValue(forKey: number)?.fault else { return }
    kernel.advance(to: instant, because: .chaos(entry: rules.table.entries[fault.entry].name))
    kernel.suspectAllSleepers()
    carryOut(fault)
  }

  /// Continues processes that were stopped by entries which no longer apply, and cancels the
  /// restarts of such entries: the target stays killed.
  func releaseStopped() {
    for (number, filed) in scheduled.sorted(by: { $0.key < $1.key })
    where !rules.table.isApplied(filed.fault.entry) {
      // The moment of an entry stays: a step may apply it again.
      if case .moment = filed.fault { continue }
      scheduled[number] = nil
      kernel.cancel(filed.ticket)
      if case .restart(let number, _) = filed.fault {
        callOffRestart(of: number)
      } else {
        carryOut(filed.fault)
      }
    }
    for (number, restart) in restarts where restart.isDue && !rules.table.isApplied(restart.entry) {
      callOffRestart(of: number)
    }
  }

  private func callOffRestart(of number: TargetNumber) {
    restarts[number] = nil
    guard let target = kernel.targets[number], target.awaitsRestart else { return }
    target.awaitsRestart = false
    // The end of a process that is not gone yet will be reported.
    if kernel.processes[target.process] == nil {
      target.end = TargetEnd(status: .signaled(number: SIGKILL))
    }
  }

  private func carryOut(_ fault: ScheduledProcessFault) {
    switch fault {
    case .moment(let entry): fireOnLiving(by: entry)
    case .goOn(let identifier, let ordinal, _):
      guard let process = kernel.processes[identifier], process.ordinal == ordinal else { return }
      kill(identifier.number, SIGCONT)
    case .restart(let number, let entry):
      restarts[number] = Restart(entry: entry)
      restartInTime(number)
    }
  }

  /// Fires rules whose reply has gone out.
  func fireBehindReplies() {
    guard rules.awaitsRepliesForProcesses else { return }
    rules.table.replies = replies.counts
    for entry in rules.table.processEntries where !firedByReply.contains(entry) {
      guard let event = rules.table.entries[entry].schedule.event,
        rules.table.replies[event.reply, default: 0] >= event.number
      else { continue }
      firedByReply.insert(entry)
      fireOnLiving(by: entry)
    }
  }

  /// Fires rules that hold while a step is performed which has begun.
  func enterStep(_ name: String) {
    rules.table.activeSteps.append(name)
    fireDuring(name)
  }

  func leaveStep() {
    if !rules.table.activeSteps.isEmpty { rules.table.activeSteps.removeLast() }
  }

  private func fireDuring(_ step: String) {
    for entry in rules.table.processEntries
    where rules.table.entries[entry].schedule.during == step {
      fireOnLiving(by: entry)
    }
  }

  /// Fires rules that a step has applied.
  func fireForApplied(_ selection: ChaosSelection) {
    for entry in rules.table.processEntries {
      if case .entry(let name) = selection, rules.table.entries[entry].name != name { continue }
      firedByReply.remove(entry)
      fireOnLiving(by: entry)
    }
  }

  /// Evaluates an entry for all live processes, in start order.
  private func fireOnLiving(by entry: Int) {
    let now = RealClock.monotonic()
    rules.table.recordMoment(
      of: entry, elapsed: kernel.clock.elapsed(real: now), wall: kernel.clock.wall(real: now))
    for process in kernel.processes.values.sorted(by: { $0.ordinal < $1.ordinal })
    where !isDoomed(process) {
      var facts = ProcessContext(of: process, kernel)
      let isFirst = kernel.targets.begun(by: process.identifier) != nil
      guard
        let decision = rules.table.decideMoment(of: entry, isFirst: isFirst, &facts)
      else { continue }
      fire(process, decision)
    }
  }

  // MARK: - Starts

  /// A process has been made; its first instruction is yet to come.
  func recordBirth(of tracee: Tracee) {
    guard tracee.process.identifier == tracee.identifier else { return }
    recordStart(of: tracee.process, isBorrower: tracee.process.isBorrower)
  }

  /// Evaluates rules at the start of a program: the process is at its own first instruction.
  func recordStart(of process: TargetProcess, isBorrower: Bool = false) {
    guard rules.hasProcessEntries, !isDoomed(process) else { return }
    var facts = ProcessContext(of: process, kernel, isBorrower: isBorrower)
    let isFirst = kernel.targets.begun(by: process.identifier) != nil
    if isFirst, let restart = restarts.removeValue(forKey: process.target) {
      rules.table.spare(process.ordinal, by: restart.entry)
    }
    if rules.awaitsRepliesForProcesses { rules.table.replies = replies.counts }
    guard let decision = rules.table.decideStart(isFirst: isFirst, &facts) else { return }
    fire(process, decision)
  }

  // MARK: - Deeds

  private func fire(_ process: TargetProcess, _ decision: ChaosDecision) {
    let number = process.identifier.number
    let signals = decision.action.signalsBefore + decision.action.signalsAfter
    kernel.suspectAllSleepers()
    for signal in signals {
      record(decision, of: process, "signal \(signal)")
      note(signal, to: [process])
      kill(number, signal)
    }
    switch decision.action.deed {
    case .kill(let scope):
      record(decision, of: process, "kill \(scope.rawValue)")
      doom(scope, around: process)
    case .crash(let planned):
      let victims = kernel.victims(planned.scope, around: process)
      doomed.formUnion(victims.map(\.identifier))
      note(SIGKILL, to: victims)
      record(decision, of: process, faults.crash(planned, of: process, entry: decision.entry))
    case .stop(let length):
      record(decision, of: process, "stop \(length)")
      stop(process, for: length, decision.entry)
    case .restart(let delay):
      record(decision, of: process, "restart after \(delay)")
      restartTarget(of: process, after: delay, decision.entry)
    case .original where signals.isEmpty:
      record(decision, of: process, InjectedFault.original)
    default:
      break
    }
  }

  private func doom(_ scope: KillScope, around process: TargetProcess) {
    let victims = kernel.victims(scope, around: process)
    doomed.formUnion(victims.map(\.identifier))
    note(SIGKILL, to: victims)
    kernel.endProcesses(scope, around: process)
  }

  /// Notes at the targets of processes that these get a signal: what becomes of a target that has ended before is
  /// not its work.
  private func note(_ signal: Int32, to processes: [TargetProcess]) {
    for process in processes {
      guard let target = kernel.targets[process.target], target.status == nil else { continue }
      target.faultSignals.insert(signal)
      if process.identifier == target.process { target.ownFaultSignals.insert(signal) }
    }
  }

  /// Stops a process until virtual time has passed.
  func stop(_ process: TargetProcess, for length: Nanoseconds, _ entry: Int) {
    kernel.suspectAllSleepers()
    kill(process.identifier.number, SIGSTOP)
    file(
      .goOn(process.identifier, ordinal: process.ordinal, entry: entry),
      at: .monotonic(kernel.virtualNow + length))
  }

  /// Kills all processes of a process's target, and starts it again when virtual time has passed.
  func restartTarget(of process: TargetProcess, after delay: Nanoseconds, _ entry: Int) {
    guard let target = kernel.targets[process.target], target.status == nil, !target.awaitsRestart
    else {
      return
    }
    target.awaitsRestart = true
    doom(.tree, around: process)
    file(.restart(process.target, entry: entry), at: .monotonic(kernel.virtualNow + delay))
  }

  /// Starts a target again once its time has come, and no process of it is left.
  func restartInTime(_ number: TargetNumber) {
    guard let former = kernel.targets[number], restarts[number]?.isDue ?? false, !kernel.isStopping,
      let request = former.request,
      !kernel.processes.values.contains(where: { $0.target == number })
    else { return }
    restarts[number]?.isDue = false
    _ = former.transfer()
    let result = OneShot<LaunchError?>()
    kernel.launch(request, as: number, isRestart: true, result)
    guard let target = kernel.targets[number], target !== former else {
      restarts[number] = nil
      former.awaitsRestart = false
      if let error = result.value() { reportLostRestart(error, of: former) }
      former.end = TargetEnd(status: .signaled(number: SIGKILL))
      return
    }
    target.goOn(after: former)
  }

  /// A target could not be started again: its new process has ended before its program ran.
  func recordLostRestart(of number: TargetNumber, _ error: LaunchError, _ status: ExitStatus?) {
    restarts[number] = nil
    guard let target = kernel.targets[number] else { return }
    reportLostRestart(error, of: target)
    target.end = status.map { TargetEnd(status: $0) }
  }

  private func reportLostRestart(_ error: LaunchError, of target: LaunchedTarget) {
    kernel.report(
      .notice(
        process: target.process.number,
        text: "the target could not be restarted: \(error.reason)"))
  }

  private func record(_ decision: ChaosDecision, of process: TargetProcess, _ words: String) {
    var facts = ProcessContext(of: process, kernel)
    kernel.report(
      .faultInjected(
        InjectedFault(
          entry: rules.table.entries[decision.entry].name, occurrence: decision.occurrence,
          action: words, systemCall: "process", subject: facts.program().executable,
          result: nil, error: nil, process: process.identifier.number,
          processOrdinal: process.ordinal, threadOrdinal: 1, program: process.programName)))
  }
}
