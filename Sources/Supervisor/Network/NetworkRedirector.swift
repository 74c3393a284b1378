internal import CSupervisor
internal import Glibc

/// Redirects connections and datagrams of the target as its environment requires, and shows it the
/// addresses that it meant.
final class NetworkRedirector: Interceptor, ConnectionDestinations {
  private unowned let kernel: any TraceKernel
  private let router: any ConnectionRouter
  private let trustVariables: Set<String>
  /// The local addresses that stand for remote ones.
  private var table = RedirectionTable()
  /// The original destinations of connections to ports of this machine: host and port.
  private var destinations: [UInt16: String] = [:]
  /// The numbers of the target's connections.
  private(set) var account = ConnectionAccount()
  /// The trust of the processes that have made connections, in the order of connections.
  private(set) var trust: [TrustUse] = []
  /// The tickets of the connections that threads are about to make.
  private var links: [ThreadIdentifier: Int] = [:]

  /// Creates a redirector.
  ///
  /// - Parameter trustVariables: the variables that point a program to the certificate authorities
  ///   to trust.
  init(
    kernel: any TraceKernel, router: any ConnectionRouter, trustVariables: Set<String>
  ) {
    self.kernel = kernel
    self.router = router
    self.trustVariables = trustVariables
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
    return rules
  }

  func inherit(from trunk: any Interceptor) {
    guard let trunk = trunk as? NetworkRedirector else { return }
    table = trunk.table
    destinations = trunk.destinations
  }

  func threadEnded(_ thread: ThreadIdentifier) { links[thread] = nil }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    switch call.number {
    case SystemCallNumber.getpeername: readPeer(call)
    case SystemCallNumber.recvfrom: receive(call)
    default: route(call)
    }
  }

  // MARK: - What others ask

  /// Returns whether a port of this machine stands for a remote one.
  func isDestination(_ port: UInt16) -> Bool { destinations[port] != nil }

  /// Returns the original destination of a connection to a port of this machine: host and port;
  /// `nil` if it is that port itself.
  func destination(of port: UInt16) -> String? { destinations[port] }

  /// The address that one of this machine stands for; `nil` if it stands for none.
  func original(of address: InternetAddress) -> InternetAddress? {
    table.original(of: address, transport: .stream)
      ?? table.original(of: address, transport: .datagram)
  }

  // MARK: - Calls that name an address

  /// A thread wants to reach an address.
  private func route(_ intercepted: InterceptedCall) -> CallDisposition {
    let (tracee, registers) = (intercepted.tracee, intercepted.registers)
    guard let memory = tracee.process.memory, let call = AddressedCall(registers) else {
      return .proceed
    }
    switch call {
    case .argument(let index):
      let place = (registers[argument: index], registers[argument: index + 1])
      guard let address = address(at: place, registers, memory) else { return .proceed }
      let route = route(to: address, call: registers, tracee)
      return routeArgument(index, registers, tracee, memory, route)
    case .message(let message):
      guard let name = MessageName(ofMessage: message, memory), name.address != 0,
        let address = address(at: (name.address, UInt64(name.length)), registers, memory)
      else { return .proceed }
      let route = route(to: address, call: registers, tracee)
      return routeMessage(message, registers, tracee, memory, route)
    case .messages(let first, let count):
      return routeMessages(first, count, registers, tracee, memory)
    }
  }

  /// The way of a call.
  private enum Route: Equatable {
    /// To its own destination.
    case asMeant
    /// To these bytes of a socket address; `port` is the stand-in's of a connection.
    case changed([UInt8], port: UInt16?)
    /// Nowhere.
    case failed(Int32)
  }

  private func address(
    at place: (address: UInt64, length: UInt64), _ registers: Registers, _ memory: TargetMemory
  ) -> SocketAddress? {
    let length = Int32(truncatingIfNeeded: place.length)
    let isInMessage = [SystemCallNumber.sendmsg, SystemCallNumber.sendmmsg].contains(
      registers.systemCall)
    // The kernel refuses what has a length that no address has; of a message it takes the beginning.
    guard length >= 0, isInMessage || length <= SocketAddress.maximumLength else { return nil }
    return SocketAddress(
      memory: memory, address: place.address, length: place.length,
      isDestination: registers.systemCall != SystemCallNumber.connect)
  }

  // MARK: - Carrying it out

  private func routeArgument(
    _ index: Int, _ registers: Registers, _ tracee: Tracee, _ memory: TargetMemory, _ route: Route
  ) -> CallDisposition {
    var changed = registers
    switch route {
    case .asMeant:
      return .proceed
    case .failed(let error):
      return .skip(result: -Int(error))
    case .changed(let bytes, let port):
      guard let image = tracee.process.image else {
        return .skip(result: -KernelError.networkUnreachable)
      }
      let slot = tracee.process.program.scratch.takeSlot()
      bytes.withUnsafeBytes { _ = memory.write($0, at: image.slot(slot)) }
      changed[argument: index] = image.slot(slot)
      changed[argument: index + 1] = UInt64(bytes.count)
      return .make(changed) { [self] exit in
        tracee.process.program.scratch.releaseSlot(slot)
        if let port { recordConnection(of: tracee, exit, to: port) }
      }
    }
  }

  /// A message's structure may be shared by threads, and constant: it is copied.
  private func routeMessage(
    _ message: UInt64, _ registers: Registers, _ tracee: Tracee, _ memory: TargetMemory,
    _ route: Route
  ) -> CallDisposition {
    guard case .changed(let bytes, let port) = route else {
      return routeArgument(1, registers, tracee, memory, route)
    }
    var changed = registers
    let header = memory.readBytes(AddressedCall.messageLength, at: message)
    guard let image = tracee.process.image, header.count == AddressedCall.messageLength else {
      return .skip(result: -KernelError.badAddress)
    }
    let slot = tracee.process.program.scratch.takeSlot()
    let copy = image.slot(slot)
    let name = copy + UInt64(AddressedCall.messageLength)
    header.withUnsafeBytes { _ = memory.write($0, at: copy) }
    bytes.withUnsafeBytes { _ = memory.write($0, at: name) }
    MessageName(address: name, length: UInt32(bytes.count)).write(toMessage: copy, memory)
    changed[argument: 1] = copy
    return .make(changed) { [self] exit in
      tracee.process.program.scratch.releaseSlot(slot)
      if let port { recordConnection(of: tracee, exit, to: port) }
    }
  }

  /// Redirects messages of sendmmsg(2): the kernel writes into their structures, so they are
  /// changed in place, and put back.
  ///
  /// The messages up to the first one that goes elsewhere are sent: "if this is less than vlen, the
  /// caller can retry with a further sendmmsg() call" (sendmmsg(2)).
  private func routeMessages(
    _ first: UInt64, _ count: Int, _ registers: Registers, _ tracee: Tracee,
    _ memory: TargetMemory
  ) -> CallDisposition {
    var names: [MessageName] = []
    var route = Route.asMeant
    var previous: SocketAddress?
    for index in 0..<count {
      let message = first &+ UInt64(index) &* AddressedCall.vectorElementLength
      guard let name = MessageName(ofMessage: message, memory) else { break }
      let address =
        name.address == 0
        ? nil : address(at: (name.address, UInt64(name.length)), registers, memory)
      if index == 0 {
        route = address.map { self.route(to: $0, call: registers, tracee) } ?? .asMeant
      } else if address != previous {
        // Where all that came before leads where it was to, the next may as well.
        guard route == .asMeant,
          address.map({ self.route(to: $0, call: registers, tracee) }) ?? .asMeant
            == .asMeant
        else { break }
      }
      previous = address
      names.append(name)
    }
    var changed = registers
    changed[argument: 2] = UInt64(names.count)
    guard case .changed(let bytes, _) = route else {
      guard route == .asMeant, !names.isEmpty, names.count < count else {
        return routeArgument(0, registers, tracee, memory, route)
      }
      return .make(changed) { _ in }
    }
    guard let image = tracee.process.image else {
      return .skip(result: -KernelError.networkUnreachable)
    }
    let slot = tracee.process.program.scratch.takeSlot()
    bytes.withUnsafeBytes { _ = memory.write($0, at: image.slot(slot)) }
    let replacement = MessageName(address: image.slot(slot), length: UInt32(bytes.count))
    for index in names.indices {
      replacement.write(
        toMessage: first &+ UInt64(index) &* AddressedCall.vectorElementLength, memory)
    }
    return .make(changed) { _ in
      tracee.process.program.scratch.releaseSlot(slot)
      for (index, name) in names.enumerated() {
        name.write(toMessage: first &+ UInt64(index) &* AddressedCall.vectorElementLength, memory)
      }
    }
  }

  // MARK: - Deciding

  private func route(
    to address: SocketAddress, call: Registers, _ tracee: Tracee
  ) -> Route {
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
  ) -> Route {
    let sends = call.systemCall != SystemCallNumber.connect
    let copy = kernel.copyDescriptor(Int32(truncatingIfNeeded: call[argument: 0]), of: tracee)
    defer { if copy >= 0 { close(copy) } }
    let transport = Self.transport(of: copy)
    if router.hasLinks, transport == .stream, Self.connects(call),
      let error = openLink(to: internet, of: tracee, copy: copy)
    {
      account.refused += 1
      return .failed(error)
    }
    var decision = router.route(to: internet, transport: transport, sends: sends)
    if case .redirect = decision, transport == .stream, router.isHere(internet),
      ListeningPorts(of: kernel.processes.values).all.contains(internet.port)
    {
      decision = .pass
      router.abandonRedirection(of: internet)
    }
    if case .redirect = decision {} else { abandonLink(of: tracee) }
    switch decision {
    case .pass:
      if !router.isHere(internet) {
        account.recordReached(internet, by: router.hostName(of: internet))
      }
      return .asMeant
    case .refuse(let error):
      account.refused += 1
      if router.wantsRefusals { report(refusalOf: internet, transport, call, tracee) }
      return .failed(error)
    case .discard:
      account.refused += 1
      Self.admitMappedAddresses(copy, for: internet)
      return .changed(address.bytes(of: table.discard(internet)), port: nil)
    case .redirect(let port):
      recordRedirection(of: internet, to: port)
      table.add(internet, port: port, transport: transport)
      Self.admitMappedAddresses(copy, for: internet)
      if router.hasLinks, transport == .datagram { recordNameClient(tracee, copy: copy, to: port) }
      if transport == .datagram, sends {
        observeAnswer(on: Int32(truncatingIfNeeded: call[argument: 0]), of: tracee)
      }
      return .changed(
        address.bytes(of: .loopback(port: port)), port: transport == .stream ? port : nil)
    }
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

  /// Permits an IPv6 socket to connect to an IPv4 address, which the program may have forbidden
  /// (ipv6(7)).
  private static func admitMappedAddresses(_ copy: Int32, for address: InternetAddress) {
    guard address.bytes.count == 16 else { return }
    var no: Int32 = 0
    // Of a socket that is bound already the kernel does not take it; then connecting fails as without it.
    setsockopt(
      copy, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Returns the kind of a socket, from a copy of its descriptor.
  private static func transport(of copy: Int32) -> TransportKind {
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard copy >= 0, getsockopt(copy, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
      return .stream
    }
    return type == Int32(SOCK_STREAM.rawValue) ? .stream : .datagram
  }

  // MARK: - Connections

  /// Records a connection that has been made, or has begun to be: its port identifies its maker
  /// from here on.
  private func recordConnection(of tracee: Tracee, _ registers: Registers, to port: UInt16) {
    let result = registers.result
    let ticket = links[tracee.identifier]
    defer { abandonLink(of: tracee) }
    guard result >= 0 || result == -KernelError.inProgress, Self.connects(registers) else { return }
    let copy = kernel.copyDescriptor(Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee)
    guard copy >= 0 else { return }
    defer { close(copy) }
    guard let source = Self.port(of: copy) else { return }
    if router.hasLinks, isNameServer(port) {
      recordNameClient(tracee, copy: copy, to: port)
    }
    links[tracee.identifier] = nil
    let process = tracee.process
    process.program.trust.readVariables(
      of: process.identifier, among: trustVariables)
    trust.append(process.program.trust)
    account.connections += 1
    var connection = RedirectedConnection(
      number: account.connections, process: process.identifier.number,
      arguments: process.program.arguments, sourcePort: source, port: port,
      lineage: kernel.tree.path(of: tracee.identifier).path,
      ordinal: kernel.tree.nextConnection(of: tracee.identifier))
    connection.ticket = ticket
    router.recordConnection(connection)
  }

  /// Returns whether a call makes a connection: connect(2), or sending with MSG_FASTOPEN (tcp(7)).
  private static func connects(_ registers: Registers) -> Bool {
    let fastOpen: UInt64 = 0x2000_0000
    return switch registers.systemCall {
    case SystemCallNumber.connect: true
    case SystemCallNumber.sendto: registers[argument: 3] & fastOpen != 0
    default: registers[argument: 2] & fastOpen != 0
    }
  }

  /// The port of this machine that a socket has.
  private static func port(of copy: Int32) -> UInt16? {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(copy, $0, &length) }
    }
    // Both families have the port behind two bytes of family.
    return result == 0 ? UInt16(bigEndian: storage.sin6_port) : nil
  }

  /// Records the destination that a port of the stand-in stands for.
  private func recordRedirection(of address: InternetAddress, to port: UInt16) {
    guard destinations[port] == nil else { return }
    let name = router.hostName(of: address) ?? address.unmapped.text
    destinations[port] = "\(name):\(address.port)"
  }

  // MARK: - Links

  /// Decides about a connection that a thread is about to make; the errno with which it fails, if it does.
  ///
  /// - Parameter copy: a copy of the socket's descriptor.
  private func openLink(
    to address: InternetAddress, of tracee: Tracee, copy: Int32
  ) -> Int32? {
    // A thread may ask again how a connection is getting on (connect(2), EALREADY and EISCONN).
    guard Self.isUnconnected(copy) else { return nil }
    let process = tracee.process
    let opening = router.openLink(
      RequestedConnection(
        address: address, process: process.identifier.number, processOrdinal: process.ordinal,
        executable: process.executable))
    switch opening {
    case .refused(let error): return error
    case .made(let ticket):
      abandonLink(of: tracee)
      links[tracee.identifier] = ticket
      return nil
    }
  }

  /// What was decided about a thread's connection is of no use: the connection was not made.
  private func abandonLink(of tracee: Tracee) {
    if let ticket = links.removeValue(forKey: tracee.identifier) { router.abandonLink(ticket) }
  }

  /// Returns whether a TCP socket has not begun to connect (tcp(7), TCP_INFO).
  private static func isUnconnected(_ copy: Int32) -> Bool {
    let closed: UInt8 = 7
    var state: UInt8 = closed
    var length = socklen_t(MemoryLayout<UInt8>.size)
    guard copy >= 0, getsockopt(copy, Int32(IPPROTO_TCP), TCP_INFO, &state, &length) == 0 else {
      return true
    }
    return state == closed
  }

  // MARK: - Name servers

  /// A thread is about to ask a name server, or to connect to it.
  ///
  /// - Parameter copy: a copy of the socket's descriptor.
  private func recordNameClient(_ tracee: Tracee, copy: Int32, to port: UInt16) {
    var attributes = stat()
    guard copy >= 0, fstat(copy, &attributes) == 0, let source = Self.settledPort(of: copy),
      source != 0
    else { return }
    let process = tracee.process
    router.recordNameClient(
      NameServerClient(
        process: process.identifier.number, processOrdinal: process.ordinal,
        threadOrdinal: tracee.ordinal, executable: process.executable,
        socket: UInt64(attributes.st_ino), sourcePort: source, port: port,
        lineage: kernel.tree.path(of: tracee.identifier).path,
        ordinal: kernel.tree.nextConnection(of: tracee.identifier)))
  }

  /// Returns whether a port of this machine stands for a name server's over TCP.
  private func isNameServer(_ port: UInt16) -> Bool {
    let here = InternetAddress(bytes: [127, 0, 0, 1], port: port)
    return table.original(of: here, transport: .stream)?.port == Self.nameServicePort
  }

  /// The port of DNS (RFC 1035, section 4.2).
  private static let nameServicePort: UInt16 = 53

  /// The port that a socket has, or that it gets now, as it would when it is first used (udp(7)).
  ///
  /// A datagram may be read before its sender's call is seen to have ended: its port must be known before.
  private static func settledPort(of copy: Int32) -> UInt16? {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // Both families have the port behind two bytes of family.
        func port() -> UInt16 { UInt16(bigEndian: storage.pointee.sin6_port) }
        guard getsockname(copy, address, &length) == 0 else { return nil }
        // A socket without a port has no address either: what was read is the unspecified one.
        guard port() == 0, bind(copy, address, length) == 0,
          getsockname(copy, address, &length) == 0
        else { return port() }
        return port()
      }
    }
  }

  // MARK: - Addresses that come back

  /// A thread asks for the other end of a connection: it gets the one that it meant.
  private func readPeer(_ call: InterceptedCall) -> CallDisposition {
    let tracee = call.tracee
    guard !table.isEmpty, let memory = tracee.process.memory,
      let capacity = memory.read(Int32.self, at: call.registers[argument: 2])
    else { return .proceed }
    return .observe { [self] exit in
      guard exit.result == 0 else { return }
      let copy = kernel.copyDescriptor(Int32(truncatingIfNeeded: exit[argument: 0]), of: tracee)
      guard copy >= 0 else { return }
      let transport = Self.transport(of: copy)
      close(copy)
      restoreAddress(at: exit[argument: 1], length: capacity, transport: transport, memory)
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
      restoreAddress(at: place, length: capacity, transport: .datagram, memory)
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
      switch registers.systemCall {
      case SystemCallNumber.close:
        return false
      case SystemCallNumber.recvmsg where registers.result >= 0:
        restoreName(ofMessage: registers[argument: 1], memory)
      case SystemCallNumber.recvmmsg where registers.result > 0:
        for index in 0..<UInt64(min(registers.result, 1_024)) {
          restoreName(
            ofMessage: registers[argument: 1] &+ index &* AddressedCall.vectorElementLength, memory)
        }
      default:
        break
      }
      return callsLeft > 0
    }
  }

  private func restoreName(ofMessage message: UInt64, _ memory: TargetMemory) {
    guard let name = MessageName(ofMessage: message, memory), name.address != 0 else { return }
    restoreAddress(
      at: name.address, length: Int32(truncatingIfNeeded: name.length), transport: .datagram, memory
    )
  }

  /// Puts the address that the target meant where the kernel has written one of this machine.
  ///
  /// - Parameter length: how much room there is; where the address does not fit, it stays.
  private func restoreAddress(
    at place: UInt64, length: Int32, transport: TransportKind, _ memory: TargetMemory
  ) {
    guard length >= SocketAddress.shortLength, place != 0,
      case .internet(let address)? = SocketAddress(
        memory: memory, address: place, length: UInt64(min(length, 28))),
      let original = table.original(of: address, transport: transport)
    else { return }
    memory.writeAsKernel(original.port.bigEndian, at: place &+ 2)
    let bytes = address.bytes.count == 16 ? original.wideBytes : original.unmapped.bytes
    guard bytes.count == address.bytes.count else { return }
    bytes.withUnsafeBytes { _ = memory.writeAsKernel($0, at: place &+ (bytes.count == 16 ? 8 : 4)) }
  }
}
