internal import Glibc

extension SupervisorLoop {
  /// Decides about a connection that a thread is about to make; the errno with which it fails, if it does.
  ///
  /// - Parameter copy: a copy of the socket's descriptor.
  func openLink(
    to address: InternetAddress, of tracee: Tracee, copy: Int32, _ router: any ConnectionRouter
  ) -> Int32? {
    // A thread may ask again how a connection is getting on (connect(2), EALREADY and EISCONN).
    guard Self.isUnconnected(copy) else { return nil }
    let process = tracee.process
    let executable = executable(of: process)
    let opening = router.openLink(
      RequestedConnection(
        address: address, process: process.identifier.number, processOrdinal: process.ordinal,
        executable: executable))
    switch opening {
    case .refused(let error): return error
    case .made(let ticket):
      abandonLink(of: tracee)
      tracee.linkTicket = ticket
      return nil
    }
  }

  /// The path of what a process runs.
  func executable(of process: TargetProcess) -> String {
    let executable =
      process.executable ?? SmallFile.link("/proc/\(process.identifier.number)/exe")
      ?? process.programName
    process.executable = executable
    return executable
  }

  /// What was decided about a thread's connection is of no use: the connection was not made.
  func abandonLink(of tracee: Tracee) {
    guard let ticket = tracee.linkTicket else { return }
    tracee.linkTicket = nil
    configuration.router?.abandonLink(ticket)
  }

  /// Whether a TCP socket has not begun to connect (tcp(7), TCP_INFO).
  private static func isUnconnected(_ copy: Int32) -> Bool {
    let closed: UInt8 = 7
    var state: UInt8 = closed
    var length = socklen_t(MemoryLayout<UInt8>.size)
    guard copy >= 0, getsockopt(copy, Int32(IPPROTO_TCP), TCP_INFO, &state, &length) == 0 else {
      return true
    }
    return state == closed
  }
}
