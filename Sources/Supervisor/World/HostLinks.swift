/// The links between the hosts of a case, through which all that they send to each other goes; asked on the supervisor's
/// thread, which waits for it.
package protocol HostLinks: Sendable {
  /// Decides about a connection that a target on one host is about to make to another host.
  func open(_ connection: RelayedHostConnection) -> RelayedHostOpening
  /// The client of a connection for which `open` has said that it comes through has not come.
  func abandon(client: InternetAddress)
  /// Opens an address of this machine at which datagrams for a port of a host arrive; returns whether it is open.
  func openDatagrams(at address: InternetAddress) -> Bool
}

/// A connection from one host to another, by addresses of this machine.
package struct RelayedHostConnection: Sendable, Hashable {
  /// Its number among the connections between hosts, from 1.
  package var number: Int
  /// The number of the client's host, from 0.
  package var from: Int
  /// The number of the other one.
  package var to: Int
  /// Where the client's socket is.
  package var client: InternetAddress
  /// Where the server's is, or would be.
  package var goal: InternetAddress
  /// From where the relay goes to the server.
  package var source: InternetAddress
  /// Where the client connects to if it comes through.
  package var gate: InternetAddress
  /// Where it connects to if it gets no answer yet.
  package var silence: InternetAddress
  /// The server's port, as targets see it.
  package var port: UInt16
  /// The process that makes it.
  package var process: Int32
  /// The process's number in the order of births, from 1.
  package var processOrdinal: Int
  /// The path of what the process runs.
  package var executable: String
}

/// What becomes of a connection from one host to another.
package enum RelayedHostOpening: Sendable, Hashable {
  /// It comes through.
  case relayed
  /// Nobody listens.
  case refused
  /// It is refused although somebody listens.
  case denied
  /// It gets no answer yet.
  case silent
}

/// Where an address of this machine is among the hosts.
package struct RelayedHostPlace: Sendable, Hashable {
  /// The host's number, from 0.
  package var host: Int
  /// Where a socket of the host's is.
  package var own: InternetAddress
  /// Where the relay is in its place.
  package var relay: InternetAddress
  /// The port that targets see.
  package var port: UInt16
}

extension HostNetwork {
  /// Where an address of this machine is among the hosts; `nil` if it is no host's.
  package func relayedPlace(at real: InternetAddress) -> RelayedHostPlace? {
    guard var place = place(at: real) else { return nil }
    place.interface = .own
    let own = self.real(of: place)
    place.interface = .relayed
    return RelayedHostPlace(
      host: place.host, own: own, relay: self.real(of: place), port: place.port)
  }

  /// Returns whether nobody answers at an address, as nothing gets through to it.
  func isSilent(_ address: InternetAddress) -> Bool {
    place(at: address)?.interface == .silent
  }
}
