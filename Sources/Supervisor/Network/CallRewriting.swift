/// The destination of a call that names an address.
enum CallRoute: Equatable {
  /// Unchanged.
  case asMeant
  /// To these bytes of a socket address; `port` is the mock server's of a connection.
  case changed([UInt8], port: UInt16? = nil)
  /// None: the call fails with this errno.
  case failed(Int32)
}

/// Redirects a call that connects or sends to another address, and leaves the target's memory unchanged.
struct CallRewriting {
  private let intercepted: InterceptedCall
  /// The disposition of a call whose destination is unchanged.
  private let otherwise: CallDisposition
  /// Chooses the destination for an address.
  private let decide: (SocketAddress) -> CallRoute
  /// Sees the exit of a call that was sent to a port of the mock server's.
  private let whenConnected: (Registers, UInt16) -> Void

  private var registers: Registers { intercepted.registers }
  private var tracee: Tracee { intercepted.tracee }

  init(
    _ intercepted: InterceptedCall, otherwise: CallDisposition,
    decide: @escaping (SocketAddress) -> CallRoute,
    whenConnected: @escaping (Registers, UInt16) -> Void = { _, _ in }
  ) {
    self.intercepted = intercepted
    self.otherwise = otherwise
    self.decide = decide
    self.whenConnected = whenConnected
  }

  /// Returns the disposition of the call.
  func disposition() -> CallDisposition {
    guard let memory = tracee.process.memory, let call = AddressedCall(registers) else {
      return otherwise
    }
    switch call {
    case .argument(let index):
      let place = (registers[argument: index], registers[argument: index + 1])
      guard let address = address(at: place, memory) else { return otherwise }
      return leadArgument(index, memory, decide(address))
    case .message(let message):
      guard let name = MessageName(ofMessage: message, memory), name.address != 0,
        let address = address(at: (name.address, UInt64(name.length)), memory)
      else { return otherwise }
      return leadMessage(message, memory, decide(address))
    case .messages(let first, let count):
      return leadMessages(first, count, memory)
    }
  }

  private func address(
    at place: (address: UInt64, length: UInt64), _ memory: TargetMemory
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

  private func leadArgument(
    _ index: Int, _ memory: TargetMemory, _ route: CallRoute
  ) -> CallDisposition {
    var changed = registers
    switch route {
    case .asMeant:
      return otherwise
    case .failed(let error):
      return .skip(result: -Int(error))
    case .changed(let bytes, let port):
      let room = AddressRoom(of: tracee, registers, memory)
      bytes.withUnsafeBytes { _ = memory.write($0, at: room.place) }
      changed[argument: index] = room.place
      changed[argument: index + 1] = UInt64(bytes.count)
      return .make(changed) { [self] exit in
        room.release()
        if let port { whenConnected(exit, port) }
      }
    }
  }

  /// A message's structure may be shared by threads, and constant: it is copied.
  private func leadMessage(
    _ message: UInt64, _ memory: TargetMemory, _ route: CallRoute
  ) -> CallDisposition {
    guard case .changed(let bytes, let port) = route else {
      return leadArgument(1, memory, route)
    }
    var changed = registers
    let header = memory.readBytes(AddressedCall.messageLength, at: message)
    guard header.count == AddressedCall.messageLength else {
      return .skip(result: -KernelError.badAddress)
    }
    let room = AddressRoom(of: tracee, registers, memory)
    let copy = room.place
    let name = copy + UInt64(AddressedCall.messageLength)
    header.withUnsafeBytes { _ = memory.write($0, at: copy) }
    bytes.withUnsafeBytes { _ = memory.write($0, at: name) }
    MessageName(address: name, length: UInt32(bytes.count)).write(toMessage: copy, memory)
    changed[argument: 1] = copy
    return .make(changed) { [self] exit in
      room.release()
      if let port { whenConnected(exit, port) }
    }
  }

  /// The kernel writes into the structures of sendmmsg(2), so they are changed where they lie, and put back.
  ///
  /// The messages up to the first one that goes elsewhere are sent: "if this is less than vlen, the caller
  /// can retry with a further sendmmsg() call" (sendmmsg(2)).
  private func leadMessages(
    _ first: UInt64, _ count: Int, _ memory: TargetMemory
  ) -> CallDisposition {
    var names: [MessageName] = []
    var route = CallRoute.asMeant
    var previous: SocketAddress?
    for index in 0..<count {
      let message = first &+ UInt64(index) &* AddressedCall.vectorElementLength
      guard let name = MessageName(ofMessage: message, memory) else { break }
      let address =
        name.address == 0 ? nil : address(at: (name.address, UInt64(name.length)), memory)
      if index == 0 {
        route = address.map(decide) ?? .asMeant
        // What is the next interceptor's is that whole.
        if route == .asMeant, case .pass = otherwise { return .pass }
      } else if address != previous {
        // Where all that came before leads where it was to, the next may as well.
        guard route == .asMeant, address.map(decide) ?? .asMeant == .asMeant else { break }
      }
      previous = address
      names.append(name)
    }
    var changed = registers
    changed[argument: 2] = UInt64(names.count)
    guard case .changed(let bytes, _) = route else {
      guard route == .asMeant, !names.isEmpty, names.count < count else {
        return leadArgument(0, memory, route)
      }
      return .make(changed) { _ in }
    }
    let room = AddressRoom(of: tracee, registers, memory)
    bytes.withUnsafeBytes { _ = memory.write($0, at: room.place) }
    let replacement = MessageName(address: room.place, length: UInt32(bytes.count))
    for index in names.indices {
      replacement.write(
        toMessage: first &+ UInt64(index) &* AddressedCall.vectorElementLength, memory)
    }
    return .make(changed) { _ in
      room.release()
      for (index, name) in names.enumerated() {
        name.write(toMessage: first &+ UInt64(index) &* AddressedCall.vectorElementLength, memory)
      }
    }
  }
}
