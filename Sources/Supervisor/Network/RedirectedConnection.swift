/// A connection of the target's that leads elsewhere than it was to.
public struct RedirectedConnection: Sendable, Hashable {
  /// Its place in the order of connections, counted from 1.
  public var number: Int
  /// The process that has made it.
  public var process: Int32
  /// What the process runs: program and arguments.
  public var arguments: [String]
  /// The port of this machine at the target's end.
  public var sourcePort: UInt16
  /// The port of this machine that it leads to.
  public var port: UInt16
  /// Which child, counted from 0, the thread that has made it is of which of its makers, from the first
  /// thread on: the same in each run.
  public var lineage: [UInt32]
  /// How many connections that thread had made before.
  public var ordinal: UInt32
  /// What `openLink` has told of it.
  public var ticket: Int?

  /// Creates a connection.
  public init(
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
