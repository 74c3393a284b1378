/// The routing of a connection.
package enum RoutingDecision: Sendable, Hashable {
  /// To its own destination.
  case pass
  /// To this port of 127.0.0.1, which stands for this one address and no other.
  case redirect(port: UInt16)
  /// Discarded, like datagrams to a machine without a listener: the call succeeds, and the data
  /// is refused by an answer of the network (ICMP).
  case discard
  /// Refused: the call fails with this errno.
  case refuse(errorNumber: Int32)
}

/// Decides where the target's connections go; asked on the supervisor's thread, which waits for it.
package protocol ConnectionRouter: Sendable {
  /// True if `route` ever answers with a redirection, for which the target's memory must be prepared.
  var redirects: Bool { get }
  /// Decides the way of a connection to `address`, or of a datagram, if `sends`.
  func route(
    to address: InternetAddress, transport: TransportKind, sends: Bool
  ) -> RoutingDecision
  /// The host name that the target looked up to get `address`; `nil` if it did not.
  func hostName(of address: InternetAddress) -> String?
  /// Returns whether an address is one of this machine's own, so that nothing leaves it that is sent there.
  func isHere(_ address: InternetAddress) -> Bool
  /// True if no packet may leave this machine: sockets that could send one past `route` are refused.
  var confines: Bool { get }
  /// Records a connection that was redirected; called before the target can send anything.
  func recordConnection(_ connection: RedirectedConnection)
  /// Records that the process which has made a redirected connection ends while it has it open;
  /// called before the kernel closes it.
  func recordEnd(ofConnectionFrom sourcePort: UInt16, to port: UInt16)
  /// Records a socket that leads to a name server, where `wantsNameClients`; called before the
  /// target can ask.
  func recordNameClient(_ client: NameServerClient)
  /// True if `recordNameClient` is to be called.
  var wantsNameClients: Bool { get }
  /// True if `recordRefusal` is to be called.
  var wantsRefusals: Bool { get }
  /// Records a call that `route` has refused, where `wantsRefusals`.
  func recordRefusal(_ refusal: RefusedConnection)
  /// True if `openLink` wants to be asked.
  var hasLinks: Bool { get }
  /// Decides about a connection that is about to be made.
  func openLink(_ connection: RequestedConnection) -> LinkOpening
  /// Records that a connection for which `openLink` gave a ticket was not made after all.
  func abandonLink(_ ticket: Int)
  /// A connection that `route` would redirect goes where it was meant to: to the target's own server.
  func abandonRedirection(of address: InternetAddress)
}

extension ConnectionRouter {
  /// Only loopback addresses unless implemented otherwise.
  package func isHere(_ address: InternetAddress) -> Bool { address.isLoopback }
  /// True unless said otherwise.
  package var confines: Bool { true }
  /// Does nothing unless implemented otherwise.
  package func recordConnection(_ connection: RedirectedConnection) {}
  /// Does nothing unless implemented otherwise.
  package func recordEnd(ofConnectionFrom sourcePort: UInt16, to port: UInt16) {}
  /// Does nothing unless implemented otherwise.
  package func recordNameClient(_ client: NameServerClient) {}
  /// False unless implemented otherwise.
  package var wantsNameClients: Bool { false }
  /// False unless implemented otherwise.
  package var wantsRefusals: Bool { false }
  /// Does nothing unless implemented otherwise.
  package func recordRefusal(_ refusal: RefusedConnection) {}
  /// False, as without faults of links, unless implemented otherwise.
  package var hasLinks: Bool { false }
  /// Made unless said otherwise.
  package func openLink(_ connection: RequestedConnection) -> LinkOpening { .made(ticket: nil) }
  /// Does nothing unless implemented otherwise.
  package func abandonLink(_ ticket: Int) {}
  /// Does nothing unless implemented otherwise.
  package func abandonRedirection(of address: InternetAddress) {}
}
