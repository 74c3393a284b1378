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

  /// Creates a connection.
  public init(
    number: Int, process: Int32, arguments: [String], sourcePort: UInt16, port: UInt16
  ) {
    self.number = number
    self.process = process
    self.arguments = arguments
    self.sourcePort = sourcePort
    self.port = port
  }
}
