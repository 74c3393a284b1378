extension Supervisor {
  /// Makes the kernel give up a TCP socket of a target on a host, as it does when nobody has acknowledged anything for too long:
  /// whoever waits for it gets ETIMEDOUT.
  ///
  /// What is sent to the other end must get lost from now on. It takes up to some seconds of real time, or up to a minute
  /// where a connection has been pending for as long; the caller has virtual time stand still.
  ///
  /// - Parameters:
  ///   - local: its own address.
  ///   - remote: the other end's.
  ///   - completion: called on the supervisor's thread.
  package func timeOut(
    from local: InternetAddress, to remote: InternetAddress,
    completion: @escaping @Sendable () -> Void
  ) {
    post { [self] loop in
      guard let sockets = loop.interceptors.find(HostSockets.self),
        let socket = sockets.abandon(from: local, to: remote)
      else { return completion() }
      follow(socket, until: .now + AbandonedSocket.patience, completion)
    }
  }

  /// Waits until the kernel has given up a socket; others go on, and may be given up at the same time.
  private func follow(
    _ socket: AbandonedSocket, until deadline: ContinuousClock.Instant,
    _ completion: @escaping @Sendable () -> Void
  ) {
    post { [self] loop in
      guard socket.isOver() || .now >= deadline else {
        return follow(socket, until: deadline, completion)
      }
      loop.interceptors.find(HostSockets.self)?.hasTimedOut()
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
