internal import CSupervisor
internal import Glibc

/// Redirects connections and datagrams of the target as its environment requires, and shows it the
/// addresses that it meant.
final class NetworkRedirector: Interceptor, ConnectionDestinations {
  private unowned let kernel: any TraceKernel
  private let router: any ConnectionRouter
  private let hosts: HostNetwork?
  private let clients: ClientRecords
  /// Which addresses of this machine stand for which of the world's.
  private var table = RedirectionTable()
  /// The original destinations of connections to ports of this machine: host and port.
  private var destinations: [UInt16: String] = [:]
  private var counts = ConnectionAccount()

  /// - Parameters:
  ///   - hosts: the hosts of the case, whose addresses others ask for.
  ///   - trustVariables: the variables that name trusted certificates.
  init(
    kernel: any TraceKernel, router: any ConnectionRouter, hosts: HostNetwork? = nil,
    trustVariables: Set<String>
  ) {
    self.kernel = kernel
    self.router = router
    self.hosts = hosts
    clients = ClientRecords(kernel: kernel, router: router, trustVariables: trustVariables)
  }

  var filterRules: [Int: FilterRule] {
    var rules: [Int: FilterRule] = [
      SystemCallNumber.connect: .trace,
      SystemCallNumber.sendto: .traceIfPointer(argument: 4),
      SystemCallNumber.sendmsg: .trace,
      SystemCallNumber.sendmmsg: .trace,
    ]
    guard router.redirects else { return rules }
    // Calls that tell the other end's address; recvmsg(2) is looked at only where it may have one.
    rules[SystemCallNumber.getpeername] = .trace
    rules[SystemCallNumber.recvfrom] = .traceIfPointer(argument: 4)
    rules[SystemCallNumber.exitGroup] = .trace
    return rules
  }

  func inherit(from trunk: any Interceptor) {
    guard let trunk = trunk as? NetworkRedirector else { return }
    table = trunk.table
    destinations = trunk.destinations
  }

  func threadEnded(_ thread: ThreadIdentifier) { clients.threadEnded(thread) }

  func processEnded(_ process: ThreadIdentifier) { clients.processEnded(process) }

  func takeSignal(_ signal: Int32, of tracee: Tracee) -> Bool {
    clients.recordSignal(signal, to: tracee.process)
    return false
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    switch call.number {
    case SystemCallNumber.exitGroup:
      clients.recordEnd(of: call.tracee.process)
      return .pass
    case SystemCallNumber.getpeername: return readPeer(call)
    case SystemCallNumber.recvfrom: return receive(call)
    default: return route(call)
    }
  }

  // MARK: - What others ask

  /// The counts of the target's connections.
  var account: ConnectionAccount {
    var account = counts
    account.connections = clients.trust.count
    return account
  }

  /// Returns how the process that has made a connection learned whom to trust; `nil` if there was none by that number.
  func trust(ofConnection number: Int) -> TrustReport? {
    guard clients.trust.indices.contains(number - 1) else { return nil }
    let use = clients.trust[number - 1]
    return TrustReport(
      files: use.files, variables: use.variables ?? [], wasKilled: clients.killed.contains(number))
  }

  /// Returns whether a port of this machine stands for one of the world's.
  func isDestination(_ port: UInt16) -> Bool { destinations[port] != nil }

  /// Returns the original destination of a connection to a port of this machine: host and port;
  /// `nil` if it is that port itself.
  func destination(of port: UInt16) -> String? { destinations[port] }

  /// Returns whether an address of this machine drops all packets, so that no answer comes.
  func isSilent(_ address: InternetAddress) -> Bool { hosts?.isSilent(address) ?? false }

  /// The address that one of this machine stands for; `nil` if it stands for none.
  func original(of address: InternetAddress) -> InternetAddress? {
    table.original(of: address, transport: .stream)
      ?? table.original(of: address, transport: .datagram) ?? hosts?.seen(address, from: nil)
  }

  // MARK: - Deciding

  /// A thread wants to reach an address.
  private func route(_ call: InterceptedCall) -> CallDisposition {
    CallRewriting(call, otherwise: .proceed) { [self] address in
      route(to: address, call: call.registers, call.tracee)
    } whenConnected: { [self] exit, port in
      clients.recordConnection(of: call.tracee, exit, to: port, isNameServer: isNameServer(port))
    }.disposition()
  }

  private func route(
    to address: SocketAddress, call: Registers, _ tracee: Tracee
  ) -> CallRoute {
    switch address {
    case .local(let path):
      guard NameDaemons.answer(at: path), router.confines else { return .asMeant }
      return .failed(ENOENT)
    case .foreign:
      // Where such a socket came from is unknown: none is made here.
      return router.confines ? .failed(ENETUNREACH) : .asMeant
    case .internet(let internet):
      return route(to: internet, as: address, call: call, tracee)
    }
  }

  private func route(
    to internet: InternetAddress, as address: SocketAddress, call: Registers, _ tracee: Tracee
  ) -> CallRoute {
    let sends = call.systemCall != SystemCallNumber.connect
    let socket = SocketCopy(
      kernel.copyDescriptor(Int32(truncatingIfNeeded: call[argument: 0]), of: tracee))
    defer { socket.end() }
    let transport = socket.transport
    if router.hasLinks, transport == .stream, ClientRecords.connects(call),
      let error = clients.openLink(to: internet, of: tracee, socket)
    {
      // The fault is reported by its entry: no response is missing.
      counts.refused += 1
      return .failed(error)
    }
    var decision = router.route(to: internet, transport: transport, sends: sends)
    if case .redirect = decision, transport == .stream, router.isHere(internet),
      ListeningPorts(of: kernel.processes.values).all.contains(internet.port)
    {
      decision = .pass
      router.abandonRedirection(of: internet)
    }
    if case .redirect = decision {} else { clients.abandonLink(of: tracee) }
    switch decision {
    case .pass:
      if !router.isHere(internet) {
        counts.recordReached(internet, by: router.hostName(of: internet))
      }
      return .asMeant
    case .refuse(let error):
      recordRefusal(of: internet, transport, tracee)
      if router.wantsRefusals { report(refusalOf: internet, transport, call, tracee) }
      return .failed(error)
    case .discard:
      // Resolvers connect sockets only to learn of addresses (RFC 6724). Who sends loses the first datagram, and is
      // refused by the kernel from then on.
      socket.admitMappedAddresses(for: internet)
      return .changed(address.bytes(of: table.discard(internet)))
    case .redirect(let port):
      recordRedirection(of: internet, to: port)
      table.add(internet, port: port, transport: transport)
      socket.admitMappedAddresses(for: internet)
      if router.wantsNameClients, transport == .datagram {
        clients.recordNameClient(tracee, socket, to: port)
      }
      if transport == .datagram, sends {
        observeAnswer(on: Int32(truncatingIfNeeded: call[argument: 0]), of: tracee)
      }
      return .changed(
        address.bytes(of: .loopback(port: port)), port: transport == .stream ? port : nil)
    }
  }

  private func recordRefusal(
    of address: InternetAddress, _ transport: TransportKind, _ tracee: Tracee
  ) {
    let path = tracee.process.program.arguments.first ?? ""
    counts.recordRefusal(
      of: address, transport, by: router.hostName(of: address),
      program: path.split(separator: "/").last.map(String.init) ?? "a process")
  }

  private func report(
    refusalOf address: InternetAddress, _ transport: TransportKind, _ call: Registers,
    _ tracee: Tracee
  ) {
    let process = tracee.process
    var refusal = RefusedConnection(
      address: address, transport: transport, sends: call.systemCall != SystemCallNumber.connect,
      process: process.identifier.number, arguments: process.program.arguments)
    if address.port == NameDaemons.namePort, let memory = process.memory {
      refusal.name = QuestionInMemory(memory: memory).name(for: call)
    }
    router.recordRefusal(refusal)
  }

  /// Takes note of what a port of the mock server stands for.
  private func recordRedirection(of address: InternetAddress, to port: UInt16) {
    guard destinations[port] == nil else { return }
    let name = router.hostName(of: address) ?? address.unmapped.text
    destinations[port] = "\(name):\(address.port)"
  }

  /// Returns whether a port of this machine stands for a name server's that is asked over TCP.
  private func isNameServer(_ port: UInt16) -> Bool {
    table.original(of: .loopback(port: port), transport: .stream)?.port == NameDaemons.namePort
  }

  // MARK: - Addresses that come back

  private func returned(_ transport: TransportKind) -> ReturnedAddresses {
    ReturnedAddresses { [self] in table.original(of: $0, transport: transport) }
  }

  /// Answers a call for a connection's peer with the destination that the target requested.
  private func readPeer(_ call: InterceptedCall) -> CallDisposition {
    let tracee = call.tracee
    guard !table.isEmpty, let memory = tracee.process.memory,
      let capacity = memory.read(Int32.self, at: call.registers[argument: 2])
    else { return .proceed }
    return .observe { [self] exit in
      guard exit.result == 0 else { return }
      let socket = SocketCopy(
        kernel.copyDescriptor(Int32(truncatingIfNeeded: exit[argument: 0]), of: tracee))
      guard socket.descriptor >= 0 else { return }
      let transport = socket.transport
      socket.end()
      returned(transport).restore(at: exit[argument: 1], length: capacity, memory)
    }
  }

  /// A thread receives something and wants to know from where.
  private func receive(_ call: InterceptedCall) -> CallDisposition {
    let place = call.registers[argument: 4]
    guard place != 0, !table.isEmpty, let memory = call.tracee.process.memory,
      let capacity = memory.read(Int32.self, at: call.registers[argument: 5])
    else { return .pass }
    return .watch { [self] exit in
      guard let exit, exit.result >= 0 else { return }
      returned(.datagram).restore(at: place, length: capacity, memory)
    }
  }

  /// The number of calls that are observed of a thread that has asked a name server.
  private static let observedCalls = 256

  /// Observes the answer to a datagram by which a thread has asked a name server.
  ///
  /// recvmsg(2) has the address in a structure, which a filter does not see; so that others need
  /// not stop in each, threads are observed only after they have asked.
  private func observeAnswer(on descriptor: Int32, of tracee: Tracee) {
    var callsLeft = Self.observedCalls
    let process = tracee.process
    tracee.watches.observe(for: self) { [self] registers in
      callsLeft -= 1
      let isSocket = Int32(truncatingIfNeeded: registers[argument: 0]) == descriptor
      guard isSocket, let memory = process.memory else { return callsLeft > 0 }
      guard registers.systemCall != SystemCallNumber.close else { return false }
      returned(.datagram).restoreNames(at: registers, memory)
      return callsLeft > 0
    }
  }
}
