/// Where a connection is to go.
package enum RoutingDecision: Sendable, Hashable {
  /// Where it was to go.
  case pass
  /// To this port of 127.0.0.1, which stands for this one address and no other.
  case redirect(port: UInt16)
  /// Nowhere, as datagrams go to a machine on which nobody listens: the call succeeds, and what is sent
  /// is refused by an answer of the network (ICMP).
  case discard
  /// Nowhere: the call fails with this errno.
  case refuse(errorNumber: Int32)
}

/// Decides where the target's connections go; asked on the supervisor's thread, which waits for it.
package protocol ConnectionRouter: Sendable {
  /// True if `route` ever answers with a redirection, for which the target's memory must be prepared.
  var redirects: Bool { get }
  /// Where a connection to `address` is to go, or a datagram, if `sends`.
  func route(
    to address: InternetAddress, transport: TransportKind, sends: Bool
  ) -> RoutingDecision
  /// The host name that the target looked up to get `address`; `nil` if it did not.
  func hostName(of address: InternetAddress) -> String?
  /// Returns whether an address is one of this machine's own, so that nothing leaves it that is sent there.
  func isHere(_ address: InternetAddress) -> Bool
  /// True if no packet may leave this machine: sockets that could send one past `route` are refused.
  var confines: Bool { get }
  /// Told, before the target can send anything, of each connection that was redirected.
  func recordConnection(_ connection: RedirectedConnection)
  /// Told, before it can ask, of each socket that leads to a name server, where `hasLinks`.
  func recordNameClient(_ client: NameServerClient)
  /// True if `recordRefusal` wants to be told.
  var wantsRefusals: Bool { get }
  /// Told of each call that `route` has refused, where `wantsRefusals`.
  func recordRefusal(_ refusal: RefusedConnection)
  /// True if `openLink` wants to be asked.
  var hasLinks: Bool { get }
  /// Decides about a connection that is about to be made.
  func openLink(_ connection: RequestedConnection) -> LinkOpening
  /// A connection that `openLink` has told of was not made after all.
  func abandonLink(_ ticket: Int)
  /// A connection that `route` would redirect goes where it was meant to: to the target's own server.
  func abandonRedirection(of address: InternetAddress)
}

extension ConnectionRouter {
  /// Those of the loopback network unless said otherwise.
  package func isHere(_ address: InternetAddress) -> Bool { address.isLoopback }
  /// True unless said otherwise.
  package var confines: Bool { true }
  /// Nobody wants to know unless said otherwise.
  package func recordConnection(_ connection: RedirectedConnection) {}
  /// Nobody wants to know unless said otherwise.
  package func recordNameClient(_ client: NameServerClient) {}
  /// Nobody wants to know unless said otherwise.
  package var wantsRefusals: Bool { false }
  /// Nobody wants to know unless said otherwise.
  package func recordRefusal(_ refusal: RefusedConnection) {}
  /// Nothing goes wrong on connections unless said otherwise.
  package var hasLinks: Bool { false }
  /// Made unless said otherwise.
  package func openLink(_ connection: RequestedConnection) -> LinkOpening { .made(ticket: nil) }
  /// Nobody wants to know unless said otherwise.
  package func abandonLink(_ ticket: Int) {}
  /// Nobody wants to know unless said otherwise.
  package func abandonRedirection(of address: InternetAddress) {}
}
