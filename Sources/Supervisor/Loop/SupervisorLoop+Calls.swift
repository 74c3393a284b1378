internal import CSupervisor
internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  /// A thread stands at the entry of a call that the filter shows us.
  func handleCall(of tracee: Tracee) {
    guard var registers = try? Registers.read(from: tracee.identifier) else { return }
    if tracee.process.hasEntered, let error = fault(for: tracee, registers) {
      registers.skipSystemCall(returning: -Int(error))
      return finish(tracee, with: registers)
    }
    switch registers.systemCall {
    case SystemCallNumber.clockGettime, SystemCallNumber.gettimeofday, SystemCallNumber.time:
      guard configuration.clock != nil else { return resume(tracee) }
      registers.skipSystemCall(returning: readClock(for: tracee, registers))
      finish(tracee, with: registers)
    case SystemCallNumber.connect, SystemCallNumber.sendto, SystemCallNumber.sendmsg,
      SystemCallNumber.sendmmsg:
      routeCall(of: tracee, registers)
    case SystemCallNumber.open, SystemCallNumber.openat, SystemCallNumber.openat2:
      openFile(for: tracee, registers)
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

  /// A thread stands at the exit of a call that was watched.
  func handleExit(of tracee: Tracee) {
    switch tracee.state {
    case .waiting(let active):
      endWait(active, of: tracee)
    case .restoring(let original, let slot):
      tracee.state = .running
      if let slot { tracee.process.slotsInUse.remove(slot) }
      guard let current = try? Registers.read(from: tracee.identifier) else { return }
      finish(tracee, with: original.afterCall(current))
    case .startingProgram:
      prepareProgram(in: tracee)
    case .running, .stoppedWithGroup, .waitingForChild:
      resume(tracee)
    }
  }

  // MARK: - Clock reads

  /// Answers clock_gettime, gettimeofday and time as the replacement vDSO would; returns the result.
  private func readClock(for tracee: Tracee, _ registers: Registers) -> Int {
    guard let memory = tracee.process.memory else { return -KernelError.badAddress }
    let real = RealClock.monotonic()
    let wall = clock.wall(real: real)
    switch registers.systemCall {
    case SystemCallNumber.time:
      let address = registers[argument: 0]
      guard address == 0 || memory.writeAsKernel(wall.seconds, at: address) else {
        return -KernelError.badAddress
      }
      return Int(wall.seconds)
    case SystemCallNumber.gettimeofday:
      var time = TimeValue(wall)
      time.fraction /= 1_000
      let isWritten =
        (registers[argument: 0] == 0 || memory.writeAsKernel(time, at: registers[argument: 0]))
        && (registers[argument: 1] == 0
          || memory.writeAsKernel(UInt64(0), at: registers[argument: 1]))
      return isWritten ? 0 : -KernelError.badAddress
    default:
      let time: TimeValue
      switch ClockKind(number: registers[argument: 0]) {
      case .realtime: time = TimeValue(wall)
      case .internationalAtomic: time = TimeValue(wall + .seconds(ClockKind.atomicOffset))
      case .monotonic, nil: time = TimeValue(clock.monotonic(real: real))
      }
      return memory.writeAsKernel(time, at: registers[argument: 1]) ? 0 : -KernelError.badAddress
    }
  }

  // MARK: - Files

  /// Opens the replacement where the target opens a replaced file for reading.
  private func openFile(for tracee: Tracee, _ registers: Registers) {
    guard let replacement = configuration.fileReplacement, let image = tracee.process.image,
      let memory = tracee.process.memory
    else { return resume(tracee) }
    let pathIndex = registers.systemCall == SystemCallNumber.open ? 0 : 1
    let flags: UInt64
    if registers.systemCall == SystemCallNumber.openat2 {
      flags = memory.read(UInt64.self, at: registers[argument: 2]) ?? 0
    } else {
      flags = registers[argument: pathIndex + 1]
    }
    guard flags & UInt64(O_ACCMODE) == 0,
      let path = memory.readText(at: registers[argument: pathIndex]), replacement.replaces(path)
    else { return resume(tracee) }
    var changed = registers
    changed[argument: pathIndex] = image.replacementPath
    replaceArguments(of: tracee, original: registers, with: changed)
  }
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
