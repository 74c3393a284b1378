internal import FaultEngine
internal import Glibc

/// Leads what a host sends to another one to the relay between them.
final class RelayedCalls {
  /// Where a call leads.
  enum Way {
    /// To the other host itself: no process listens there.
    case direct
    /// To an address of the relay's, at which it is awaited or not.
    case led(InternetAddress, isAwaited: Bool)
    /// None: the call fails with this errno.
    case failed(Int32)
  }

  private let network: HostNetwork
  private let links: any HostLinks
  private let timeouts: HostTimeouts?
  /// Where datagrams arrive that are for other hosts.
  private var datagramPlaces: Set<InternetAddress> = []

  init(network: HostNetwork, links: any HostLinks, timeouts: HostTimeouts?) {
    self.network = network
    self.links = links
    self.timeouts = timeouts
  }

  /// Returns whether something goes from one host to another.
  func concerns(from own: Int?, to real: InternetAddress) -> Bool {
    guard let own, let place = network.place(at: real) else { return false }
    return place.host != own
  }

  /// Where a call leads that connects or sends from a socket which has its port.
  ///
  /// - Parameter number: the number of the connection, if the call requests one.
  func way(
    of call: InterceptedCall, _ socket: SocketCopy, from own: Int, to goal: InternetAddress,
    number: Int
  ) -> Way {
    guard let goalPlace = network.place(at: goal) else { return .direct }
    let gate = real(goalPlace, .relayed)
    guard socket.transport == .stream else {
      if !datagramPlaces.contains(gate) {
        guard links.openDatagrams(at: gate) else { return .failed(ENETUNREACH) }
        datagramPlaces.insert(gate)
      }
      return .led(gate, isAwaited: false)
    }
    let silence = real(goalPlace, .silent)
    // A thread asks again how a connection is getting on (connect(2), EALREADY and EISCONN).
    guard socket.isUnconnected else { return .led(silence, isAwaited: false) }
    // As where the other side does not know it (tcp(7), MSG_FASTOPEN).
    guard call.number == SystemCallNumber.connect else { return .failed(EOPNOTSUPP) }
    guard let client = socket.local, let place = network.place(at: client) else { return .direct }
    let process = call.tracee.process
    let opening = links.open(
      RelayedHostConnection(
        number: number, from: own, to: goalPlace.host, client: client.unmapped, goal: goal,
        source: real(place, .relayed), gate: gate, silence: silence, port: goalPlace.port,
        process: process.identifier.number, processOrdinal: process.ordinal,
        program: process.names, clientTimeouts: timeouts?.take(socket) ?? TCPTimeouts(),
        serverTimeouts: timeouts?.ofListener(at: goal) ?? TCPTimeouts()))
    return switch opening {
    case .relayed: .led(gate, isAwaited: true)
    case .silent: .led(silence, isAwaited: true)
    case .refused: .direct
    case .denied: .failed(ECONNREFUSED)
    }
  }

  /// Records the end of a call that was routed to the relay.
  func hasConnected(_ client: InternetAddress, _ exit: Registers) {
    guard exit.result < 0, !Self.goesOn(-exit.result) else { return }
    links.abandon(client: client.unmapped)
  }

  /// Returns whether a connection is still being made after a call that ended with an error: it is under way, or a signal
  /// has interrupted the wait for it (connect(2), signal(7)).
  static func goesOn(_ error: Int) -> Bool {
    [
      KernelError.inProgress, KernelError.alreadyConnecting, KernelError.interrupted,
      KernelError.restartSystemCall, KernelError.restartNoInterrupt,
      KernelError.restartNoHandler, KernelError.restartBlock,
    ].contains(error)
  }

  private func real(
    _ place: HostNetwork.Place, _ interface: HostNetwork.Interface
  ) -> InternetAddress {
    var place = place
    place.interface = interface
    return network.real(of: place)
  }
}
