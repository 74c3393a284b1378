internal import CSupervisor
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// What chaos does to processes at an instant.
enum ScheduledProcessFault {
  /// An entry's moment comes.
  case moment(entry: Int)
  /// A stopped process goes on.
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

extension TracerLoop {
  // MARK: - Moments

  /// Files the instants at which entries strike those that live then.
  func fileChaosMoments() {
    for entry in faults.table.processEntries {
      guard let from = faults.table.entries[entry].schedule.from else { continue }
      switch from {
      case .shift(let length):
        let elapsed = clock.elapsed(real: RealClock.monotonic())
        file(.moment(entry: entry), at: .monotonic(virtualNow + (length - elapsed)))
      case .absolute(let instant): file(.moment(entry: entry), at: .wall(instant))
      case .day: break
      }
    }
  }

  private func file(_ scheduledTask: ScheduledProcessFault, at deadline: Deadline) {
    nextExternalParticipant += 1
    scheduledProcessFaults[nextExternalParticipant] = (
      scheduledTask, scheduler.file(deadline, for: .externalParticipant(nextExternalParticipant))
    )
  }

  /// Lets processes go on that entries had stopped which hold no more, and calls off what such entries were
  /// about to start again: the target stays killed.
  func releaseStoppedProcesses() {
    for (number, filed) in scheduledProcessFaults.sorted(by: { $0.key < $1.key })
    where !faults.table.isApplied(filed.scheduledTask.entry) {
      // The moment of an entry stays: a step may apply it again.
      if case .moment = filed.scheduledTask { continue }
      scheduledProcessFaults[number] = nil
      scheduler.cancel(filed.ticket)
      if case .restart(let number, _) = filed.scheduledTask {
        targets[number].map(callOffRestart)
      } else {
        keep(filed.scheduledTask)
      }
    }
    for target in targets.all where target.isRestartDue {
      guard let entry = target.restartEntry, !faults.table.isApplied(entry) else { continue }
      callOffRestart(of: target)
    }
  }

  private func callOffRestart(of target: LaunchedTarget) {
    target.isRestartDue = false
    target.restartEntry = nil
    guard target.awaitsRestart else { return }
    target.awaitsRestart = false
    // Of a process that is not gone yet its end will be told.
    if processes[target.process] == nil { target.status = .signaled(number: SIGKILL) }
  }

  /// The instant of an appointment has come.
  func keep(_ scheduledTask: ScheduledProcessFault) {
    switch scheduledTask {
    case .moment(let entry): strikeLiving(by: entry)
    case .goOn(let identifier, let ordinal, _):
      guard let process = processes[identifier], process.ordinal == ordinal else { return }
      kill(identifier.number, SIGCONT)
    case .restart(let number, let entry):
      targets[number]?.isRestartDue = true
      targets[number]?.restartEntry = entry
      restartInTime(number)
    }
  }

  /// Strikes for entries whose reply has gone out.
  func strikeBehindReplies() {
    guard faults.awaitsRepliesForProcesses else { return }
    faults.table.replies = configuration.replies.counts
    for entry in faults.table.processEntries where !chaosEventsHeld.contains(entry) {
      guard let event = faults.table.entries[entry].schedule.event,
        faults.table.replies[event.reply, default: 0] >= event.number
      else { continue }
      chaosEventsHeld.insert(entry)
      strikeLiving(by: entry)
    }
  }

  /// Strikes for entries that hold while a step is performed which has begun.
  func enterStep(_ name: String) {
    faults.table.activeSteps.append(name)
    strikeDuring(name)
  }

  func leaveStep() {
    if !faults.table.activeSteps.isEmpty { faults.table.activeSteps.removeLast() }
  }

  private func strikeDuring(_ step: String) {
    for entry in faults.table.processEntries
    where faults.table.entries[entry].schedule.during == step {
      strikeLiving(by: entry)
    }
  }

  /// Strikes for entries that a step has applied.
  func strikeForApplied(_ selection: ChaosSelection) {
    for entry in faults.table.processEntries {
      if case .entry(let name) = selection, faults.table.entries[entry].name != name { continue }
      chaosEventsHeld.remove(entry)
      strikeLiving(by: entry)
    }
  }

  /// Asks an entry about all processes that live, in the order of their births.
  private func strikeLiving(by entry: Int) {
    let now = RealClock.monotonic()
    faults.table.recordMoment(
      of: entry, elapsed: clock.elapsed(real: now), wall: clock.wall(real: now))
    for process in processes.values.sorted(by: { $0.ordinal < $1.ordinal }) where !process.isDoomed
    {
      var facts = ProcessContext(of: process, self)
      let isFirst = targets.begun(by: process.identifier) != nil
      guard
        let decision = faults.table.decideMoment(of: entry, isFirst: isFirst, &facts)
      else { continue }
      strike(process, decision)
    }
  }

  // MARK: - Starts

  /// A process has been made; its first instruction is yet to come.
  func recordBirth(of tracee: Tracee) {
    guard tracee.process.identifier == tracee.identifier else { return }
    recordStart(of: tracee.process, isBorrower: tracee.process.isBorrower)
  }

  /// A process begins to run a program: it stands at its own first instruction.
  func recordStart(of process: TargetProcess, isBorrower: Bool = false) {
    guard faults.hasProcessEntries, !process.isDoomed else { return }
    var facts = ProcessContext(of: process, self, isBorrower: isBorrower)
    let target = targets.begun(by: process.identifier)
    let isFirst = target != nil
    if let target, let entry = target.restartEntry {
      target.restartEntry = nil
      faults.table.spare(process.ordinal, by: entry)
    }
    if faults.awaitsRepliesForProcesses { faults.table.replies = configuration.replies.counts }
    guard let decision = faults.table.decideStart(isFirst: isFirst, &facts) else { return }
    strike(process, decision)
  }

  // MARK: - Deeds

  private func strike(_ process: TargetProcess, _ decision: ChaosDecision) {
    let number = process.identifier.number
    let signals = decision.action.signalsBefore + decision.action.signalsAfter
    sleepWatch.suspectAll()
    for signal in signals {
      record(decision, of: process, "signal \(signal)")
      kill(number, signal)
    }
    switch decision.action.deed {
    case .kill(let scope):
      record(decision, of: process, "kill \(scope.rawValue)")
      doom(scope, around: process)
    case .crash(let planned):
      for victim in victims(planned.scope, around: process) { victim.isDoomed = true }
      record(decision, of: process, crash(planned, of: process, entry: decision.entry))
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
    for victim in victims(scope, around: process) { victim.isDoomed = true }
    endProcesses(scope, around: process)
  }

  /// Stops a process until virtual time has passed.
  func stop(_ process: TargetProcess, for length: Nanoseconds, _ entry: Int) {
    sleepWatch.suspectAll()
    kill(process.identifier.number, SIGSTOP)
    file(
      .goOn(process.identifier, ordinal: process.ordinal, entry: entry),
      at: .monotonic(virtualNow + length))
  }

  /// Kills all processes of a process's target, and starts it again when virtual time has passed.
  func restartTarget(of process: TargetProcess, after delay: Nanoseconds, _ entry: Int) {
    guard let target = targets[process.target], target.status == nil, !target.awaitsRestart else {
      return
    }
    target.awaitsRestart = true
    doom(.tree, around: process)
    file(.restart(process.target, entry: entry), at: .monotonic(virtualNow + delay))
  }

  /// Starts a target again once its time has come, and nobody of it is left.
  func restartInTime(_ number: TargetNumber) {
    guard let former = targets[number], former.isRestartDue, !isStopping,
      let request = former.request, !processes.values.contains(where: { $0.target == number })
    else { return }
    former.isRestartDue = false
    _ = former.transfer()
    let result = OneShot<LaunchError?>()
    launch(request, as: number, isRestart: true, result)
    guard let target = targets[number], target !== former else {
      former.awaitsRestart = false
      if let error = result.value() { reportLostRestart(error, of: former) }
      former.status = .signaled(number: SIGKILL)
      return
    }
    target.goOn(after: former)
  }

  /// A target could not be started again: its new process has ended before its program ran.
  func recordLostRestart(of number: TargetNumber, _ error: LaunchError, _ status: ExitStatus?) {
    guard let target = targets[number] else { return }
    reportLostRestart(error, of: target)
    target.status = status
  }

  private func reportLostRestart(_ error: LaunchError, of target: LaunchedTarget) {
    report(
      .notice(
        process: target.process.number,
        text: "the target could not be started again: \(error.reason)"))
  }

  private func record(_ decision: ChaosDecision, of process: TargetProcess, _ words: String) {
    var facts = ProcessContext(of: process, self)
    report(
      .faultInjected(
        InjectedFault(
          entry: faults.table.entries[decision.entry].name, occurrence: decision.occurrence,
          action: words, systemCall: "process", subject: facts.program(), result: nil, error: nil,
          process: process.identifier.number, processOrdinal: process.ordinal, threadOrdinal: 1,
          program: process.programName)))
  }
}
