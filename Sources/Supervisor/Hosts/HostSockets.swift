internal import CSupervisor
internal import Glibc

/// Gives the sockets of targets that are on hosts the addresses of these hosts, and shows them nothing else.
///
/// A socket has an address of this machine from which its host and port follow, so whoever gets it, by fork, exec, dup or
/// a message, sees the same.
final class HostSockets: Interceptor {
  private unowned let kernel: any TraceKernel
  /// The hosts.
  var network: HostNetwork { binder.network }
  /// The links between them; `nil` where they reach each other directly.
  private let relayed: RelayedCalls?
  private var binder: HostBinder
  private let connections: HostConnectionReporter
  private lazy var results = AddressResults(
    kernel: kernel, peer: { [unowned self] in seenPeer($0, at: $1) },
    own: { [unowned self] in seenOwn($0, of: $1) })
  /// The loopback of the targets that are on no host; `nil` where that is this machine's.
  private let clients: LoopbackSockets?

  init(
    kernel: any TraceKernel, network: HostNetwork, links: (any HostLinks)? = nil,
    timeouts: HostTimeouts? = nil, clients: LoopbackSockets? = nil,
    reporter: TraceReporter? = nil
  ) {
    self.kernel = kernel
    binder = HostBinder(network: network)
    relayed = links.map { RelayedCalls(network: network, links: $0, timeouts: timeouts) }
    connections = HostConnectionReporter(reporter)
    self.clients = clients
  }

  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.bind: .trace,
    SystemCallNumber.listen: .trace,
    SystemCallNumber.connect: .trace,
    SystemCallNumber.sendto: .traceIfPointer(argument: 4),
    SystemCallNumber.sendmsg: .trace,
    SystemCallNumber.sendmmsg: .trace,
  ].merging(AddressResults.filterRules) { rule, _ in rule }

  func inherit(from trunk: any Interceptor) {
    guard let trunk = trunk as? HostSockets else { return }
    binder = trunk.binder
    connections.count = trunk.connections.count
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    switch call.number {
    case SystemCallNumber.bind: bind(call)
    case SystemCallNumber.listen: listen(call)
    default: results.disposition(of: call) ?? lead(call)
    }
  }

  /// Makes the kernel time out a socket that gets no answers; `nil` if there is none.
  func abandon(from local: InternetAddress, to remote: InternetAddress) -> AbandonedSocket? {
    AbandonedSocket(local: local, remote: remote, among: kernel)
  }

  /// The kernel has timed out a socket.
  func hasTimedOut() { kernel.forgetQuiescence() }

  // MARK: - Whose they are

  private func host(of tracee: Tracee) -> Int? {
    network.host(ofTarget: kernel.home(of: tracee.process.target).index)
  }

  private func socket(_ descriptor: Int32, of tracee: Tracee) -> SocketCopy {
    SocketCopy(kernel.copyDescriptor(descriptor, of: tracee))
  }

  // MARK: - Sockets that get an address

  /// The supervisor binds in the thread's place: what the kernel says is known before anybody else can ask.
  private func bind(_ call: InterceptedCall) -> CallDisposition {
    guard let host = host(of: call.tracee), let memory = call.tracee.process.memory,
      case .internet(let wanted)? = SocketAddress(
        memory: memory, address: call.registers[argument: 1],
        length: call.registers[argument: 2], isDestination: true)
    else { return .pass }
    let socket = socket(call.integer(0), of: call.tracee)
    defer { socket.end() }
    // What the kernel refuses for its family alone, it refuses as it stands.
    guard socket.isOfHosts, socket.isWide == (wanted.bytes.count == 16) else { return .pass }
    guard let (interface, scope) = meaning(ofBinding: wanted, socket, host) else {
      return .skip(result: -Int(EADDRNOTAVAIL))
    }
    let place = HostNetwork.Place(host: host, interface: interface, port: wanted.port)
    return .skip(result: -Int(binder.bind(socket, HostPorts.Binding(place: place, scope: scope))))
  }

  /// At which of a host's addresses a socket is to be; `nil` if the address is none of the host's.
  private func meaning(
    ofBinding wanted: InternetAddress, _ socket: SocketCopy, _ host: Int
  ) -> (HostNetwork.Interface, HostPorts.Scope)? {
    let address = wanted.unmapped
    if address.bytes == [0, 0, 0, 0] { return (.own, .any) }
    if address.bytes.count == 4, address.bytes[0] == 127 { return (.loopback, .one) }
    if network.host(at: address) == host { return (.own, .one) }
    guard address.isLoopback else { return nil }
    if address.bytes.last == 1 { return (.wideLoopback, .one) }
    let isOnlyWide = socket.option(Int32(IPPROTO_IPV6), IPV6_V6ONLY) != 0
    return isOnlyWide ? (.wideLoopback, .wide) : (.own, .both)
  }

  /// A socket that listens without an address gets a port at all of its host's (listen(2), ip(7)).
  private func listen(_ call: InterceptedCall) -> CallDisposition {
    guard let host = host(of: call.tracee) else { return .pass }
    let socket = socket(call.integer(0), of: call.tracee)
    defer { socket.end() }
    guard socket.isOfHosts, socket.local?.port == 0 else { return .pass }
    let error = bind(socket, atAllOf: host, .own)
    return error == 0 ? .pass : .skip(result: -Int(error))
  }

  private func bind(
    _ socket: SocketCopy, atAllOf host: Int, _ interface: HostNetwork.Interface
  ) -> Int32 {
    let place = HostNetwork.Place(host: host, interface: interface, port: 0)
    return binder.bind(
      socket, HostPorts.Binding(place: place, scope: socket.isWide ? .both : .any))
  }

  // MARK: - Where calls lead

  private func lead(_ call: InterceptedCall) -> CallDisposition {
    var client: InternetAddress?
    var request: HostConnectionReporter.Request?
    return CallRewriting(call, otherwise: .pass) { [self] address in
      guard case .internet(let internet) = address else { return .asMeant }
      let own = host(of: call.tracee)
      guard own != nil || network.host(at: internet) != nil || network.place(at: internet) != nil
      else { return .asMeant }
      let socket = socket(call.integer(0), of: call.tracee)
      defer { socket.end() }
      // A datagram socket of IPv6 takes an address of IPv4 as it stands.
      guard socket.isOfHosts, socket.isWide || internet.bytes.count == 4,
        let goal = goal(of: internet, own, socket)
      else { return .asMeant }
      let isRelayed = relayed?.concerns(from: own, to: goal.real) ?? false
      if let own, let error = settle(socket, call, goal, own, choosesPort: isRelayed) {
        return .failed(error)
      }
      if socket.isWide { socket.admitMappedAddresses(for: internet) }
      if call.number == SystemCallNumber.connect, let own, let place = network.place(at: goal.real),
        place.host != own, socket.transport == .stream, socket.isUnconnected
      {
        request = connections.request(call, from: own, to: place.host, port: place.port)
      }
      var way = RelayedCalls.Way.direct
      if isRelayed, let own, let relayed {
        way = relayed.way(
          of: call, socket, from: own, to: goal.real, number: connections.count)
      }
      switch way {
      case .direct:
        return .changed(
          address.bytes(of: goal.real), port: request == nil ? nil : goal.real.port)
      case .failed(let error):
        if let request { connections.report(request, .failed(error)) }
        return .failed(error)
      case .led(let real, let isAwaited):
        // The relay knows what becomes of it.
        request = nil
        if isAwaited { client = socket.local }
        return .changed(address.bytes(of: real), port: isAwaited ? real.port : nil)
      }
    } whenConnected: { [self] exit, _ in
      if let client { relayed?.hasConnected(client, exit) }
      if let request { reportExit(of: request, exit, call) }
    }.disposition()
  }

  /// Reports the result of a call that connects to another host; a call that a signal interrupted continues.
  private func reportExit(
    of request: HostConnectionReporter.Request, _ exit: Registers, _ call: InterceptedCall
  ) {
    let error = -exit.result
    guard exit.result < 0 else { return connections.report(request, .established) }
    guard error == KernelError.inProgress else {
      if !RelayedCalls.goesOn(error) {
        connections.report(request, .failed(Int32(truncatingIfNeeded: error)))
      }
      return
    }
    // Between two ends of loopback the answer is there by now.
    let socket = socket(call.integer(0), of: call.tracee)
    defer { socket.end() }
    connections.report(
      request,
      socket.isConnected ? .established : socket.isUnconnected ? .failed(ECONNREFUSED) : .pending)
  }

  /// Where an address of a host leads.
  private struct Goal {
    /// The address of this machine.
    var real: InternetAddress
    /// From which of its addresses a host goes there.
    var source: HostNetwork.Interface
  }

  /// Where an address leads; `nil` if it is no host's, nor the host's own.
  ///
  /// - Parameter own: the host from which it is reached; `nil` if from none.
  private func goal(of address: InternetAddress, _ own: Int?, _ socket: SocketCopy) -> Goal? {
    if let host = network.host(at: address) ?? network.place(at: address)?.host {
      let receiver = receiver(host: host, .own, port: address.port, like: socket)
      return Goal(real: network.real(of: receiver), source: .own)
    }
    guard let own else { return nil }
    let near = address.unmapped
    if near.bytes == network.outside {
      let outside = InternetAddress.loopback(port: address.port)
      return Goal(real: clients?.destination(of: outside, like: socket) ?? outside, source: .own)
    }
    guard near.isLoopback else { return nil }
    let interface: HostNetwork.Interface = near.bytes.count == 16 ? .wideLoopback : .loopback
    // Names are asked for at an address of loopback, whoever answers.
    if address.port == NameDaemons.namePort,
      !binder.hasReceiver(host: own, interface, port: address.port, socket.transport)
    {
      return nil
    }
    let receiver = receiver(host: own, interface, port: address.port, like: socket)
    return Goal(real: network.real(of: receiver), source: interface)
  }

  /// Where the socket is that has what is sent to a host's address and port; where one would be, if there is none.
  private func receiver(
    host: Int, _ interface: HostNetwork.Interface, port: UInt16, like socket: SocketCopy
  ) -> HostNetwork.Place {
    if let place = binder.receiver(host: host, interface, port: port, like: socket) {
      return place
    }
    var place = HostNetwork.Place(host: host, interface: interface, port: port)
    // Who is bound to this port at every address of the machine is none of the case's.
    place.form = binder.form(of: port, like: socket)
    return place
  }

  /// Gives a socket that has no address yet the one of its host from which it goes; the errno if that fails.
  ///
  /// - Parameter choosesPort: whether it gets its port now.
  private func settle(
    _ socket: SocketCopy, _ call: InterceptedCall, _ goal: Goal, _ host: Int,
    choosesPort: Bool
  ) -> Int32? {
    guard socket.local?.port == 0 else { return nil }
    let error: Int32
    if socket.transport == .datagram, call.number != SystemCallNumber.connect {
      // It has a port at all of its host's addresses from now on (udp(7)).
      error = bind(socket, atAllOf: host, goal.source)
    } else {
      let place = HostNetwork.Place(host: host, interface: goal.source, port: 0)
      error = binder.bind(
        socket, HostPorts.Binding(place: place, scope: .one),
        takesPortLater: socket.transport == .stream && !choosesPort)
    }
    // Of a socket that failed to connect before, the address stays.
    return error == 0 || error == EINVAL ? nil : error
  }

  // MARK: - Addresses that come back

  /// Translates the address of a socket's peer for the target; `nil` if it is unchanged.
  private func seenPeer(
    _ real: InternetAddress, at own: InternetAddress?
  ) -> InternetAddress? {
    if let seen = network.seen(real, from: own) { return seen }
    guard let own, network.place(at: own) != nil, real.isLoopback,
      kernel.destinations?.original(of: real) == nil
    else { return nil }
    return InternetAddress(bytes: network.outside, port: real.port)
  }

  /// Translates a socket's own address for the target.
  private func seenOwn(_ socket: SocketCopy, of tracee: Tracee) -> InternetAddress? {
    guard let local = socket.local else { return nil }
    let peer = socket.peer
    guard let place = network.place(at: local) else {
      // What goes to the mock server goes to the world, and so by the host's own address.
      guard let host = host(of: tracee), local.isLoopback, let peer,
        kernel.destinations?.original(of: peer) != nil
      else { return nil }
      return network.address(of: host, .own, port: local.port)
    }
    // Of a socket that leads elsewhere than before the address stays, and is not what it was chosen for.
    if let peer, network.place(at: peer) == nil {
      return network.address(of: place.host, .own, port: place.port)
    }
    // Without a port it has been bound by nobody but the supervisor, for a connection that is no more.
    let scope = place.port == 0 ? .any : binder.scope(at: place, socket.transport) ?? .one
    guard peer == nil, scope != .one else { return network.seen(local, from: peer) }
    return InternetAddress(
      bytes: [UInt8](repeating: 0, count: socket.isWide ? 16 : 4), port: place.port)
  }
}
