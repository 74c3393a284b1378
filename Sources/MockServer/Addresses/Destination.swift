/// The host and port that a client requested before it was redirected to the mock server.
struct Destination: Hashable, Sendable {
  /// The host's name in lower case, if it was looked up.
  var host: String?
  /// The address as text.
  var address: String
  /// The port.
  var port: UInt16

  /// The name for a certificate if the client sends none.
  var name: String {
    host ?? address
  }
}

extension Destination {
  /// A destination as the supervisor knows it.
  ///
  /// - Parameters:
  ///   - host: the name that was looked up, if the address came from a name.
  ///   - address: the address that the target connects to, as text.
  init(lookedUp host: String?, address: String, port: UInt16) {
    self.init(
      host: host.flatMap { HostName.normalized($0) }, address: address.lowercased(), port: port)
  }
}
