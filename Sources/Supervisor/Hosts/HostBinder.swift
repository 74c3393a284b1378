internal import Glibc

/// Binds sockets at the addresses of this machine that stand for a host's, and finds the one that receives what is sent
/// to a host's port.
struct HostBinder {
  /// The hosts.
  let network: HostNetwork
  private var ports = HostPorts()

  init(network: HostNetwork) {
    self.network = network
  }

  /// Returns the scope at which the socket at a place is bound; `nil` if it is not known.
  func scope(at place: HostNetwork.Place, _ transport: TransportKind) -> HostPorts.Scope? {
    ports.scope(at: place, transport)
  }

  /// Returns whether some socket was bound that receives what is sent to a host's address and port.
  func hasReceiver(
    host: Int, _ interface: HostNetwork.Interface, port: UInt16, _ transport: TransportKind
  ) -> Bool {
    !ports.receivers(host: host, interface, port: port, transport).isEmpty
  }

  /// Binds a socket; 0, or the errno.
  mutating func bind(
    _ socket: SocketCopy, _ wanted: HostPorts.Binding, takesPortLater: Bool = false
  ) -> Int32 {
    let transport = socket.transport
    var binding = wanted
    if wanted.place.port > 0 {
      for rival in ports.rivals(of: wanted, transport) {
        guard !holds(rival, against: socket, transport) else { return EADDRINUSE }
        ports.remove(rival, transport)
      }
      binding.place.form = form(of: wanted.place.port, like: socket)
    }
    let error = socket.bind(to: network.real(of: binding.place), takesPortLater: takesPortLater)
    guard error == 0, !takesPortLater else { return error }
    if wanted.place.port == 0 { binding.place.port = socket.port ?? 0 }
    ports.add(binding, transport)
    return 0
  }

  /// Forgets the sockets that were bound to a host's port.
  mutating func forget(host: Int, port: UInt16, _ transport: TransportKind) {
    ports.removeAll(host: host, port: port, transport)
  }

  /// Returns the form in which a port of a host can be had on this machine.
  func form(of port: UInt16, like socket: SocketCopy) -> HostNetwork.PortForm {
    // Nobody of the case has the spare address: what stands in the way there is not the case's.
    HostNetwork.PortForm.all(for: port).first { form in
      let real = network.spare(port: form.real(port))
      return ![EADDRINUSE, EACCES].contains(socket.trial(of: real, sharesAlike: false))
    } ?? .same
  }

  /// Returns whether a socket that was bound still stands in the way of one that is to be.
  private func holds(
    _ rival: HostPorts.Binding, against socket: SocketCopy, _ transport: TransportKind
  ) -> Bool {
    // Datagram sockets that say so share whatever they want (socket(7)).
    let shares = [SO_REUSEADDR, SO_REUSEPORT].contains { socket.option(SOL_SOCKET, $0) == 1 }
    guard transport == .stream || !shares else { return false }
    return socket.trial(of: network.real(of: rival.place), sharesAlike: true) == EADDRINUSE
  }

  /// Returns the place of the socket that receives what is sent to a host's address and port, or of the last one that did;
  /// `nil` if none was ever bound.
  func receiver(
    host: Int, _ interface: HostNetwork.Interface, port: UInt16, like socket: SocketCopy
  ) -> HostNetwork.Place? {
    let receivers = ports.receivers(host: host, interface, port: port, socket.transport)
    // Who is bound for this address alone comes first, unless it is gone.
    let standing = receivers.first { receiver in
      receivers.count == 1
        || socket.trial(of: network.real(of: receiver.place), sharesAlike: false) == EADDRINUSE
    }
    return (standing ?? receivers.last)?.place
  }
}
