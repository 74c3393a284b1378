internal import CSupervisor

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
    guard let memory = process.memory, let image = process.image else {
      process.lateFilters.insert(late)
      reportOutOfReach(process, reason: failure)
      return false
    }
    let area = image.execArea(process.program.scratch.takeExecArea())
    guard late.write(to: memory, at: area) else { return false }
    var changed = registers
    changed.systemCall = SystemCallNumber.seccomp
    changed[argument: 0] = LateFilter.setFilter
    changed[argument: 1] = LateFilter.flags
    changed[argument: 2] = area
    complete(tracee, original: registers, with: changed) { [unowned self] registers in
      // Not before: another thread that needs it meanwhile must not go on unseen.
      process.lateFilters.insert(late)
      if registers.result != 0 { reportOutOfReach(process, reason: failure) }
      registers.restartSystemCall()
      registers.systemCall = -1
    }
    return true
  }
}
