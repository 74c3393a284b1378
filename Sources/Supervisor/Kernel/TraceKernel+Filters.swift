internal import CSupervisor
internal import Glibc

extension TraceKernel {
  /// Makes a process install a filter in place of the call that a thread is about to make, which
  /// the thread makes after that; false if nothing was done, as the process has it already, or
  /// cannot get it.
  ///
  /// - Parameter failure: the text that says what cannot be held where the process does not get it.
  func addFilter(
    _ late: LateFilter, before registers: Registers, of tracee: Tracee, failure: String
  ) -> Bool {
    let process = tracee.process
    guard !process.lateFilters.contains(late) else { return false }
    guard let memory = process.memory else {
      process.lateFilters.insert(late)
      reportOutOfReach(process, reason: failure)
      return false
    }
    guard let image = process.image else {
      addFilter(late, inPageOf: tracee, memory, before: registers, failure: failure)
      return true
    }
    let area = image.execArea(process.program.scratch.takeExecArea())
    guard late.write(to: memory, at: area) else { return false }
    var changed = registers
    changed.systemCall = SystemCallNumber.seccomp
    changed[argument: 0] = LateFilter.setFilter
    changed[argument: 1] = LateFilter.flags
    changed[argument: 2] = area
    complete(tracee, original: registers, with: changed) { [unowned self] registers in
      hasAdded(late, to: process, registers.result == 0, failure: failure)
      registers.restartSystemCall()
      registers.systemCall = -1
    }
    return true
  }

  private func hasAdded(
    _ late: LateFilter, to process: TargetProcess, _ isInstalled: Bool, failure: String
  ) {
    // Not before: another thread that needs it meanwhile must not go on unseen.
    process.lateFilters.insert(late)
    if !isInstalled { reportOutOfReach(process, reason: failure) }
  }

  /// The same for a process in which there is no room of the supervisor's: the thread maps a page for it.
  private func addFilter(
    _ late: LateFilter, inPageOf tracee: Tracee, _ memory: TargetMemory,
    before registers: Registers, failure: String
  ) {
    let length: UInt64 = 4_096
    var changed = registers
    changed.systemCall = SystemCallNumber.mmap
    let arguments = [
      0, length, UInt64(PROT_READ | PROT_WRITE), UInt64(MAP_PRIVATE | MAP_ANONYMOUS), UInt64.max, 0,
    ]
    for (index, argument) in arguments.enumerated() { changed[argument: index] = argument }
    complete(tracee, original: registers, with: changed) { [unowned self] exit in
      let page = exit.result
      let thread = tracee.identifier.number
      let instruction =
        exit.instructionPointer &- UInt64(Architecture.systemCallInstruction.count)
      var mask: UInt64 = 0
      var isInstalled = false
      if page > 0, late.write(to: memory, at: UInt64(page)),
        scenario_trace_hold_signals(thread, &mask) == 0
      {
        let seccomp = [LateFilter.setFilter, LateFilter.flags, UInt64(page), 0, 0, 0]
        isInstalled =
          makeCall(SystemCallNumber.seccomp, seccomp, in: tracee, exit, at: instruction) == 0
        _ = makeCall(
          SystemCallNumber.munmap, [UInt64(page), length, 0, 0, 0, 0], in: tracee, exit,
          at: instruction)
        scenario_trace_release_signals(thread, mask)
        sendPostponedSignals(to: tracee)
      }
      hasAdded(late, to: tracee.process, isInstalled, failure: failure)
      exit.restartSystemCall()
      exit.systemCall = -1
    }
  }
}
