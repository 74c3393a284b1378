/// A connection of the target's that leads elsewhere than it was to.
package struct RedirectedConnection: Sendable, Hashable {
  /// Its place in the order of connections, counted from 1.
  package var number: Int
  /// The process that has made it.
  package var process: Int32
  /// What the process runs: program and arguments.
  package var arguments: [String]
  /// The port of this machine at the target's end.
  package var sourcePort: UInt16
  /// The port of this machine that it leads to.
  package var port: UInt16
  /// Which child, counted from 0, the thread that has made it is of which of its makers, from the first
  /// thread on: the same in each run.
  package var lineage: [UInt32]
  /// How many connections that thread had made before.
  package var ordinal: UInt32
  /// What `openLink` has told of it.
  package var ticket: Int?

  /// Creates a connection.
  package init(
    number: Int, process: Int32, arguments: [String], sourcePort: UInt16, port: UInt16,
    lineage: [UInt32] = [], ordinal: UInt32 = 0
  ) {
    self.number = number
    self.process = process
    self.arguments = arguments
    self.sourcePort = sourcePort
    self.port = port
    self.lineage = lineage
    self.ordinal = ordinal
  }
}
