package import FaultEngine

/// A connection that the target is about to make.
package struct RequestedConnection: Sendable, Hashable {
  /// The destination.
  package var address: InternetAddress
  /// The target on whose host the process runs.
  package var home: TargetNumber
  /// The process.
  package var process: Int32
  /// The process's number in start order, from 1.
  package var processOrdinal: Int
  /// The names of the program that the process runs.
  package var program: ProgramNames

  /// Creates a request.
  package init(
    address: InternetAddress, home: TargetNumber, process: Int32, processOrdinal: Int,
    program: ProgramNames
  ) {
    self.address = address
    self.home = home
    self.process = process
    self.processOrdinal = processOrdinal
    self.program = program
  }
}

/// The decision about a connection before it is made.
package enum LinkOpening: Sendable, Hashable {
  /// The connection fails with this errno.
  case refused(errorNumber: Int32)
  /// The connection is made; `recordConnection` gets `ticket`.
  case made(ticket: Int?)
}
