/// The bound ports of a case's hosts, and the addresses at which they are bound.
///
/// Closes are not recorded: if an entry conflicts, ask the kernel whether it is still bound.
struct HostPorts {
  /// For which of a host's addresses a socket is bound.
  enum Scope: Hashable {
    /// For one.
    case one
    /// 0.0.0.0: for all of IPv4.
    case any
    /// [::], as it is unless said otherwise: for all of both families.
    case both
    /// [::] with IPV6_V6ONLY: for all of IPv6.
    case wide

    /// Returns whether it is bound for an address besides its own.
    func covers(_ interface: HostNetwork.Interface) -> Bool {
      switch self {
      case .one: false
      case .any: interface != .wideLoopback
      case .both: true
      case .wide: interface == .wideLoopback
      }
    }
  }

  /// One socket's.
  struct Binding: Hashable {
    var place: HostNetwork.Place
    var scope: Scope
  }

  private struct Service: Hashable {
    var host: Int
    var transport: TransportKind
    var port: UInt16
  }

  private var bindings: [Service: [Binding]] = [:]

  /// Notes a socket that has been bound.
  mutating func add(_ binding: Binding, _ transport: TransportKind) {
    let service = Service(
      host: binding.place.host, transport: transport, port: binding.place.port)
    // The kernel gives an address to one socket, or to several that share it and are alike.
    bindings[service, default: []].removeAll { $0.place == binding.place }
    bindings[service, default: []].append(binding)
  }

  /// A socket is no longer bound.
  mutating func remove(_ binding: Binding, _ transport: TransportKind) {
    let service = Service(
      host: binding.place.host, transport: transport, port: binding.place.port)
    bindings[service]?.removeAll { $0 == binding }
  }

  /// No socket is bound to a host's port any more.
  mutating func removeAll(host: Int, port: UInt16, _ transport: TransportKind) {
    bindings[Service(host: host, transport: transport, port: port)] = nil
  }

  /// Returns the scope at which the socket at a place is bound; `nil` if it is not known.
  func scope(at place: HostNetwork.Place, _ transport: TransportKind) -> Scope? {
    all(host: place.host, transport, port: place.port).first { $0.place == place }?.scope
  }

  /// Returns the bindings that conflict with a new one and that the kernel itself does not detect.
  func rivals(of new: Binding, _ transport: TransportKind) -> [Binding] {
    all(host: new.place.host, transport, port: new.place.port).filter { old in
      old.place.interface != new.place.interface
        && (old.scope.covers(new.place.interface) || new.scope.covers(old.place.interface))
    }
  }

  /// Returns the bindings that may receive data for a host's address and port: exact ones before wildcards.
  func receivers(
    host: Int, _ interface: HostNetwork.Interface, port: UInt16, _ transport: TransportKind
  ) -> [Binding] {
    let all = all(host: host, transport, port: port)
    return all.filter { $0.place.interface == interface }
      + all.filter { $0.place.interface != interface && $0.scope.covers(interface) }
  }

  private func all(host: Int, _ transport: TransportKind, port: UInt16) -> [Binding] {
    bindings[Service(host: host, transport: transport, port: port)] ?? []
  }
}
