/// A connection, or a datagram, that may not leave the machine.
package struct RefusedConnection: Sendable, Hashable {
  /// The destination.
  package var address: InternetAddress
  /// The kind of the connection.
  package var transport: TransportKind
  /// True if something was to be sent with the same call.
  package var sends: Bool
  /// The host name of a refused lookup; `nil` if there is none, or it could not be read.
  package var name: String?
  /// The process.
  package var process: Int32
  /// The program that the process runs, with its arguments.
  package var arguments: [String]

  /// Creates one.
  package init(
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
