/// Where a client meant to go when it was led to the stand-in.
struct Destination: Hashable, Sendable {
  /// The host's name in lower case, if it was looked up.
  var host: String?
  /// The address as text.
  var address: String
  /// The port.
  var port: UInt16

  /// What a certificate must be made out to if the client does not say.
  var name: String {
    host ?? address
  }
}
