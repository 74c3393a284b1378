/// An internet address and port that the target wants to reach.
package struct InternetAddress: Hashable, Sendable {
  /// The address's bytes in network order: 4 for IPv4, 16 for IPv6.
  package var bytes: [UInt8]
  /// The port.
  package var port: UInt16

  /// Creates an address.
  package init(bytes: [UInt8], port: UInt16) {
    self.bytes = bytes
    self.port = port
  }

  /// Whether it is this machine's own loopback (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3), or
  /// the unspecified address, which Linux treats alike.
  package var isLoopback: Bool {
    if bytes.count == 4 { return bytes[0] == 127 || bytes == [0, 0, 0, 0] }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
    if isMapped { return InternetAddress(bytes: Array(bytes[12...]), port: port).isLoopback }
    return bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1
  }

  /// The IPv4 address that an IPv4-mapped IPv6 address stands for; itself otherwise.
  package var unmapped: InternetAddress {
    guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff,
      bytes[11] == 0xff
    else { return self }
    return InternetAddress(bytes: Array(bytes[12...]), port: port)
  }

  /// The address as text, without the port.
  package var text: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: bytes.count - 1, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return groups.joined(separator: ":")
  }
}

/// How a connection is made.
package enum TransportKind: Sendable {
  /// TCP.
  case stream
  /// UDP.
  case datagram
}

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
  /// Whether `route` ever answers with a redirection, for which the target's memory must be prepared.
  var redirects: Bool { get }
  /// Where a connection to `address` is to go, or a datagram, if `sends`.
  func route(
    to address: InternetAddress, transport: TransportKind, sends: Bool
  ) -> RoutingDecision
  /// The host name that the target looked up to get `address`; `nil` if it did not.
  func hostName(of address: InternetAddress) -> String?
  /// Whether an address is one of this machine's own, so that nothing leaves it that is sent there.
  func isHere(_ address: InternetAddress) -> Bool
  /// Whether no packet may leave this machine: sockets that could send one past `route` are refused.
  var confines: Bool { get }
  /// Told, before the target can send anything, of each connection that was redirected.
  func recordConnection(_ connection: RedirectedConnection)
  /// Told, before it can ask, of each socket that leads to a name server, where `hasLinks`.
  func recordNameClient(_ client: NameServerClient)
  /// Whether `recordRefusal` wants to be told.
  var wantsRefusals: Bool { get }
  /// Told of each call that `route` has refused, where `wantsRefusals`.
  func recordRefusal(_ refusal: RefusedConnection)
  /// Whether `openLink` wants to be asked.
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
