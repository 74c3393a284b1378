internal import CSupervisor
internal import Foundations
internal import Glibc

extension TracerLoop {
  /// A thread stands at the entry of a call that the filter shows us.
  func handleCall(of tracee: Tracee) {
    if case .waiting(let active) = tracee.state { return handleBegunWait(active, of: tracee) }
    if faults.passesPlainCalls, faults.passPlainCall(of: tracee) { return resume(tracee) }
    guard let registers = try? Registers.read(from: tracee.identifier) else { return }
    quiescence.recordSignalSource(registers)
    recordFutexWake(registers, by: tracee)
    endWatches(of: tracee, exit: nil)
    if intercept(registers, of: tracee) { return }
    switch registers.systemCall {
    case SystemCallNumber.clockGettime, SystemCallNumber.gettimeofday, SystemCallNumber.time:
      guard configuration.clock != nil else { return resume(tracee) }
      spinners.handleClockRead(of: tracee, registers)
    case SystemCallNumber.clone, SystemCallNumber.clone3, SystemCallNumber.fork,
      SystemCallNumber.vfork:
      keepTraced(tracee, registers)
    case SystemCallNumber.schedYield:
      spinners.handleYield(of: tracee, registers)
    case SystemCallNumber.connect, SystemCallNumber.sendto, SystemCallNumber.sendmsg,
      SystemCallNumber.sendmmsg, SystemCallNumber.getpeername:
      resume(tracee)
    case SystemCallNumber.socket:
      makeSocket(for: tracee, registers)
    case SystemCallNumber.setsockopt:
      setSocketOption(for: tracee, registers)
    case SystemCallNumber.getsockopt:
      readSocketOption(for: tracee, registers)
    case SystemCallNumber.recvfrom, SystemCallNumber.recvmsg:
      receiveMessages(for: tracee, registers)
    case SystemCallNumber.recvmmsg where tracee.unfinishedReceipt != nil:
      receiveLast(for: tracee, registers)
    case SystemCallNumber.recvmmsg where registers[argument: 4] == 0:
      receiveMessages(for: tracee, registers)
    case SystemCallNumber.open, SystemCallNumber.openat, SystemCallNumber.openat2:
      resume(tracee)
    case let number where PathQuery.pathArguments[number] != nil:
      spinners.discountStops(1)
      resume(tracee)
    case SystemCallNumber.execve, SystemCallNumber.execveat:
      handleExec(of: tracee, registers)
    case SystemCallNumber.schedSetaffinity, SystemCallNumber.schedGetaffinity:
      resume(tracee)
    case SystemCallNumber.ptrace:
      recordTraceRequest(of: tracee)
    case SystemCallNumber.ioctl:
      handleRequest(of: tracee, registers)
    case SystemCallNumber.mmap where faults.functions != nil:
      faults.functions?.recordMapping(of: tracee, registers)
    case SystemCallNumber.ioUringSetup:
      refuseRing(to: tracee, registers)
    case SystemCallNumber.ioSetup where faults.disks != nil:
      faults.disks?.refuseQueue(to: tracee, registers)
    case let number where CredentialCalls.numbers.contains(number):
      keepOpen(tracee, registers)
    case SystemCallNumber.prctl:
      handleDumpableFlag(of: tracee, registers)
    case let number
    where SignalSources.filterRules[number] != nil || CounterFlag.filterRules[number] != nil:
      // What sends no signal is no news for others.
      if SignalSources.effect(of: registers) == .none { spinners.discountStops(1) }
      resume(tracee)
    default:
      guard configuration.clock != nil else { return resume(tracee) }
      handleTimedWait(of: tracee, registers)
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

  /// A thread stands at the exit of a call that was watched.
  func handleExit(of tracee: Tracee) {
    if let observe = tracee.callObserver,
      let registers = try? Registers.read(from: tracee.identifier),
      // At the entry of a call the result is this (syscall(2) of the kernel's x86 entry code).
      registers.result != -KernelError.notSupported, !observe(registers)
    {
      tracee.callObserver = nil
    }
    if !tracee.exitWatches.isEmpty {
      endWatches(of: tracee, exit: try? Registers.read(from: tracee.identifier))
    }
    if case .inside? = tracee.pendingFault?.phase { tracee.pendingFault?.phase = .leaving }
    switch tracee.state {
    case .waiting(let active):
      endWait(active, of: tracee)
    case .completing(let completion):
      tracee.state = .running
      guard let current = try? Registers.read(from: tracee.identifier) else { return }
      var registers = completion.entry.afterCall(current)
      registers.result = sockets.result(registers.result, of: tracee)
      completion.body(&registers)
      finish(tracee, with: registers)
    case .restoring(let original, let slot):
      tracee.state = .running
      if let slot { tracee.process.slotsInUse.remove(slot) }
      guard let current = try? Registers.read(from: tracee.identifier) else { return }
      var registers = original.afterCall(current)
      registers.result = sockets.result(registers.result, of: tracee)
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
      sockets.watchRepeatedCall(of: tracee)
    case .startingProgram:
      prepareProgram(in: tracee)
    case .running where tracee.socketLook?.wait?.isDue ?? false:
      sockets.endWait(of: tracee)
      resume(tracee)
    case .running where tracee.following != nil && cancelledReads.isEmpty:
      handleFollowedCall(of: tracee)
    case .running where !cancelledReads.isEmpty:
      forgetQuiescence()
      cancelledReads.failRead(of: tracee)
      resume(tracee)
    case .running, .stoppedWithGroup, .waitingForChild, .parked:
      resume(tracee)
    }
  }
}

/// What is to be done at the exit of a call.
struct CallCompletion {
  /// The registers at the call's entry.
  var entry: Registers
  /// Sees the result, with the caller's own arguments, and may change it.
  var body: (inout Registers) -> Void
}

extension Registers {
  /// These registers, taken at a call's entry, as they must be at its exit.
  func afterCall(_ exit: Registers) -> Registers {
    var restored = exit
    for index in 0..<6 {
      restored[argument: index] = self[argument: index]
    }
    restored.systemCall = systemCall
    return restored
  }
}
