internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension FaultInjector {
  /// Evaluates fault rules at the entry of a call; true if it is handled.
  ///
  /// - Parameter ownRegisters: the call as the thread has made it.
  func decide(about ownRegisters: Registers, of tracee: Tracee) -> Bool {
    guard !rules.isEmpty else { return false }
    disks?.measure(before: ownRegisters, of: tracee)
    if let settled = self[tracee].settled {
      if settled.isCall(of: ownRegisters) {
        self[tracee].settled = nil
        return carryOut(settled.decision, for: tracee, ownRegisters, until: settled.deadline)
      }
      // A handler of a signal calls from deeper on the stack.
      if ownRegisters.stackPointer >= settled.entry.stackPointer {
        self[tracee].settled = nil
        _ = leave(settled.decision, of: tracee)
      }
    }
    if rules.passes(ownRegisters.systemCall, process: tracee.process.ordinal) { return false }
    if rules.table.awaitsReplies { rules.table.replies = replies.counts }
    guard let call = rules.call(ownRegisters.systemCall),
      var facts = SyscallContext(of: tracee, ownRegisters, call, self)
    else { return false }
    let decision = rules.table.decide(call: call.index, &facts)
    if rules.table.joinsFunctions(call: call.index) { functions?.setDue() }
    guard let decision else { return meetDisks(of: tracee, ownRegisters) ?? false }
    if decision.action.changesNothing {
      if rules.table.isTold(decision) {
        recordFault(
          decision, of: tracee, ownRegisters, words: InjectedFault.original,
          subject: facts.subject())
      }
      let point = survey?.record(decision, of: tracee, call: call.name, ownRegisters, &facts)
      if let point, let branches = kernel.branches,
        branches.tryBranches(at: point, decision, of: tracee, ownRegisters, &facts)
      {
        return true
      }
      return meetDisks(of: tracee, ownRegisters) ?? false
    }
    _ = survey?.record(decision, of: tracee, call: call.name, ownRegisters, &facts)
    return carryOut(decision, for: tracee, ownRegisters, until: nil)
  }

  /// Carries out a decision; true if later interceptors must not see the call.
  func carryOut(
    _ decision: ChaosDecision, for tracee: Tracee, _ registers: Registers, until deadline: Deadline?
  ) -> Bool {
    var rest = decision
    if !rest.action.signalsBefore.isEmpty {
      // The thread goes back to where it made the call, gets the signals, and makes it again.
      let signals = rest.action.signalsBefore
      rest.action.signalsBefore = []
      recordFault(decision, of: tracee, registers, words: Self.words(signals))
      postpone(DeferredDecision(entry: registers, decision: rest), of: tracee)
      send(signals, to: tracee)
      var again = registers
      again.restartSystemCall()
      again.systemCall = -1
      kernel.finish(tracee, with: again)
      return true
    }
    if rest.action.deed == .hang || rest.action.delay > .zero || deadline != nil {
      return begin(rest, of: tracee, registers, until: deadline)
    }
    return perform(rest, for: tracee, registers)
  }

  /// Carries out a decision, after its delay.
  func perform(
    _ decision: ChaosDecision, for tracee: Tracee, _ registers: Registers
  ) -> Bool {
    let action = decision.action
    var changed = registers
    if action.deed.leavesCall, let isSettled = meetDisks(of: tracee, registers) {
      _ = leave(decision, of: tracee)
      return isSettled
    }
    switch action.deed {
    case .original where action.signalsAfter.isEmpty:
      return false
    case .result(let result):
      return skip(decision, of: tracee, registers, returning: Int(result))
    case .fail(let error) where registers.systemCall == SystemCallNumber.brk:
      // brk(2) of the kernel returns the break that is, not an errno.
      return enter(decision, of: tracee, registers, arguments: [(0, 0)], words: error.name)
    case .fail(let error):
      return skip(decision, of: tracee, registers, returning: -Int(error.code), error.name)
    case .lie:
      return skip(
        decision, of: tracee, registers, returning: pretendedResult(of: tracee, registers))
    case .compute(let computation):
      return compute(computation, decision, for: tracee, registers)
    case .execute(let command, let isAfter):
      return ask(command, isAfter: isAfter, decision, for: tracee, registers)
    case .exit(let code):
      recordFault(decision, of: tracee, registers, words: "exit \(code)")
      changed.systemCall = SystemCallNumber.exitGroup
      changed[argument: 0] = UInt64(code)
      if tracee.isRefused {
        // The refused call is over; this one is made from the user's side.
        tracee.isRefused = false
        changed.repeatSystemCall()
      }
      kernel.finish(tracee, with: changed)
      return true
    case .kill(let scope):
      recordFault(decision, of: tracee, registers, words: "kill \(scope.rawValue)")
      kernel.endProcesses(scope, around: tracee.process)
      return true
    case .stop(let length):
      recordFault(decision, of: tracee, registers, words: "stop \(length)")
      processes.stop(tracee.process, for: length, decision.entry)
      return false
    case .restart(let delay):
      recordFault(decision, of: tracee, registers, words: "restart after \(delay)")
      processes.restartTarget(of: tracee.process, after: delay, decision.entry)
      return true
    // The planner gives these to functions alone.
    case .failure, .fraction, .text, .link:
      return false
    case .disk(let answer): return self.answer(answer, decision, for: tracee, registers)
    case .crash(let planned):
      var facts = facts(of: decision, tracee, registers)
      let subject = facts?.subject() ?? disks?.known(of: tracee)?.path
      let words = crash(planned, decision, of: tracee)
      recordFault(decision, of: tracee, registers, words: words, subject: subject)
      return true
    case .hang, .original, .short, .corrupt:
      return transfer(decision, for: tracee, registers)
    }
  }

  // MARK: - Calls that are not made

  func skip(
    _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers, returning result: Int,
    _ error: String? = nil
  ) -> Bool {
    var changed = registers
    changed.skipSystemCall(returning: result)
    disks?.recordFailure(of: tracee, registers, result: result)
    recordFault(
      decision, of: tracee, registers, words: error ?? "returns \(result)", result: result,
      error: error)
    send(decision.action.signalsAfter, to: tracee)
    kernel.finish(tracee, with: changed)
    return true
  }

  /// Returns the result that reports complete success of a call.
  private func pretendedResult(of tracee: Tracee, _ registers: Registers) -> Int {
    guard let call = rules.call(registers.systemCall) else { return 0 }
    if call.traits.movesMessages, let transfer = call.traits.transfer,
      let memory = tracee.process.memory,
      let bytes = TransferMemory(transfer, size: nil, registers, memory)
    {
      return Self.report(bytes.total, among: bytes.messageLengths, of: bytes, memory)
    }
    guard call.traits.success == .count,
      var facts = SyscallContext(of: tracee, registers, call, self)
    else { return 0 }
    return Int(clamping: facts.size() ?? 0)
  }

  // MARK: - Calls that are made

  /// Makes the call with other arguments, and runs `body` at its exit, which may change its result and
  /// returns whether anything was changed.
  ///
  /// - Returns: false, as others may have to do with the call as well.
  func enter(
    _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers,
    arguments: [(index: Int, value: UInt64)] = [], edits: [InFlightFault.MemoryEdit] = [],
    words: String, subject: String? = nil,
    _ body: ((inout Registers) -> Bool)? = nil
  ) -> Bool {
    var facts = facts(of: decision, tracee, registers)
    var pendingFault = InFlightFault(
      entry: registers, decision: decision,
      systemCall: SystemCallTable.current.name(of: registers.systemCall),
      subject: subject ?? facts?.subject())
    pendingFault.arguments = arguments
    pendingFault.edits = edits
    pendingFault.finish = { [weak tracee, unowned self] exit in
      let hasEffect = body?(&exit) ?? true
      guard let tracee,
        rules.table.settle(
          decision, hasEffect: hasEffect, process: tracee.process.ordinal)
      else { return }
      recordFault(
        decision, of: tracee, registers, words: words, result: exit.result,
        subject: self[tracee].pending?.subject)
      send(decision.action.signalsAfter, to: tracee)
    }
    self[tracee].pending = pendingFault
    return false
  }

  /// Keeps a decision for the call that the thread makes again.
  ///
  /// One that a handler of a signal has interrupted before is forgotten: a thread keeps one.
  func postpone(_ decision: DeferredDecision, of tracee: Tracee) {
    if let former = self[tracee].settled { _ = leave(former.decision, of: tracee) }
    self[tracee].settled = decision
  }

  /// Makes a call as it is, and counts the decision about it as one without an effect.
  ///
  /// - Returns: false, as others may have to do with the call as well.
  func leave(_ decision: ChaosDecision, of tracee: Tracee) -> Bool {
    _ = rules.table.settle(decision, hasEffect: false, process: tracee.process.ordinal)
    return false
  }

  /// Keeps a sync until what is decided at the exit of its call is known.
  ///
  /// - Returns: whether anything is decided there.
  func keep(_ sync: WritebackJournal.Sync, of tracee: Tracee) -> Bool {
    guard case .inside? = self[tracee].pending?.phase else { return false }
    self[tracee].pending?.sync = sync
    return true
  }

  /// Carries out the fault of a call at its exit.
  func callReturned(of tracee: Tracee) {
    guard isInCall(of: tracee), case .inside? = self[tracee].pending?.phase else { return }
    self[tracee].pending?.phase = .leaving
  }

  /// A thread is about to go on that chaos accompanies through its call.
  func advancePendingFault(of tracee: Tracee) {
    guard var pendingFault = self[tracee].pending, pendingFault.phase != .inside,
      var registers = try? Registers.read(from: tracee.identifier)
    else { return }
    switch pendingFault.phase {
    case .entering:
      pendingFault.phase = .inside
      self[tracee].pending = pendingFault
      guard registers.systemCall >= 0, !pendingFault.arguments.isEmpty else { return }
      for (index, value) in pendingFault.arguments { registers[argument: index] = value }
      try? registers.write(to: tracee.identifier)
    case .leaving:
      restore(pendingFault.edits, of: tracee)
      let isRestart =
        TimedWait.isRestart(registers.result)
        || registers.instructionPointer != pendingFault.entry.instructionPointer
      var restored = pendingFault.entry.afterCall(registers)
      if isRestart {
        var decision = pendingFault.decision
        decision.action.delay = .zero
        postpone(DeferredDecision(entry: pendingFault.entry, decision: decision), of: tracee)
      } else {
        pendingFault.finish?(&restored)
        if let sync = pendingFault.sync {
          disks?.end(sync, result: registers.result == 0 ? restored.result : registers.result)
        }
      }
      self[tracee].pending = nil
      try? restored.write(to: tracee.identifier)
    case .inside:
      break
    }
  }

  /// Puts back what was changed in the caller's memory, the last change first.
  private func restore(_ edits: [InFlightFault.MemoryEdit], of tracee: Tracee) {
    guard let memory = tracee.process.memory else { return }
    for edit in edits.reversed() {
      edit.original.withUnsafeBytes { _ = memory.write($0, at: edit.address) }
    }
  }

  // MARK: - Signals and events

  func send(_ signals: [Int32], to tracee: Tracee) {
    for signal in signals {
      tracee.send(signal)
    }
  }

  private static func words(_ signals: [Int32]) -> String {
    "signal " + signals.map(String.init).joined(separator: ", ")
  }

  /// Returns the context of a call about which rules have decided.
  func facts(
    of decision: ChaosDecision, _ tracee: Tracee, _ registers: Registers
  ) -> SyscallContext? {
    guard let call = rules.call(registers.systemCall),
      var facts = SyscallContext(of: tracee, registers, call, self)
    else { return nil }
    facts.attend(to: rules.table.end(of: decision.entry, call: call.index))
    return facts
  }

  /// Records and reports the fault of a call.
  func recordFault(
    _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers, words: String,
    result: Int? = nil, error: String? = nil, subject: String? = nil
  ) {
    var subject = subject
    if subject == nil {
      var facts = facts(of: decision, tracee, registers)
      subject = facts?.subject()
    }
    kernel.report(
      .faultInjected(
        InjectedFault(
          entry: rules.table.entries[decision.entry].name, occurrence: decision.occurrence,
          action: words, systemCall: SystemCallTable.current.name(of: registers.systemCall),
          subject: subject, result: result, error: error,
          process: tracee.process.identifier.number, processOrdinal: tracee.process.ordinal,
          threadOrdinal: tracee.ordinal, program: tracee.process.programName)))
  }
}

extension TimedWait {
  /// Returns whether the kernel is about to make a call again, or to let it fail with EINTR.
  static func isRestart(_ result: Int) -> Bool {
    isInterruption(result) && result != -KernelError.interrupted
  }
}

extension ChaosAction.Deed {
  /// True if the call is made, perhaps otherwise than its caller meant it.
  fileprivate var leavesCall: Bool {
    switch self {
    case .original, .compute, .short, .corrupt, .stop: true
    case .execute(_, let isAfter): isAfter
    case .result, .failure, .fraction, .text, .fail, .exit, .kill, .hang, .lie, .link, .disk,
      .crash, .restart:
      false
    }
  }
}
