/// A connection of the target's that leads elsewhere than it was to.
package struct RedirectedConnection: Sendable, Hashable {
  /// Its place in the order of connections, counted from 1.
  package var number: Int
  /// The process that has made it.
  package var process: Int32
  /// The program that the process runs, with its arguments.
  package var arguments: [String]
  /// The port of this machine at the target's end.
  package var sourcePort: UInt16
  /// The port of this machine that it leads to.
  package var port: UInt16
  /// The position in the tree of threads of the thread that has made it: its index, from 0, among
  /// the children of its maker, from the first thread on; the same in each run.
  package var lineage: [UInt32]
  /// The number of connections that the thread had made before.
  package var ordinal: UInt32
  /// The ticket that `openLink` gave it.
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
