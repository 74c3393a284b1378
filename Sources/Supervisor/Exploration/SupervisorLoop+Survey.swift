internal import ScenarioPlan

extension SupervisorLoop {
  /// Tells the survey of a call that one of its entries has taken, and returns what it was told.
  ///
  /// - Parameters:
  ///   - call: the name of the system call or the function.
  ///   - address: where the call is made.
  ///   - subject: what it is about.
  func survey(
    _ decision: ChaosDecision, of tracee: Tracee, call: String, at address: UInt64,
    program: String, subject: String?
  ) -> FaultPoint? {
    guard let survey = configuration.survey, survey.entries.contains(decision.entry) else {
      return nil
    }
    let point = FaultPoint(
      entry: decision.entry, occurrence: decision.occurrence, call: call, subject: subject,
      program: program, process: tracee.process.ordinal, thread: tracee.ordinal,
      site: tracee.process.site(of: address))
    survey.sight(point)
    return point
  }
}

extension TargetProcess {
  /// The file whose code lies at an address, without its folder, and how far from the file's beginning.
  fileprivate func site(of address: UInt64) -> String? {
    if let known = sites[address] { return known }
    guard let memory,
      let place = CallerMemory(memory: memory, process: identifier.number).place(of: address)
    else { return nil }
    let name = place.file.split(separator: "/").last.map(String.init) ?? place.file
    let site = "\(name)+0x\(String(place.offset, radix: 16))"
    sites[address] = site
    return site
  }
}
