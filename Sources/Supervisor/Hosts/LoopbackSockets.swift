internal import CSupervisor
internal import Glibc

/// Binds what targets on no host bind to a port of 127.0.0.1, of ::1 or of all addresses at addresses of the case's own,
/// leads their connections there, and shows them the addresses that they meant.
///
/// So two cases that bind the same port at once do not meet, and neither meets another program of this machine. What no
/// socket of the case was ever bound to leads to this machine's own loopback. Ports that the kernel chooses conflict with
/// no other case, and stay as they are. On demand, so do ports that nobody else has.
final class LoopbackSockets: Interceptor {
  private unowned let kernel: any TraceKernel
  /// The ports that leave this machine's loopback on demand; `nil` where all do.
  private var demand: PortDemand?
  /// The hosts of the case, on which targets have a loopback of their own already.
  private let hosts: HostNetwork?
  /// True if datagram sockets that are bound to all addresses may send to other machines.
  private let reachesOthers: Bool
  /// Returns whether an address is one of this machine's.
  private let isHere: (InternetAddress) -> Bool
  /// The case's addresses; `nil` before the first is needed.
  private var binder: HostBinder?
  /// The network namespace of this process (proc(5)); `nil` if it is not known.
  private let namespace = SmallFile.link("/proc/self/ns/net")
  private lazy var results = AddressResults(
    kernel: kernel, peer: { [unowned self] in binder?.network.seen($0, from: $1) },
    own: { [unowned self] socket, _ in seenOwn(socket) })
  /// The programs outside of the run that receive beside its cases.
  private var outsiders = OutsideReceivers()
  /// True if no block of addresses was left.
  private var lacksBlock = false

  /// The case's own machine, as one host of a network of its own.
  private static let machine = 0

  /// - Parameters:
  ///   - block: the block of addresses; `nil` takes one as soon as it is needed.
  ///   - demand: the ports that leave this machine's loopback on demand; `nil` where all do.
  ///   - reachesOthers: whether the targets' network is left alone, so that datagrams reach other machines.
  ///   - isHere: whether an address is one of this machine's.
  init(
    kernel: any TraceKernel, block: LoopbackBlock?, demand: PortDemand? = nil,
    hosts: HostNetwork?, reachesOthers: Bool, isHere: @escaping (InternetAddress) -> Bool
  ) {
    self.kernel = kernel
    self.demand = demand
    self.hosts = hosts
    self.reachesOthers = reachesOthers
    self.isHere = isHere
    binder = block.map { HostBinder(network: HostNetwork(loopbackIn: $0)) }
  }

  /// On demand, processes show the calls that tell addresses once these are not what they seem.
  var filterRules: [Int: FilterRule] {
    let rules: [Int: FilterRule] = [
      SystemCallNumber.bind: .trace,
      SystemCallNumber.connect: .trace,
      SystemCallNumber.sendto: .traceIfPointer(argument: 4),
      SystemCallNumber.sendmsg: .trace,
      SystemCallNumber.sendmmsg: .trace,
    ]
    return demand == nil ? rules.merging(AddressResults.filterRules) { rule, _ in rule } : rules
  }

  var calls: Set<Int>? { Set(filterRules.keys).union(AddressResults.filterRules.keys) }

  func inherit(from trunk: any Interceptor) {
    guard let trunk = trunk as? LoopbackSockets else { return }
    binder = trunk.binder
    demand?.moved = trunk.demand?.moved ?? []
    lacksBlock = trunk.lacksBlock
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let home = kernel.home(of: call.tracee.process.target)
    guard hosts?.host(ofTarget: home.index) == nil else { return .pass }
    guard call.number != SystemCallNumber.bind else { return bind(call) }
    // Until then nothing of the case is elsewhere than it meant.
    if binder != nil, let disposition = results.disposition(of: call) { return disposition }
    return binder == nil && demand == nil ? .pass : lead(call)
  }

  // MARK: - What others ask

  /// True if some port is the case's own.
  var hasOwnPorts: Bool { binder != nil }

  /// Translates an address of this machine to the one that targets see; `nil` if it is none of the case's.
  func seen(_ real: InternetAddress) -> InternetAddress? {
    binder?.network.seen(real, from: nil)
  }

  /// Returns where the socket of the case is that receives what is sent to an address of this machine; `nil` if none is.
  func receiver(of address: InternetAddress, like socket: SocketCopy) -> InternetAddress? {
    guard let binder else { return nil }
    let near = address.unmapped
    let interface: HostNetwork.Interface = near.bytes.count == 16 ? .wideLoopback : .own
    guard
      let place = binder.receiver(
        host: Self.machine, interface, port: address.port, like: socket),
      near.isExactLoopback || binder.scope(at: place, socket.transport) != .one
    else { return nil }
    return binder.network.real(of: place)
  }

  /// Returns where what is sent to an address of this machine goes: to the case's own socket, or to none, if other cases
  /// have the port; `nil` leaves the address as it is.
  func destination(
    of address: InternetAddress, like socket: SocketCopy
  ) -> InternetAddress? {
    let near = address.near
    if let real = receiver(of: near, like: socket) { return real }
    guard demand?.leadsToOthers(near, socket.transport) ?? false,
      !outsiders.receive(near, socket.transport), let binder = takeBinder()
    else { return nil }
    self.binder = binder
    // There the case's own socket is once it is bound.
    let interface: HostNetwork.Interface =
      near.unmapped.bytes.count == 16 ? .wideLoopback : .own
    return binder.network.real(
      of: HostNetwork.Place(
        host: Self.machine, interface: interface, port: near.port,
        form: binder.form(of: near.port, like: socket)))
  }

  /// Returns where a command outside of the world reaches what it means by an address of this machine; `nil` if there.
  func entrance(
    of address: InternetAddress, like socket: SocketCopy
  ) -> InternetAddress? {
    guard let binder, let place = binder.network.place(at: address) else {
      return isHere(address) || address.unmapped.isUnspecified
        ? destination(of: address, like: socket) : nil
    }
    let near = InternetAddress.loopback(port: place.port)
    return destination(of: near, like: socket) ?? (demand == nil ? nil : near)
  }

  // MARK: - Sockets that get an address

  /// The supervisor binds in the thread's place: what the kernel says is known before anybody else can ask.
  private func bind(_ call: InterceptedCall) -> CallDisposition {
    guard let memory = call.tracee.process.memory,
      case .internet(let wanted)? = SocketAddress(
        memory: memory, address: call.registers[argument: 1],
        length: call.registers[argument: 2], isDestination: true),
      wanted.port > 0, wanted.unmapped.isUnspecified || wanted.unmapped.isExactLoopback
    else { return .pass }
    guard !isElsewhere(call.tracee) else { return .pass }
    let socket = SocketCopy(kernel.copyDescriptor(call.integer(0), of: call.tracee))
    defer { socket.end() }
    // What the kernel refuses for its family alone, it refuses as it stands.
    guard socket.isOfHosts, socket.isWide == (wanted.bytes.count == 16) else { return .pass }
    if reachesOthers, socket.transport == .datagram, wanted.unmapped.isUnspecified {
      // It receives what is sent to the case's own addresses as well.
      binder?.forget(host: Self.machine, port: wanted.port, .datagram)
      return .pass
    }
    let port = FixedPorts.Port(transport: socket.transport, number: wanted.port)
    let address = BoundAddress(
      wanted, isOnlyWide: socket.option(Int32(IPPROTO_IPV6), IPV6_V6ONLY) == 1)
    if let demand, !demand.moved.contains(port) || demand.ports.holds(port, meeting: address),
      demand.ports.claim(address, port)
    {
      return .observe { [self] in bound(port, at: address, by: call.tracee, exit: &$0) }
    }
    guard mayBind(wanted.port, call.tracee), var binder = takeBinder() else { return .pass }
    self.binder = binder
    move(port, from: address, of: call.tracee.process, because: .otherCase)
    guard !showsResults(of: call) else { return .taken }
    let (interface, scope) = Self.meaning(ofBinding: wanted, socket)
    let place = HostNetwork.Place(host: Self.machine, interface: interface, port: wanted.port)
    let error = binder.bind(socket, HostPorts.Binding(place: place, scope: scope))
    self.binder = binder
    return .skip(result: -Int(error))
  }

  /// A thread has bound a port of this machine's, or could not.
  ///
  /// Where the port is taken, and no socket of the case has it, the thread binds it again.
  private func bound(
    _ port: FixedPorts.Port, at address: BoundAddress, by tracee: Tracee, exit: inout Registers
  ) {
    guard let demand else { return }
    demand.ports.settle(address, port, isBound: exit.result == 0)
    guard exit.result == -Int(EADDRINUSE) else { return }
    let holders = PortHolders(port: port, address: address)
    guard !holders.areOfCase(kernel, seen: seen),
      !holders.isKeptByConnections
        || demand.ports.isFormer(port) && !demand.ports.holds(port, meeting: address),
      let binder = takeBinder()
    else { return }
    self.binder = binder
    move(port, from: address, of: tracee.process, because: .otherProgram)
    exit.restartSystemCall()
    exit.systemCall = -1
  }

  /// A port is the case's own at an address from now on.
  private func move(
    _ port: FixedPorts.Port, from address: BoundAddress, of process: TargetProcess,
    because reason: PortMove.Reason
  ) {
    demand?.ports.recordMove(of: port, from: address)
    guard demand?.moved.insert(port).inserted ?? false else { return }
    demand?.ports.entrance = binder?.network.entrance(ofHost: Self.machine)
    kernel.report(
      .portMoved(
        process: process.identifier.number,
        PortMove(
          port: port.number, isOfDatagrams: port.transport == .datagram, reason: reason,
          program: process.programName)))
  }

  /// Lets a process show the calls that tell addresses, if it does not yet; true if it makes its call again then.
  private func showsResults(of call: InterceptedCall) -> Bool {
    let process = call.tracee.process
    let failure = "the addresses of its sockets are seen as they are on this machine"
    guard demand != nil, !process.lateFilters.contains(.addressResults) else { return false }
    guard DescriptorTransfer.isAllowed(by: call.tracee.identifier, late: process.lateFilters.count)
    else {
      process.lateFilters.insert(.addressResults)
      kernel.reportOutOfReach(process, reason: failure)
      return false
    }
    return kernel.addFilter(
      .addressResults, before: call.registers, of: call.tracee, failure: failure)
  }

  /// Returns whether a thread may bind a port by its privileges (ip(7), capabilities(7)); the kernel refuses it if not.
  private func mayBind(_ port: UInt16, _ tracee: Tracee) -> Bool {
    let path = "/proc/sys/net/ipv4/ip_unprivileged_port_start"
    let first = SmallFile.read(path).flatMap { Int($0.prefix { $0.isNumber }) } ?? 1_024
    guard port < first else { return true }
    let status = "/proc/\(tracee.identifier.number)/status"
    let bindService: UInt64 = 1 << 10
    return SmallFile.signalMask("CapEff:", in: status).map { $0 & bindService != 0 } ?? false
  }

  /// Returns whether a thread is in a network namespace of its own, whose loopback is nobody else's.
  private func isElsewhere(_ tracee: Tracee) -> Bool {
    namespace != nil && SmallFile.link("/proc/\(tracee.identifier.number)/ns/net") != namespace
  }

  /// The case's addresses; `nil` where other cases have them all.
  private func takeBinder() -> HostBinder? {
    if let binder { return binder }
    guard !lacksBlock, let block = try? LoopbackBlock.take() else {
      lacksBlock = true
      return nil
    }
    return HostBinder(network: HostNetwork(loopbackIn: block))
  }

  /// At which of the case's addresses a socket is to be.
  private static func meaning(
    ofBinding wanted: InternetAddress, _ socket: SocketCopy
  ) -> (HostNetwork.Interface, HostPorts.Scope) {
    let address = wanted.unmapped
    if address.bytes.count == 4 { return (.own, address.isUnspecified ? .any : .one) }
    guard address.isUnspecified else { return (.wideLoopback, .one) }
    let isOnlyWide = socket.option(Int32(IPPROTO_IPV6), IPV6_V6ONLY) != 0
    return isOnlyWide ? (.wideLoopback, .wide) : (.own, .both)
  }

  // MARK: - Where calls lead

  private func lead(_ call: InterceptedCall) -> CallDisposition {
    var needsResults =
      demand != nil && !call.tracee.process.lateFilters.contains(.addressResults)
    var isLed = false
    func rewritten() -> CallDisposition {
      CallRewriting(call, otherwise: .pass) { [self] address in
        guard case .internet(let internet) = address, mayLead(internet.port),
          internet.unmapped.isUnspecified || isHere(internet), !isElsewhere(call.tracee)
        else { return .asMeant }
        let socket = SocketCopy(kernel.copyDescriptor(call.integer(0), of: call.tracee))
        defer { socket.end() }
        // A datagram socket of IPv6 takes an address of IPv4 as it stands.
        guard socket.isOfHosts, socket.isWide || internet.bytes.count == 4,
          let real = destination(of: internet, like: socket)
        else { return .asMeant }
        isLed = true
        guard !needsResults else { return .asMeant }
        if internet.unmapped.bytes.count == 16,
          !reachesOthers || call.number == SystemCallNumber.connect
        {
          takeWideSource(socket)
        }
        if socket.isWide { socket.admitMappedAddresses(for: internet) }
        return .changed(address.bytes(of: real))
      }.disposition()
    }
    let disposition = rewritten()
    guard isLed, needsResults else { return disposition }
    needsResults = false
    return showsResults(of: call) ? .taken : rewritten()
  }

  /// Returns whether what is sent to a port may have to go elsewhere than it is meant to.
  private func mayLead(_ port: UInt16) -> Bool {
    guard let demand else { return true }
    guard !demand.mayLead(port) else { return true }
    // A client of the case's own ports may have got an address there, to which its server answers.
    return demand.reach != .none
      && [HostNetwork.Interface.own, .wideLoopback].contains {
        binder?.hasReceiver(host: Self.machine, $0, port: port, .datagram) ?? false
      }
  }

  /// Gives a socket that goes to ::1 and has no address yet the case's own in its place, by which both ends know of which
  /// family the other one is.
  private func takeWideSource(_ socket: SocketCopy) {
    guard socket.local?.port == 0 else { return }
    let place = HostNetwork.Place(host: Self.machine, interface: .wideLoopback, port: 0)
    // Of a socket that failed to connect before, the address stays.
    _ = binder?.bind(
      socket, HostPorts.Binding(place: place, scope: .one),
      takesPortLater: socket.transport == .stream)
  }

  // MARK: - Addresses that come back

  /// Translates a socket's own address for the target; `nil` if it is unchanged.
  private func seenOwn(_ socket: SocketCopy) -> InternetAddress? {
    guard let binder, let local = socket.local, let place = binder.network.place(at: local) else {
      return nil
    }
    let peer = socket.peer
    let scope = binder.scope(at: place, socket.transport) ?? .one
    guard peer == nil, scope != .one else { return binder.network.seen(local, from: peer) }
    return InternetAddress(
      bytes: [UInt8](repeating: 0, count: socket.isWide ? 16 : 4), port: place.port)
  }
}

extension HostNetwork {
  /// The network of a case whose targets have a loopback of their own: one host, which they call 127.0.0.1.
  init(loopbackIn block: LoopbackBlock) {
    let address = InternetAddress.loopback(port: 0).bytes
    self.init(block: block, addresses: [address], outside: address, hostsOfTargets: [])
  }
}

extension InternetAddress {
  /// True for 0.0.0.0 and ::, which a socket that connects there takes for its own machine (ip(7)).
  fileprivate var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// True for 127.0.0.1 and ::1, and not for another address of 127.0.0.0/8.
  fileprivate var isExactLoopback: Bool {
    [.loopback(port: port), .wideLoopback(port: port)].contains(self)
  }

  /// The address that it means to a socket that connects: of the unspecified ones, loopback.
  fileprivate var near: InternetAddress {
    guard unmapped.isUnspecified else { return self }
    return unmapped.bytes.count == 4 ? .loopback(port: port) : .wideLoopback(port: port)
  }
}
