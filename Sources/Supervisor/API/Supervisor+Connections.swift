extension Supervisor {
  /// Makes the kernel give up a TCP socket of a target on a host, as it does when nobody has acknowledged anything for too long:
  /// whoever waits for it gets ETIMEDOUT.
  ///
  /// What is sent to the other end must get lost from now on. It takes up to some seconds of real time, in which nothing
  /// else happens, and virtual time stands still.
  ///
  /// - Parameters:
  ///   - local: its own address.
  ///   - remote: the other end's.
  ///   - completion: called on the supervisor's thread.
  package func timeOut(
    from local: InternetAddress, to remote: InternetAddress,
    completion: @escaping @Sendable () -> Void
  ) {
    post { loop in
      loop.interceptors.find(HostSockets.self)?.timeOut(from: local, to: remote)
      completion()
    }
  }

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
