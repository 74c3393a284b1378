package import FaultEngine

/// The links between the hosts of a case, through which all that they send to each other goes; asked on the supervisor's
/// thread, which waits for it.
package protocol HostLinks: Sendable {
  /// Decides about a connection that a target on one host is about to make to another host.
  func open(_ connection: RelayedHostConnection) -> RelayedHostOpening
  /// The client of a connection for which `open` has said that it comes through has not come.
  func abandon(client: InternetAddress)
  /// Replaces the options by which the kernel gives up a connection between hosts, at one of its ends.
  ///
  /// - Parameter other: the other end's address; `nil` where it has not answered yet.
  func setTimeouts(_ timeouts: TCPTimeouts, of end: InternetAddress, to other: InternetAddress?)
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
  /// The process's number in start order, from 1.
  package var processOrdinal: Int
  /// The names of the program that the process runs.
  package var program: ProgramNames
  /// The options by which the kernel gives the connection up at the client's end.
  package var clientTimeouts: TCPTimeouts
  /// The same at the server's end.
  package var serverTimeouts: TCPTimeouts
}

/// The result of an attempt to connect from one host to another.
package enum RelayedHostOpening: Sendable, Hashable {
  /// The server accepts: the relay forwards the connection.
  case relayed
  /// No process listens at the port.
  case refused
  /// A fault refuses the connection although a process listens.
  case denied
  /// The attempt has no answer yet.
  case silent
}

/// The place among the hosts of an address of this machine.
package struct RelayedHostPlace: Sendable, Hashable {
  /// The host's number, from 0.
  package var host: Int
  /// The address of the host's socket.
  package var own: InternetAddress
  /// The address at which the relay serves it.
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

  /// Returns whether an address drops all packets, so that no answer comes.
  func isSilent(_ address: InternetAddress) -> Bool {
    place(at: address)?.interface == .silent
  }
}
