extension Supervisor {
  /// Finds out whether a connection over loopback was made by a process of the scenario, or for its sake: by the
  /// runner, or by a command that it runs beside the target.
  ///
  /// - Parameters:
  ///   - sourcePort: the port at the client's end.
  ///   - port: the port at the other end.
  ///   - completion: called on the supervisor's thread; `true` for a stranger, and what it runs, where that can
  ///     be seen.
  package func findStranger(
    sourcePort: UInt16, port: UInt16,
    completion: @escaping @Sendable (_ isStranger: Bool, _ program: String?) -> Void
  ) {
    post { loop in
      let client = LoopbackClient(sourcePort: sourcePort, port: port)
      let verdict = client.verdict(among: loop.processes)
      completion(verdict.isStranger, verdict.program)
    }
  }
}
