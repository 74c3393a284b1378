/// A connection that the target is about to make.
public struct RequestedConnection: Sendable, Hashable {
  /// Where it is to lead.
  public var address: InternetAddress
  /// The process.
  public var process: Int32
  /// The process's number in the order of births, from 1.
  public var processOrdinal: Int
  /// The path of what the process runs.
  public var executable: String

  /// Creates a request.
  public init(address: InternetAddress, process: Int32, processOrdinal: Int, executable: String) {
    self.address = address
    self.process = process
    self.processOrdinal = processOrdinal
    self.executable = executable
  }
}

/// What is decided about a connection before it is made.
public enum LinkOpening: Sendable, Hashable {
  /// It fails with this errno.
  case refused(errorNumber: Int32)
  /// It is made; `ticket` is what `noteConnection` is told of it.
  case made(ticket: Int?)
}
