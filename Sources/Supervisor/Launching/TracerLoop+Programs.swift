internal import CSupervisor
internal import Glibc

extension TracerLoop {
  /// A process runs a new program: its address space is fresh, its other threads are gone.
  func startProgram(in tracee: Tracee) {
    let process = tracee.process
    var former: UInt64 = 0
    _ = scenario_trace_event_message(tracee.identifier.number, &former)
    let caller = ThreadIdentifier(Int32(truncatingIfNeeded: former))
    if caller != tracee.identifier, tracees[caller] != nil {
      for interceptor in interceptors.all {
        interceptor.threadRenamed(caller, to: tracee.identifier)
      }
    }
    // execve(2) from another thread than the first: the caller takes the first one's number.
    for other in process.threads where other != tracee.identifier {
      // The caller's own number ends without a word.
      forget(other)
    }
    process.threads = [tracee.identifier]
    let isTold = process.trust.isTold
    if case .waiting(let active) = tracee.state { scheduler.cancel(active.ticket) }
    tracee.interruptedWait = nil
    tracee.unfinishedReceipt = nil
    tracee.callObserver = nil
    tracee.birth = nil
    tracee.following = nil
    tracee.pendingFault = nil
    tracee.settled = nil
    tracee.delayed = nil
    tracee.spin = SpinRecord()
    tracee.suspendedCalls = []
    sockets.forgetWait(of: tracee)
    process.dropAddressSpace()
    for interceptor in interceptors.all { interceptor.programStarted(in: process.identifier) }
    process.arguments = commandLine(of: process.identifier)
    reportWritten()
    report(
      .processStarted(
        process: process.identifier.number, arguments: process.arguments,
        trustVariables: reportWhomToTrust(tracee, isTold: isTold)))
    livelock.countProgram()
    finishLaunch(of: process.identifier, status: nil)

    guard let registers = try? Registers.read(from: tracee.identifier) else { return }
    guard registers.isNative else {
      reportOutOfReach(process, reason: "\(process.programName) is not a 64-bit program")
      kill(process.identifier.number, SIGKILL)
      return
    }
    recordLostPrivileges(of: process)
    let watchesCounter =
      interceptors.find(TimestampCounterGuard.self)?.watchesReads(of: process) ?? false
    let watchesEntry =
      !faults.rules.isEmpty || faults.functions != nil || configuration.limits != nil
      || faults.rules.hasProcessEntries || watchesCounter
    let needsPreparation = template != nil || watchesEntry
    process.hasEntered = !watchesEntry
    tracee.state = needsPreparation ? .startingProgram : .running
    resume(tracee)
  }

  private func commandLine(of process: ThreadIdentifier) -> [String] {
    let text = SmallFile.read("/proc/\(process.number)/cmdline") ?? ""
    return text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// What has become of a program that was to get its clock.
  private enum Preparation {
    /// It may begin.
    case ready
    /// It has been killed meanwhile.
    case gone
    /// It stays out of reach, for this reason.
    case failed(String)
  }

  /// At the exit of execve: maps the image, and sets a breakpoint at the program's own entry.
  func prepareProgram(in tracee: Tracee) {
    tracee.state = .running
    switch prepare(tracee) {
    case .ready:
      break
    case .gone:
      return
    case .failed(let reason):
      reportOutOfReach(tracee.process, reason: reason)
    }
    // Signals that came meanwhile: the first is delivered with this stop, the others by the kernel.
    let signals = tracee.postponedSignals
    tracee.postponedSignals = []
    for signal in signals.dropFirst() {
      _ = scenario_send_signal(
        tracee.process.identifier.number, tracee.identifier.number, signal)
    }
    resume(tracee, signal: signals.first ?? 0)
  }

  private func prepare(_ tracee: Tracee) -> Preparation {
    guard let registers = try? Registers.read(from: tracee.identifier) else { return .gone }
    guard let memory = tracee.process.memory,
      let vector = AuxiliaryVector(memory: memory, stackPointer: registers.stackPointer)
    else { return outcome(of: tracee, "its memory cannot be read by this user") }
    faults.functions?.begin(of: tracee.process, vector: vector)
    interceptors.find(EntropySeeder.self)?.seedProgram(
      of: tracee.process, vector, memory, unsteadyNames: template?.kernel.unsteadyNameOffsets ?? [])
    if !tracee.process.hasEntered, let entry = vector[UInt64(AT_ENTRY)]?.value,
      let original = memory.read(UInt8.self, at: entry)
    {
      memory.write(Architecture.breakpoint, at: entry)
      tracee.process.entryBreakpoint = (entry, original)
    }
    guard let template else { return .ready }
    guard let header = vector[UInt64(AT_SYSINFO_EHDR)] else { return .failed("it has no vDSO") }
    let caller = Caller(
      tracee: tracee, registers: registers,
      instruction: header.value + template.kernel.systemCallOffset)
    guard let (image, replacesKernel) = mapImage(template, header: header.value, memory, by: caller)
    else { return outcome(of: tracee, "its clock page cannot be mapped") }
    let kernelClock =
      replacesKernel ? 0 : template.kernel.clockOffset.map { header.value + $0 } ?? 0
    guard image.fill(memory, from: template, kernelClock: kernelClock) else {
      return outcome(of: tracee, "its clock page cannot be written")
    }
    tracee.process.functions?.systemCallInstruction = image.systemCallInstruction
    tracee.process.image = image
    interceptors.find(TimestampCounterGuard.self)?.prepare(
      tracee, registers, at: image.systemCallInstruction)
    guard (try? registers.write(to: tracee.identifier)) != nil else { return .gone }
    if configuration.clock != nil {
      spinners.publishFirstClock(to: tracee.process)
      memory.write(image.header, at: header.address)
    }
    return .ready
  }

  /// What a failure means: of a process that has been killed, nothing.
  private func outcome(of tracee: Tracee, _ reason: String) -> Preparation {
    let isStopped = (try? Registers.read(from: tracee.identifier)) != nil
    return isStopped && tracees[tracee.identifier] === tracee ? .failed(reason) : .gone
  }

  /// Maps the image; `nil` if that cannot be done.
  ///
  /// Registers are put back.
  ///
  /// - Parameter header: where the kernel's own vDSO lies.
  /// - Returns: the image, and whether the kernel's is there no more.
  private func mapImage(
    _ template: InjectedImage.Template, header: UInt64, _ memory: TargetMemory, by caller: Caller
  ) -> (image: InjectedImage, replacesKernel: Bool)? {
    var caller = caller
    // Where time flows, the image reads the kernel's clock by the kernel's own vDSO.
    let mayReplace =
      configuration.clock != nil && template.fitsKernelPlace
      && !(clock.flows && template.kernel.clockOffset != nil)
    let frontLength = UInt64(template.frontLength)
    let length = UInt64(template.dataLength) + (mayReplace ? 0 : frontLength)
    guard let start = mapPages(at: nil, length, by: caller) else { return nil }
    var front = start
    var data = start + frontLength
    var replacesKernel = false
    if mayReplace {
      data = start
      replacesKernel = unmapKernel(template, header: header, data: data, memory, by: &caller)
      let place = replacesKernel ? header - 2 * UInt64(SCENARIO_PAGE_SIZE) : nil
      guard let mapped = mapPages(at: place, frontLength, by: caller) else { return nil }
      front = mapped
    }
    let counters = [
      front, UInt64(SCENARIO_PAGE_SIZE), UInt64(PROT_READ | PROT_WRITE), 0, 0, 0,
    ]
    guard makeCall(SystemCallNumber.mprotect, counters, by: caller) == 0,
      (try? caller.registers.write(to: caller.tracee.identifier)) != nil
    else { return nil }
    return (InjectedImage(front: front, data: data, template: template), replacesKernel)
  }

  /// Unmaps the kernel's own vDSO with its data; false if that cannot be done (mseal(2)), and then it is there still.
  ///
  /// No part of it can be replaced as long as the rest is there.
  private func unmapKernel(
    _ template: InjectedImage.Template, header: UInt64, data: UInt64, _ memory: TargetMemory,
    by caller: inout Caller
  ) -> Bool {
    var moved = caller
    moved.instruction = InjectedImage.systemCallInstruction(data: data)
    guard let room = template.kernel.room,
      Architecture.systemCallInstruction.withUnsafeBytes({ memory.write($0, at: moved.instruction) }
      ),
      makeCall(
        SystemCallNumber.munmap,
        [header - room.before, room.before + room.behind, 0, 0, 0, 0], by: moved) == 0
    else { return false }
    caller = moved
    return true
  }

  /// Makes a stopped thread map anonymous pages that it can read and execute, and returns where.
  private func mapPages(at place: UInt64?, _ length: UInt64, by caller: Caller) -> UInt64? {
    let protection = UInt64(PROT_READ | PROT_EXEC)
    let flags = UInt64(MAP_PRIVATE | MAP_ANONYMOUS | (place == nil ? 0 : MAP_FIXED))
    guard
      let start = makeCall(
        SystemCallNumber.mmap, [place ?? 0, length, protection, flags, UInt64.max, 0], by: caller),
      start > 0, UInt64(start) % UInt64(SCENARIO_PAGE_SIZE) == 0
    else { return nil }
    return UInt64(start)
  }

  /// A stopped thread that can be made to make calls.
  private struct Caller {
    var tracee: Tracee
    /// What its registers are to be again.
    var registers: Registers
    /// Where a `syscall` instruction lies.
    var instruction: UInt64
  }

  private func makeCall(_ number: Int, _ arguments: [UInt64], by caller: Caller) -> Int? {
    makeCall(number, arguments, in: caller.tracee, caller.registers, at: caller.instruction)
  }

  /// Lets a thread run the one system call instruction that it stands at; false if it is gone.
  ///
  /// Other stops may come first: the filter wants to see the call, a signal has come. Signals wait.
  func stepOverCall(_ tracee: Tracee, at instruction: UInt64) -> Bool {
    let thread = tracee.identifier
    let end = instruction + UInt64(Architecture.systemCallInstruction.count)
    var hasMissedStop = false
    while scenario_trace_single_step(thread.number) == 0 {
      let stop = scenario_await_stop(thread.number)
      switch stop.kind {
      case SCENARIO_STOP_EXITED, SCENARIO_STOP_KILLED:
        handle(stop)
        return false
      case SCENARIO_STOP_NONE:
        return false
      case SCENARIO_STOP_EXEC:
        // Another thread has run a program, and taken this one's number.
        tracee.postponedSignals = []
        handle(stop)
        return false
      case SCENARIO_STOP_EVENT, SCENARIO_STOP_GROUP:
        hasMissedStop = true
      case SCENARIO_STOP_SIGNAL where stop.value != SIGTRAP:
        tracee.postponedSignals.append(Int32(stop.value))
      case SCENARIO_STOP_SIGNAL:
        guard (try? Registers.read(from: thread).instructionPointer) == end else { continue }
        // It comes once more, to where it is expected.
        if hasMissedStop { _ = scenario_trace_interrupt(thread.number) }
        return true
      default:
        break
      }
    }
    return false
  }

  /// Whether a trap was the breakpoint at the program's entry; then the program goes on from there.
  func handleBreakpoint(of tracee: Tracee) -> Bool {
    guard let breakpoint = tracee.process.entryBreakpoint,
      var registers = try? Registers.read(from: tracee.identifier),
      registers.instructionPointer == breakpoint.address + 1
    else { return false }
    tracee.process.memory?.write(breakpoint.original, at: breakpoint.address)
    tracee.process.entryBreakpoint = nil
    tracee.process.hasEntered = true
    registers.stepBackOverBreakpoint()
    try? registers.write(to: tracee.identifier)
    faults.functions?.watch(of: tracee, registers, isAtEntry: true)
    faults.processes.recordStart(of: tracee.process)
    resume(tracee)
    return true
  }
}
