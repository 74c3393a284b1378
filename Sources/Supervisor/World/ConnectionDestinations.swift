/// The original destinations of redirected connections.
protocol ConnectionDestinations: AnyObject {
  /// Returns whether a port of this machine stands for a remote one.
  func isDestination(_ port: UInt16) -> Bool
  /// Returns the destination, host and port, of a redirected connection to a port of this machine;
  /// `nil` if it is that port itself.
  func destination(of port: UInt16) -> String?
  /// Returns whether an address of this machine drops all packets, so that no answer comes.
  func isSilent(_ address: InternetAddress) -> Bool
  /// The address that one of this machine stands for; `nil` if it stands for none.
  func original(of address: InternetAddress) -> InternetAddress?
}
