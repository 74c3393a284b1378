internal import CSupervisor
internal import Foundations
internal import Glibc
internal import ScenarioPlan

extension FunctionInjector {
  /// Returns whether a trap was that of a watched function; if so, the thread continues.
  func handleTrap(of tracee: Tracee) -> Bool {
    guard let sites = tracee.process.program.functions,
      var registers = try? Registers.read(from: tracee.identifier)
    else { return false }
    let place = registers.instructionPointer
    if let stub = sites.breakpoints[place] {
      registers.instructionPointer = stub
      kernel.finish(tracee, with: registers)
      return true
    }
    return finishEdited(tracee, registers)
  }

  /// Returns whether a call was one by which a hooked function reports; then the thread is resumed.
  func handleReport(of tracee: Tracee, _ registers: Registers) -> Bool {
    guard let sites = tracee.process.program.functions else { return false }
    let place = registers.instructionPointer
    if let trap = sites.traps[place] {
      handle(trap, of: tracee, registers)
      return true
    }
    return sites.wakingPlaces[place].map { wake(tracee, registers, bed: $0) } ?? false
  }

  private func handle(_ trap: Breakpoints.Trap, of tracee: Tracee, _ registers: Registers) {
    guard let memory = tracee.process.memory,
      case let saved = memory.readBytes(8 * FunctionStub.saved.count, at: registers.stackPointer),
      saved.count == 8 * FunctionStub.saved.count
    else { return kernel.resume(tracee) }
    let point = trap.trap.point
    var registers = registers
    let words = saved.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    let before = registers.leaveStub(saved: words, next: trap.trap.next)
    // What a shared counter has found due is asked about even if by now a later call is due: threads need
    // not be heard in the order in which they have counted.
    let occurrence = trap.isShared ? before &+ 1 : hooks.add(to: point)
    let isDue = trap.isShared || hooks.isDue(occurrence, of: point)
    guard tracee.process.hasEntered, isDue,
      let name = tracee.process.program.functions?.sites[trap.site].name,
      let caller = memory.read(UInt64.self, at: registers.stackPointer)
    else { return kernel.finish(tracee, with: registers) }
    let call = FunctionCall(
      point: point, function: name, occurrence: occurrence,
      process: tracee.process.identifier.number, thread: tracee.identifier.number,
      program: tracee.process.programName, arguments: registers.functionArguments, caller: caller)
    let callerMemory = CallerMemory(memory: memory, process: call.process)
    let met = decide(of: tracee, registers, call, trap, callerMemory)
    if met?.isSettled == true, let site = tracee.process.program.functions?.sites[trap.site] {
      registers.instructionPointer = site.uncounted
    }
    let verdict = met?.verdict ?? hooks.faults.decide(call, callerMemory)
    hooks.setDue(verdict.nextDue, of: point)
    perform(verdict.action, for: tracee, registers, site: trap.site)
  }

  /// Carries out the action for a call, and resumes the thread.
  ///
  /// The thread stands at the function's beginning; `registers` are what it continues with if the
  /// call is made.
  func perform(
    _ action: FunctionAction, for tracee: Tracee, _ registers: Registers, site: Int,
    signal: Int32 = 0
  ) {
    var registers = registers
    guard let memory = tracee.process.memory, let sites = tracee.process.program.functions,
      let caller = memory.read(UInt64.self, at: registers.stackPointer)
    else { return kernel.resume(tracee) }
    switch action {
    case .original:
      break
    case .result(let result):
      give(result, to: tracee, &registers, memory)
      registers.returnFromFunction(to: caller)
    case .text(let text):
      guard let place = placeOfText(text, tracee, registers, memory) else { break }
      registers.functionResult = place
      registers.returnFromFunction(to: caller)
    case .arguments(let arguments, let action):
      for (index, value) in arguments { registers.setFunctionArgument(index, to: value) }
      return perform(action, for: tracee, registers, site: site, signal: signal)
    case .exit(let code):
      guard sites.sleepingPlace != 0 else { break }
      registers.prepareCall(
        SystemCallNumber.exitGroup, at: sites.sleepingPlace,
        arguments: [UInt64(bitPattern: Int64(code)), 0, 0, 0, 0, 0])
    case .allocationFailure:
      failAllocation(of: sites.sites[site].name, caller, tracee, &registers, memory)
    case .edit(let edit):
      watchReturn(of: tracee, to: caller, registers, edit)
    case .signal(let number, let action):
      return perform(action, for: tracee, registers, site: site, signal: number)
    case .delay(let length, let action):
      self[tracee].append(.sleeping(registers, then: action, site: site))
      let time = TimeValue(length.map { Nanoseconds($0) } ?? .forever)
      guard sites.sleepingPlace != 0, memory.write(time, at: registers.redZone) else { break }
      let place = registers.redZone
      registers.prepareCall(
        SystemCallNumber.clockNanosleep, at: sites.sleepingPlace,
        arguments: [UInt64(CLOCK_MONOTONIC), 0, place, place, 0, 0])
    }
    try? registers.write(to: tracee.identifier)
    // Queued and not injected: a queued signal respects the thread's mask.
    if signal != 0 { tracee.send(signal) }
    kernel.resume(tracee)
  }

  /// Continues the call before which a thread slept for the supervisor.
  private func wake(_ tracee: Tracee, _ registers: Registers, bed: UInt64) -> Bool {
    guard case .sleeping(let suspended, let action, let site)? = self[tracee].last else {
      return false
    }
    // The second argument's register has kept what the sleep returned.
    guard registers.functionArguments[1] != UInt64(bitPattern: -Int64(EINTR)) else {
      // A handler has run; what is left stands where the length stood.
      var again = registers
      let place = suspended.redZone
      again.prepareCall(
        SystemCallNumber.clockNanosleep, at: bed,
        arguments: [UInt64(CLOCK_MONOTONIC), 0, place, place, 0, 0])
      kernel.finish(tracee, with: again)
      return true
    }
    self[tracee].removeLast()
    perform(action, for: tracee, suspended, site: site)
    return true
  }

  // MARK: - Results

  private func give(
    _ result: FunctionResult, to tracee: Tracee, _ registers: inout Registers,
    _ memory: TargetMemory
  ) {
    if let error = result.errorNumber {
      if let place = errorPlace(of: tracee, registers, memory) {
        memory.write(error, at: place)
      } else {
        kernel.notice(
          "cannot set errno of \"\(tracee.process.programName)\": it has no"
            + " \(FunctionHooks.errorLocation)", of: tracee.process)
      }
    }
    registers.functionResult = result.integer
    if result.isAlone {
      registers.clearFurtherResults()
      _ = scenario_trace_clear_numbers(tracee.identifier.number)
    }
    if let number = result.number {
      _ = scenario_trace_set_number(tracee.identifier.number, number)
    }
  }

  /// Returns the address of a text that a function returns; each is written once for a process.
  private func placeOfText(
    _ text: String, _ tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) -> UInt64? {
    if let place = tracee.process.program.functions?.texts[text] { return place }
    let bytes = Array(text.utf8) + [0]
    let protection = UInt64(PROT_READ | PROT_WRITE)
    let flags = UInt64(MAP_PRIVATE | MAP_ANONYMOUS)
    guard
      let place = kernel.makeCall(
        SystemCallNumber.mmap, [0, UInt64(bytes.count), protection, flags, UInt64.max, 0],
        in: tracee, registers
      ).flatMap({ UInt64(exactly: $0) }),
      place < 1 << 47, bytes.withUnsafeBytes({ memory.write($0, at: place) })
    else { return nil }
    kernel.sendPostponedSignals(to: tracee)
    tracee.process.program.functions?.texts[text] = place
    return place
  }

  /// Returns the address of a thread's errno.
  ///
  /// errno is a variable of the thread, at the same offset from its thread pointer in each thread
  /// of a process; libc's function that returns its address is called once.
  private func errorPlace(
    of tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) -> UInt64? {
    guard let sites = tracee.process.program.functions else { return nil }
    if let offset = sites.errorOffset { return registers.threadPointer &+ offset }
    guard let function = sites.helpers[FunctionHooks.errorLocation],
      let place = kernel.result(of: function, in: tracee, registers, memory)
    else { return nil }
    kernel.sendPostponedSignals(to: tracee)
    tracee.process.program.functions?.errorOffset = place &- registers.threadPointer
    return place
  }

  /// malloc(3), posix_memalign(3), and `operator new` of C++, which throws.
  private func failAllocation(
    of function: String, _ caller: UInt64, _ tracee: Tracee, _ registers: inout Registers,
    _ memory: TargetMemory
  ) {
    if PlannedFunctions.throwingAllocators.contains(function) {
      // As if its last act had been a jump there: the exception goes to the caller.
      if let place = tracee.process.program.functions?.helpers[FunctionHooks.throwing] {
        registers.instructionPointer = place
        return
      }
      kernel.notice(
        "\"\(tracee.process.programName)\" cannot throw std::bad_alloc: it has no libstdc++",
        of: tracee.process)
      return
    }
    if function == "posix_memalign" {
      registers.functionResult = UInt64(ENOMEM)
    } else if PlannedFunctions.nothrowAllocators.contains(function) {
      registers.functionResult = 0
    } else {
      give(FunctionResult(errorNumber: ENOMEM), to: tracee, &registers, memory)
    }
    registers.returnFromFunction(to: caller)
  }

  // MARK: - Results of calls that are made

  /// The number of calls of one thread whose results can be changed at a time, each within the
  /// other.
  private static let debugRegisters = 4

  /// Stops a thread where a call returns to.
  ///
  /// By a debug register, so that neither its code nor its stack is changed: an exception that passes by
  /// finds all as it was.
  private func watchReturn(
    of tracee: Tracee, to caller: UInt64, _ registers: Registers, _ edit: ResultEdit
  ) {
    dropPassedReturns(of: tracee, below: registers.stackPointer)
    let used = Set(
      self[tracee].compactMap { call -> Int? in
        if case .running(_, _, let slot, _) = call { slot } else { nil }
      })
    guard let slot = (0..<Self.debugRegisters).first(where: { !used.contains($0) }),
      scenario_trace_watch_place(tracee.identifier.number, Int32(slot), caller) == 0
    else {
      kernel.notice(
        "cannot change a function's result in \"\(tracee.process.programName)\": no debug"
          + " register is left", of: tracee.process)
      return edit.abandon()
    }
    self[tracee].append(
      .running(
        caller: caller, stackPointer: registers.stackPointer &+ 8, slot: slot, edit: edit))
  }

  /// Returns whether a trap was that of a call which is back.
  private func finishEdited(_ tracee: Tracee, _ registers: Registers) -> Bool {
    var isKnown = false
    for (index, call) in self[tracee].enumerated().reversed() {
      guard case .running(let caller, let stackPointer, let slot, let edit) = call,
        caller == registers.instructionPointer
      else { continue }
      isKnown = true
      guard stackPointer == registers.stackPointer else { continue }
      self[tracee].remove(at: index)
      _ = scenario_trace_watch_place(tracee.identifier.number, Int32(slot), 0)
      change(tracee, registers, edit.map)
      return true
    }
    // Another call that returns to the same place.
    guard isKnown else { return false }
    dropPassedReturns(of: tracee, below: registers.stackPointer)
    kernel.resume(tracee)
    return true
  }

  private func change(
    _ tracee: Tracee, _ registers: Registers,
    _ edit: (FunctionResult, CallerMemory) -> FunctionResult
  ) {
    var registers = registers
    guard let memory = tracee.process.memory else { return kernel.resume(tracee) }
    var number = 0.0
    _ = scenario_trace_get_number(tracee.identifier.number, &number)
    let original = FunctionResult(integer: registers.functionResult, number: number)
    var result = edit(
      original, CallerMemory(memory: memory, process: tracee.process.identifier.number))
    // A signalling NaN or an integer would not survive the way through a number.
    if result.number?.bitPattern == number.bitPattern { result.number = nil }
    give(result, to: tracee, &registers, memory)
    kernel.finish(tracee, with: registers)
  }

  /// Forgets calls that have been left by an exception or longjmp(3).
  private func dropPassedReturns(of tracee: Tracee, below stackPointer: UInt64) {
    self[tracee].removeAll { call in
      guard case .running(_, let own, let slot, _) = call, own < stackPointer else { return false }
      _ = scenario_trace_watch_place(tracee.identifier.number, Int32(slot), 0)
      call.abandon()
      return true
    }
  }
}
