internal import CSupervisor
internal import Glibc

extension SupervisorLoop {
  /// A thread wants to reach an address.
  func routeCall(of tracee: Tracee, _ registers: Registers) {
    guard let router = configuration.router, let memory = tracee.process.memory,
      let place = addressPlace(registers, memory),
      let address = SocketAddress(
        memory: memory, address: place.address, length: place.length,
        isDestination: registers.systemCall != SystemCallNumber.connect)
    else { return resume(tracee) }
    switch decision(for: address, call: registers, tracee, router) {
    case .pass:
      resume(tracee)
    case .refuse(let error):
      var registers = registers
      registers.skipSystemCall(returning: -Int(error))
      finish(tracee, with: registers)
    case .redirect(let port):
      guard let argument = place.argument, let image = tracee.process.image else {
        // A message's address lies in a structure of the target's, which is not ours to change.
        var registers = registers
        registers.skipSystemCall(returning: -KernelError.networkUnreachable)
        return finish(tracee, with: registers)
      }
      let slot = tracee.process.takeSlot()
      let length = address.writeLoopback(port: port, to: memory, at: image.slot(slot))
      var changed = registers
      changed[argument: argument] = image.slot(slot)
      changed[argument: argument + 1] = UInt64(length)
      replaceArguments(of: tracee, original: registers, with: changed, scratchSlot: slot)
    }
  }

  private func decision(
    for address: SocketAddress, call: Registers, _ tracee: Tracee, _ router: any ConnectionRouter
  ) -> RoutingDecision {
    switch address {
    case .local(let path):
      // The name service daemons would answer host names behind our back (nscd(8),
      // systemd-resolved.service(8)); without them libc asks by DNS.
      let isNameService =
        path.hasSuffix("/nscd/socket") || path.hasPrefix("/run/systemd/resolve/")
      return isNameService ? .refuse(errorNumber: Int32(KernelError.noEntry)) : .pass
    case .internet(let address):
      let transport = transport(of: Int32(truncatingIfNeeded: call[argument: 0]), in: tracee)
      return router.route(to: address, transport: transport)
    }
  }

  /// Where the call's socket address lies; `nil` if it has none.
  private func addressPlace(
    _ registers: Registers, _ memory: TargetMemory
  ) -> (address: UInt64, length: UInt64, argument: Int?)? {
    switch registers.systemCall {
    case SystemCallNumber.connect:
      return (registers[argument: 1], registers[argument: 2], 1)
    case SystemCallNumber.sendto:
      guard registers[argument: 4] != 0 else { return nil }
      return (registers[argument: 4], registers[argument: 5], 4)
    default:
      // A msghdr begins with the address's place and length (sendmsg(2)); of several messages to
      // one socket the first one speaks for all.
      guard let name = memory.read(UInt64.self, at: registers[argument: 1]), name != 0,
        let length = memory.read(UInt32.self, at: registers[argument: 1] + 8)
      else { return nil }
      return (name, UInt64(length), nil)
    }
  }

  private func transport(of descriptor: Int32, in tracee: Tracee) -> TransportKind {
    let process = tracee.process.processDescriptor(open: scenario_open_process)
    let copy = scenario_copy_descriptor(process, descriptor)
    guard copy >= 0 else { return .stream }
    defer { close(copy) }
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(copy, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else { return .stream }
    return type == Int32(SOCK_DGRAM.rawValue) ? .datagram : .stream
  }
}

/// A socket address in the target's memory, of the families that matter here.
enum SocketAddress: Equatable {
  /// AF_INET, AF_INET6.
  case internet(InternetAddress)
  /// AF_UNIX with a path.
  case local(path: String)

  /// Reads an address; `nil` for other families and for addresses that the kernel would refuse.
  ///
  /// - Parameter isDestination: whether datagrams are sent there: AF_UNSPEC stands for AF_INET then, where
  ///   connect(2) takes it for "disconnect".
  init?(memory: TargetMemory, address: UInt64, length: UInt64, isDestination: Bool = false) {
    let bytes = memory.readBytes(Int(min(length, 128)), at: address)
    guard bytes.count >= 2 else { return nil }
    switch Int32(UInt16(bytes[0]) | UInt16(bytes[1]) << 8) {
    case AF_INET where bytes.count >= 16, AF_UNSPEC where isDestination && bytes.count >= 16:
      self = .internet(
        InternetAddress(bytes: Array(bytes[4..<8]), port: UInt16(bytes[2]) << 8 | UInt16(bytes[3])))
    case AF_INET6 where bytes.count >= 24:
      self = .internet(
        InternetAddress(
          bytes: Array(bytes[8..<24]), port: UInt16(bytes[2]) << 8 | UInt16(bytes[3])))
    case AF_UNIX:
      // unix(7): an abstract name begins with a zero byte, and is not a path.
      let path = bytes[2...].prefix { $0 != 0 }
      guard !path.isEmpty else { return nil }
      self = .local(path: String(decoding: path, as: UTF8.self))
    default:
      return nil
    }
  }

  /// Writes the address of 127.0.0.1, in this address's own family, and returns its length.
  func writeLoopback(port: UInt16, to memory: TargetMemory, at address: UInt64) -> Int {
    guard case .internet(let internet) = self else { return 0 }
    var bytes: [UInt8]
    let high = UInt8(port >> 8)
    let low = UInt8(truncatingIfNeeded: port)
    if internet.bytes.count == 4 {
      bytes = [UInt8(AF_INET), 0, high, low, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    } else {
      let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127, 0, 0, 1]
      bytes = [UInt8(AF_INET6), 0, high, low, 0, 0, 0, 0] + mapped + [0, 0, 0, 0]
    }
    bytes.withUnsafeBytes { _ = memory.write($0, at: address) }
    return bytes.count
  }
}
