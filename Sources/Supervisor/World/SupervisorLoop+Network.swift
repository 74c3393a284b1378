internal import CSupervisor
internal import Glibc

extension SupervisorLoop {
  /// A thread wants to reach an address.
  func routeCall(of tracee: Tracee, _ registers: Registers) {
    guard let router = configuration.router, let memory = tracee.process.memory,
      let call = AddressedCall(registers)
    else { return resume(tracee) }
    switch call {
    case .argument(let index):
      let place = (registers[argument: index], registers[argument: index + 1])
      guard let address = address(at: place, registers, memory) else { return resume(tracee) }
      let route = route(to: address, call: registers, tracee, router)
      routeArgument(index, registers, tracee, memory, route)
    case .message(let message):
      guard let name = MessageName(ofMessage: message, memory), name.address != 0,
        let address = address(at: (name.address, UInt64(name.length)), registers, memory)
      else { return resume(tracee) }
      let route = route(to: address, call: registers, tracee, router)
      routeMessage(message, registers, tracee, memory, route)
    case .messages(let first, let count):
      routeMessages(first, count, registers, tracee, memory, router)
    }
  }

  /// Where a call leads.
  private enum Route: Equatable {
    /// Where it was to.
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
  ) {
    var changed = registers
    switch route {
    case .asMeant:
      resume(tracee)
    case .failed(let error):
      changed.skipSystemCall(returning: -Int(error))
      finish(tracee, with: changed)
    case .changed(let bytes, let port):
      guard let image = tracee.process.image else {
        changed.skipSystemCall(returning: -KernelError.networkUnreachable)
        return finish(tracee, with: changed)
      }
      let slot = tracee.process.takeSlot()
      bytes.withUnsafeBytes { _ = memory.write($0, at: image.slot(slot)) }
      changed[argument: index] = image.slot(slot)
      changed[argument: index + 1] = UInt64(bytes.count)
      complete(tracee, original: registers, with: changed) { loop, registers in
        tracee.process.slotsInUse.remove(slot)
        if let port { loop.noteConnection(of: tracee, registers, to: port) }
      }
    }
  }

  /// A message's structure may be shared by threads, and constant: it is copied.
  private func routeMessage(
    _ message: UInt64, _ registers: Registers, _ tracee: Tracee, _ memory: TargetMemory,
    _ route: Route
  ) {
    guard case .changed(let bytes, let port) = route else {
      return routeArgument(1, registers, tracee, memory, route)
    }
    var changed = registers
    let header = memory.readBytes(AddressedCall.messageLength, at: message)
    guard let image = tracee.process.image, header.count == AddressedCall.messageLength else {
      changed.skipSystemCall(returning: -KernelError.badAddress)
      return finish(tracee, with: changed)
    }
    let slot = tracee.process.takeSlot()
    let copy = image.slot(slot)
    let name = copy + UInt64(AddressedCall.messageLength)
    header.withUnsafeBytes { _ = memory.write($0, at: copy) }
    bytes.withUnsafeBytes { _ = memory.write($0, at: name) }
    MessageName(address: name, length: UInt32(bytes.count)).write(toMessage: copy, memory)
    changed[argument: 1] = copy
    complete(tracee, original: registers, with: changed) { loop, registers in
      tracee.process.slotsInUse.remove(slot)
      if let port { loop.noteConnection(of: tracee, registers, to: port) }
    }
  }

  /// The kernel writes into the structures of sendmmsg(2), so they are changed where they lie, and put back.
  ///
  /// The messages up to the first one that goes elsewhere are sent: "if this is less than vlen, the caller
  /// can retry with a further sendmmsg() call" (sendmmsg(2)).
  private func routeMessages(
    _ first: UInt64, _ count: Int, _ registers: Registers, _ tracee: Tracee,
    _ memory: TargetMemory, _ router: any ConnectionRouter
  ) {
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
        route = address.map { self.route(to: $0, call: registers, tracee, router) } ?? .asMeant
      } else if address != previous {
        // Where all that came before leads where it was to, the next may as well.
        guard route == .asMeant,
          address.map({ self.route(to: $0, call: registers, tracee, router) }) ?? .asMeant
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
      return replaceArguments(of: tracee, original: registers, with: changed)
    }
    guard let image = tracee.process.image else {
      changed.skipSystemCall(returning: -KernelError.networkUnreachable)
      return finish(tracee, with: changed)
    }
    let slot = tracee.process.takeSlot()
    bytes.withUnsafeBytes { _ = memory.write($0, at: image.slot(slot)) }
    let replacement = MessageName(address: image.slot(slot), length: UInt32(bytes.count))
    for index in names.indices {
      replacement.write(
        toMessage: first &+ UInt64(index) &* AddressedCall.vectorElementLength, memory)
    }
    complete(tracee, original: registers, with: changed) { _, _ in
      tracee.process.slotsInUse.remove(slot)
      for (index, name) in names.enumerated() {
        name.write(toMessage: first &+ UInt64(index) &* AddressedCall.vectorElementLength, memory)
      }
    }
  }

  // MARK: - Deciding

  private func route(
    to address: SocketAddress, call: Registers, _ tracee: Tracee, _ router: any ConnectionRouter
  ) -> Route {
    switch address {
    case .local(let path):
      guard NameDaemons.answer(at: path), router.confines else { return .asMeant }
      return .failed(ENOENT)
    case .foreign:
      // Where such a socket came from is unknown: none is made here.
      return router.confines ? .failed(ENETUNREACH) : .asMeant
    case .internet(let internet):
      return route(to: internet, as: address, call: call, tracee, router)
    }
  }

  private func route(
    to internet: InternetAddress, as address: SocketAddress, call: Registers, _ tracee: Tracee,
    _ router: any ConnectionRouter
  ) -> Route {
    let sends = call.systemCall != SystemCallNumber.connect
    let copy = copyDescriptor(Int32(truncatingIfNeeded: call[argument: 0]), of: tracee)
    defer { if copy >= 0 { close(copy) } }
    let transport = Self.transport(of: copy)
    if router.hasLinks, transport == .stream, Self.connects(call),
      let error = openLink(to: internet, of: tracee, copy: copy, router)
    {
      network.refused += 1
      return .failed(error)
    }
    var decision = router.route(to: internet, transport: transport, sends: sends)
    if case .redirect = decision, transport == .stream, router.isHere(internet),
      isServed(port: internet.port)
    {
      decision = .pass
      router.abandonRedirection(of: internet)
    }
    if case .redirect = decision {} else { abandonLink(of: tracee) }
    switch decision {
    case .pass:
      if !router.isHere(internet) {
        network.noteReached(internet, by: router.hostName(of: internet))
      }
      return .asMeant
    case .refuse(let error):
      network.refused += 1
      if router.wantsRefusals { tell(router, ofRefusal: internet, transport, call, tracee) }
      return .failed(error)
    case .discard:
      network.refused += 1
      Self.admitMappedAddresses(copy, for: internet)
      return .changed(address.bytes(of: redirectionTable.discard(internet)), port: nil)
    case .redirect(let port):
      noteRedirection(of: internet, to: port)
      redirectionTable.add(internet, port: port, transport: transport)
      Self.admitMappedAddresses(copy, for: internet)
      if router.hasLinks, transport == .datagram { noteNameClient(tracee, copy: copy, to: port) }
      if transport == .datagram, sends {
        tracee.nameQuestion = NameQuestionWatch(
          descriptor: Int32(truncatingIfNeeded: call[argument: 0]))
      }
      return .changed(
        address.bytes(of: .loopback(port: port)), port: transport == .stream ? port : nil)
    }
  }

  private func tell(
    _ router: any ConnectionRouter, ofRefusal address: InternetAddress, _ transport: TransportKind,
    _ call: Registers, _ tracee: Tracee
  ) {
    let process = tracee.process
    var refusal = RefusedConnection(
      address: address, transport: transport, sends: call.systemCall != SystemCallNumber.connect,
      process: process.identifier.number, arguments: process.arguments)
    if address.port == NameDaemons.namePort, let memory = process.memory {
      refusal.name = QuestionInMemory(memory: memory).name(for: call)
    }
    router.noteRefusal(refusal)
  }

  /// Lets an IPv6 socket connect to an IPv4 address, which it may have been told not to (ipv6(7)).
  private static func admitMappedAddresses(_ copy: Int32, for address: InternetAddress) {
    guard address.bytes.count == 16 else { return }
    var no: Int32 = 0
    // Of a socket that is bound already the kernel does not take it; then connecting fails as without it.
    setsockopt(
      copy, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
  }

  /// How a socket sends, from a copy of its descriptor.
  static func transport(of copy: Int32) -> TransportKind {
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard copy >= 0, getsockopt(copy, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
      return .stream
    }
    return type == Int32(SOCK_STREAM.rawValue) ? .stream : .datagram
  }

  // MARK: - Connections

  /// A connection has been made, or has begun to be: who made it can be told by its port from here on.
  private func noteConnection(of tracee: Tracee, _ registers: Registers, to port: UInt16) {
    let result = registers.result
    let ticket = tracee.linkTicket
    defer { abandonLink(of: tracee) }
    guard result >= 0 || result == -KernelError.inProgress, Self.connects(registers) else { return }
    let copy = copyDescriptor(Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee)
    guard copy >= 0 else { return }
    defer { close(copy) }
    guard let source = Self.port(of: copy) else { return }
    if configuration.router?.hasLinks ?? false, isNameServer(port) {
      noteNameClient(tracee, copy: copy, to: port)
    }
    tracee.linkTicket = nil
    let process = tracee.process
    process.trust.readVariables(
      of: process.identifier, among: configuration.trustVariables)
    trust.append(process.trust)
    network.connections += 1
    var connection = RedirectedConnection(
      number: network.connections, process: process.identifier.number,
      arguments: process.arguments, sourcePort: source, port: port,
      lineage: tracee.lineage.path, ordinal: tracee.lineage.nextConnection())
    connection.ticket = ticket
    configuration.router?.noteConnection(connection)
  }

  /// Whether a call makes a connection: connect(2), or sending with MSG_FASTOPEN (tcp(7)).
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
}

/// The daemons of this machine that look host names up for others, behind the supervisor's back.
enum NameDaemons {
  /// Where name servers are asked (RFC 1035, section 4.2).
  static let namePort: UInt16 = 53

  private static let folders = ["/run/systemd/resolve/", "/var/run/systemd/resolve/"]
  private static let endings = ["/nscd/socket", "/avahi-daemon/socket", "/nslcd/socket"]

  /// Whether a socket is one of theirs (nscd(8), systemd-resolved.service(8), avahi-daemon(8)).
  ///
  /// Without them libc asks by DNS.
  static func answer(at path: String) -> Bool {
    folders.contains { path.hasPrefix($0) } || endings.contains { path.hasSuffix($0) }
  }
}
