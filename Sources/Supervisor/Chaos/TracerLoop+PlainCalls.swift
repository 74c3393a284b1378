internal import CSupervisor
internal import ScenarioPlan

/// Calls of which the number alone tells that they are made as they are.
///
/// All registers of a thread take a tenth of what a stop costs; the number of its call takes a fourth of that.
extension TracerLoop {
  /// Counts a call that is made as it is, where its number tells so; false, and nothing is counted, where it
  /// does not.
  func passPlainCall(of tracee: Tracee) -> Bool {
    guard tracee.process.hasEntered, tracee.settled == nil else { return false }
    let number = scenario_trace_system_call(tracee.identifier.number)
    guard number >= 0, faults.isPlain(number) else { return false }
    tracee.diskTouch = nil
    return faults.passes(number, process: tracee.process.ordinal)
  }
}

extension ChaosInjector {
  /// Finds the plain calls of a world, in which time is the machine's own; false if there are none.
  mutating func findsPlainCalls(
    in configuration: SupervisorConfiguration, interceptors: Interceptors, _ disks: DiskWatch?
  ) -> Bool {
    guard configuration.clock == nil, configuration.survey == nil,
      configuration.fileWatch == nil,
      !configuration.entropy.isSeeded
    else { return false }
    let nobody = ChaosInjector(entries: [], directory: nil)
    findPlainCalls(
      others: Set(
        FilterRules.rules(
          for: configuration, interceptors: interceptors, faults: nobody, disks: disks
        ).keys))
    return hasPlainCalls
  }
}
