internal import CSupervisor
internal import Foundations
internal import Glibc

extension TracerLoop {
  /// Handles a call that the filter shows, at its entry.
  func handleCall(of tracee: Tracee) {
    if case .waiting(let active) = tracee.state { return waits.showBegun(active, of: tracee) }
    if faults.passesPlainCalls, faults.passPlainCall(of: tracee) { return resume(tracee) }
    guard let registers = try? Registers.read(from: tracee.identifier) else { return }
    tracee.watches.end(nil)
    let call = InterceptedCall(tracee: tracee, registers: registers)
    carryOut(interceptors.enter(call), call)
  }

  /// Carries out the disposition of a call.
  private func carryOut(_ disposition: CallDisposition, _ call: InterceptedCall) {
    let (tracee, registers) = (call.tracee, call.registers)
    switch disposition {
    case .pass, .watch, .proceed:
      resume(tracee)
    case .taken:
      break
    case .skip(let result):
      var registers = registers
      registers.skipSystemCall(returning: result)
      finish(tracee, with: registers)
    case .make(let changed, let exit):
      complete(tracee, original: registers, with: changed, exit)
    case .observe(let exit):
      tracee.state = .completing(CallCompletion(entry: registers, body: exit))
      resume(tracee)
    case .park(let wait, let made):
      waits.begin(wait, of: tracee, untimed: made)
    }
  }

  /// Writes the registers back and lets the thread go on.
  func finish(_ tracee: Tracee, with registers: Registers) {
    try? registers.write(to: tracee.identifier)
    resume(tracee)
  }

  /// Makes the call with other arguments, and puts the caller's own back at its exit: system calls
  /// keep all registers but rax, rcx and r11, and programs rely on it.
  func replaceArguments(
    of tracee: Tracee, original: Registers, with changed: Registers, scratchSlot: Int? = nil
  ) {
    tracee.state = .restoring(original, scratchSlot: scratchSlot)
    finish(tracee, with: changed)
  }

  /// Makes the call with other arguments, puts the caller's own back at its exit, and lets `body` see
  /// the result and change it.
  func complete(
    _ tracee: Tracee, original: Registers, with changed: Registers,
    _ body: @escaping (inout Registers) -> Void
  ) {
    tracee.state = .completing(CallCompletion(entry: original, body: body))
    finish(tracee, with: changed)
  }

  /// Handles a call that was watched, at its exit.
  func handleExit(of tracee: Tracee) {
    if tracee.watches.seesAll,
      let registers = try? Registers.read(from: tracee.identifier),
      // At the entry of a call the result is this (syscall(2) of the kernel's x86 entry code).
      registers.result != -KernelError.notSupported
    {
      tracee.watches.show(registers)
    }
    if tracee.watches.awaitsExit {
      tracee.watches.end(try? Registers.read(from: tracee.identifier))
    }
    faults.callReturned(of: tracee)
    switch tracee.state {
    case .waiting(let active):
      waits.end(active, of: tracee)
    case .completing(let completion):
      tracee.state = .running
      guard let current = try? Registers.read(from: tracee.identifier) else { return }
      var registers = completion.entry.afterCall(current)
      registers.result = waits.sockets.result(registers.result, of: tracee)
      completion.body(&registers)
      finish(tracee, with: registers)
    case .restoring(let original, let slot):
      tracee.state = .running
      if let slot { tracee.process.program.scratch.releaseSlot(slot) }
      guard let current = try? Registers.read(from: tracee.identifier) else { return }
      var registers = original.afterCall(current)
      registers.result = waits.sockets.result(registers.result, of: tracee)
      finish(tracee, with: registers)
    case .pausing(var active):
      // A handler of a signal may come first, and makes calls of its own.
      if let registers = try? Registers.read(from: tracee.identifier),
        registers.systemCall == SystemCallNumber.pause,
        registers.instructionPointer == active.wait.entry.instructionPointer
      {
        let deadline = active.wait.deadline
        if deadline.instant(on: clock) != .forever {
          active.ticket = scheduler.file(deadline, for: .thread(tracee.identifier))
        }
        tracee.state = .waiting(active)
      }
      resume(tracee)
    case .repeating:
      waits.sockets.watchRepeatedCall(of: tracee)
    case .startingProgram:
      launcher.programs.prepare(programIn: tracee)
    case .running where tracee.isInterrupted:
      waits.sockets.endWait(of: tracee)
      resume(tracee)
    case .running where tracee.following != nil && clocks.timers.cancelledReads.isEmpty:
      waits.handleFollowedCall(of: tracee)
    case .running where !clocks.timers.cancelledReads.isEmpty:
      forgetQuiescence()
      clocks.timers.cancelledReads.failRead(of: tracee)
      resume(tracee)
    case .running, .stoppedWithGroup, .waitingForChild, .parked:
      resume(tracee)
    }
  }

  // MARK: - Calls that a filter from outside refuses

  /// A thread has got SIGSYS: if that is for a call that was refused from outside, it is answered as others are;
  /// false if not.
  func handleRefusedCall(of tracee: Tracee) -> Bool {
    guard !launcher.refusedCalls.errors.isEmpty,
      scenario_trace_is_refusal(tracee.identifier.number) == 1,
      var registers = try? Registers.read(from: tracee.identifier),
      let error = launcher.refusedCalls.errors[registers.systemCall]
    else { return false }
    registers.result = -Int(error)
    guard (try? registers.write(to: tracee.identifier)) != nil else { return false }
    tracee.isRefused = true
    handleCall(of: tracee)
    return true
  }

  /// Shows the exit of a refused call whose thread is resumed, if it is awaited.
  func leaveRefusedCall(of tracee: Tracee) -> Bool {
    guard tracee.isRefused else { return false }
    tracee.isRefused = false
    guard stopsAtExit(tracee) else { return false }
    handleExit(of: tracee)
    return true
  }
}
