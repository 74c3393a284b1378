/// The process that makes a connection from one host to another.
package struct HostClient: Sendable, Hashable {
  /// The process; 0 where it is unknown.
  package var process: Int32
  /// The process's number in start order, from 1; 0 if it is unknown.
  package var processOrdinal: Int
  /// The path of the process's executable.
  package var executable: String

  /// Creates a client.
  package init(process: Int32 = 0, processOrdinal: Int = 0, executable: String = "") {
    self.process = process
    self.processOrdinal = processOrdinal
    self.executable = executable
  }
}
