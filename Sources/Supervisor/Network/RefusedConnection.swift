/// A connection, or a datagram, that may not leave the machine.
public struct RefusedConnection: Sendable, Hashable {
  /// Where it was to go.
  public var address: InternetAddress
  /// How it was to be made.
  public var transport: TransportKind
  /// Whether something was to be sent with the same call.
  public var sends: Bool
  /// The host name that a name server was to be asked for; `nil` if it is none, or could not be read.
  public var name: String?
  /// The process.
  public var process: Int32
  /// What the process runs: program and arguments.
  public var arguments: [String]

  /// Creates one.
  public init(
    address: InternetAddress, transport: TransportKind, sends: Bool, name: String? = nil,
    process: Int32, arguments: [String]
  ) {
    self.address = address
    self.transport = transport
    self.sends = sends
    self.name = name
    self.process = process
    self.arguments = arguments
  }
}
