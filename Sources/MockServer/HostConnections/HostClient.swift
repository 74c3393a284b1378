package import FaultEngine

/// The process that makes a connection from one host to another.
package struct HostClient: Sendable, Hashable {
  /// The process; 0 where it is unknown.
  package var process: Int32
  /// The process's number in start order, from 1; 0 if it is unknown.
  package var processOrdinal: Int
  /// The names of the program that the process runs.
  package var program: ProgramNames

  /// Creates a client.
  package init(process: Int32 = 0, processOrdinal: Int = 0, program: ProgramNames = .unknown) {
    self.process = process
    self.processOrdinal = processOrdinal
    self.program = program
  }
}
