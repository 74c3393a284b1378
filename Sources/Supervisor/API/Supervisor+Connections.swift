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
}
