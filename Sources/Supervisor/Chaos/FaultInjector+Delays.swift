internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import ScenarioPlan

extension FaultInjector {
  /// Delays a thread before its call, for a virtual time or forever.
  ///
  /// The thread waits in pause(2): signals reach it, it can be killed, and everybody sees it asleep.
  func begin(
    _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers, until deadline: Deadline?
  ) -> Bool {
    let hangs = decision.action.deed == .hang
    var end = deadline
    if end == nil {
      end =
        hangs
        ? .monotonic(.forever) : .monotonic(kernel.virtualNow + decision.action.delay)
      recordFault(
        decision, of: tracee, registers,
        words: hangs ? "hang" : "delay \(decision.action.delay)")
    }
    guard let end, hangs || end.instant(on: kernel.clock) > kernel.virtualNow else {
      return perform(withoutDelay(decision), for: tracee, registers)
    }
    let wait = TimedWait(
      kind: .delay, deadline: end, requested: decision.action.delay, entry: registers)
    self[tracee].delayed = decision
    // A refused call's pause is yet to begin, and its time runs from then on.
    let ticket =
      tracee.isRefused || end.instant(on: kernel.clock) == .forever
      ? nil : kernel.file(end, for: .thread(tracee.identifier))
    let active = Tracee.ActiveWait(wait: wait, ticket: ticket)
    var paused = registers
    paused.systemCall = SystemCallNumber.pause
    if tracee.isRefused {
      // The call that the machine has refused is over; this one is made from the user's side.
      tracee.isRefused = false
      tracee.state = .pausing(active)
      paused.repeatSystemCall()
    } else {
      tracee.state = .waiting(active)
    }
    kernel.finish(tracee, with: paused)
    return true
  }

  /// Returns the activity of a thread that waits before its call.
  func heldActivity(of tracee: Tracee, _ active: Tracee.ActiveWait, _ call: String) -> String {
    let entry = self[tracee].delayed.map { rules.table.entries[$0.entry].name } ?? ""
    let hangs = active.wait.deadline.instant(on: kernel.clock) == .forever
    let length = hangs ? "forever" : "with \(kernel.rest(of: active.wait)) of virtual time left"
    return "is held before \(call) by the chaos entry \"\(entry)\", \(length)"
  }

  /// Resumes the calls, unchanged, that are held by entries which no longer apply.
  func releaseHeldCalls() {
    processes.releaseStopped()
    for tracee in kernel.tracees.values.sorted(by: { $0.isOlder(than: $1) }) {
      guard case .waiting(let active) = tracee.state, !active.isDue else { continue }
      if let decision = self[tracee].delayed {
        guard !rules.table.isApplied(decision.entry) else { continue }
        var rest = ChaosAction()
        rest.random = decision.action.random
        self[tracee].delayed?.action = rest
        kernel.endHold(of: tracee, active)
      } else if functions?.dropDelay(of: tracee, active) ?? false {
        kernel.endHold(of: tracee, active)
      }
    }
  }

  private func withoutDelay(_ decision: ChaosDecision) -> ChaosDecision {
    var rest = decision
    rest.action.delay = .zero
    return rest
  }

  /// Ends the delay of a thread at the exit of the pause in which it waited before its call.
  func endDelay(_ active: Tracee.ActiveWait, of tracee: Tracee) {
    kernel.cancel(active.ticket)
    tracee.state = .running
    kernel.forgetQuiescence()
    guard let decision = self[tracee].delayed.take(),
      let current = try? Registers.read(from: tracee.identifier)
    else { return kernel.resume(tracee) }
    var registers = active.wait.entry.afterCall(current)
    if active.isDue {
      // It makes the call now: once more from the user's side, so that all others see it as ever.
      postpone(
        DeferredDecision(entry: active.wait.entry, decision: withoutDelay(decision)), of: tracee)
      registers.restartSystemCall()
      registers.systemCall = -1
    } else {
      // A signal: the kernel decides between EINTR and starting again, with what is left of the delay.
      postpone(
        DeferredDecision(
          entry: active.wait.entry, decision: decision, deadline: active.wait.deadline),
        of: tracee)
      registers.result = -KernelError.restartSystemCall
    }
    kernel.finish(tracee, with: registers)
  }

  /// A signal comes before the pause of a call that is delayed: behind its handler the thread makes the call itself
  /// again, with what is left of the delay.
  func repeatPausedCall(of tracee: Tracee) {
    guard case .pausing(let active) = tracee.state, let decision = self[tracee].delayed.take(),
      var registers = try? Registers.read(from: tracee.identifier)
    else { return }
    tracee.state = .running
    postpone(
      DeferredDecision(
        entry: active.wait.entry, decision: decision, deadline: active.wait.deadline),
      of: tracee)
    registers.result = active.wait.entry.systemCall
    try? registers.write(to: tracee.identifier)
  }
}
