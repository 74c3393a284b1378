internal import CSupervisor
internal import Glibc

extension SupervisorLoop {
  /// A thread wants to reach an address.
  func routeCall(of tracee: Tracee, _ registers: Registers) {
    guard let router = configuration.router, let memory = tracee.process.memory else {
      return resume(tracee)
    }
    let sends = registers.systemCall != SystemCallNumber.connect
    for place in addressPlaces(registers, memory) {
      let address = SocketAddress(
        memory: memory, address: place.address, length: place.length, isDestination: sends)
      guard let address else { continue }
      let decision = decision(for: address, call: registers, sends: sends, tracee, router)
      guard decision != .pass else { continue }
      return carryOut(decision, for: address, at: place, registers, tracee, memory)
    }
    resume(tracee)
  }

  private func carryOut(
    _ decision: RoutingDecision, for address: SocketAddress, at place: AddressPlace,
    _ registers: Registers, _ tracee: Tracee, _ memory: TargetMemory
  ) {
    var changed = registers
    switch decision {
    case .pass:
      resume(tracee)
    case .refuse(let error):
      changed.skipSystemCall(returning: -Int(error))
      finish(tracee, with: changed)
    case .redirect(let port):
      if case .internet(let internet) = address { noteRedirection(of: internet, to: port) }
      guard let argument = place.argument, let image = tracee.process.image else {
        // A message's address lies in a structure of the target's, which is not ours to change.
        changed.skipSystemCall(returning: -KernelError.networkUnreachable)
        return finish(tracee, with: changed)
      }
      let slot = tracee.process.takeSlot()
      let length = address.writeLoopback(port: port, to: memory, at: image.slot(slot))
      changed[argument: argument] = image.slot(slot)
      changed[argument: argument + 1] = UInt64(length)
      replaceArguments(of: tracee, original: registers, with: changed, scratchSlot: slot)
    }
  }

  private func decision(
    for address: SocketAddress, call: Registers, sends: Bool, _ tracee: Tracee,
    _ router: any ConnectionRouter
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
      return router.route(to: address, transport: transport, sends: sends)
    }
  }

  /// Where a socket address lies, and in which argument of the call, if in one.
  private struct AddressPlace {
    var address: UInt64
    var length: UInt64
    var argument: Int?
  }

  /// Where the call's socket addresses lie; a call may have none, and sendmmsg(2) many.
  private func addressPlaces(_ registers: Registers, _ memory: TargetMemory) -> [AddressPlace] {
    switch registers.systemCall {
    case SystemCallNumber.connect:
      return [
        AddressPlace(address: registers[argument: 1], length: registers[argument: 2], argument: 1)
      ]
    case SystemCallNumber.sendto:
      guard registers[argument: 4] != 0 else { return [] }
      return [
        AddressPlace(address: registers[argument: 4], length: registers[argument: 5], argument: 4)
      ]
    case SystemCallNumber.sendmmsg:
      // The kernel looks at no more than 1,024 (UIO_MAXIOV); a struct mmsghdr is 64 bytes long.
      let count = min(UInt64(UInt32(truncatingIfNeeded: registers[argument: 2])), 1_024)
      return (0..<count).compactMap { messagePlace(registers[argument: 1] &+ $0 * 64, memory) }
    default:
      return messagePlace(registers[argument: 1], memory).map { [$0] } ?? []
    }
  }

  /// A struct msghdr begins with the address's place and length (sendmsg(2)).
  private func messagePlace(_ message: UInt64, _ memory: TargetMemory) -> AddressPlace? {
    guard let name = memory.read(UInt64.self, at: message), name != 0,
      let length = memory.read(UInt32.self, at: message &+ 8)
    else { return nil }
    return AddressPlace(address: name, length: UInt64(length), argument: nil)
  }

  private func transport(of descriptor: Int32, in tracee: Tracee) -> TransportKind {
    let process = tracee.process.processDescriptor()
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
