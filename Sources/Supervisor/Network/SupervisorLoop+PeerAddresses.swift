internal import Glibc

/// A thread that has asked a name server by a datagram with an address, and will look where the answer comes
/// from.
struct NameQuestionWatch {
  /// The socket.
  var descriptor: Int32
  /// How many more calls of the thread are looked at.
  var callsLeft = 256
}

extension SupervisorLoop {
  /// A thread asks for the other end of a connection: it gets the one that it meant.
  func readPeer(for tracee: Tracee, _ registers: Registers) {
    guard !redirectionTable.isEmpty, let memory = tracee.process.memory,
      let capacity = memory.read(Int32.self, at: registers[argument: 2])
    else { return resume(tracee) }
    complete(tracee, original: registers, with: registers) { loop, registers in
      guard registers.result == 0 else { return }
      let copy = loop.copyDescriptor(Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee)
      guard copy >= 0 else { return }
      let transport = Self.transport(of: copy)
      close(copy)
      loop.restoreAddress(
        at: registers[argument: 1], length: capacity, transport: transport, memory)
    }
  }

  /// A thread receives something and wants to know from where.
  func receiveWithAddress(for tracee: Tracee, _ registers: Registers) {
    guard !redirectionTable.isEmpty, let memory = tracee.process.memory,
      let capacity = memory.read(Int32.self, at: registers[argument: 5])
    else { return receiveMessages(for: tracee, registers) }
    beginReceipt(of: tracee, registers)
    complete(tracee, original: registers, with: registers) { loop, registers in
      guard registers.result >= 0 else { return }
      loop.restoreAddress(
        at: registers[argument: 4], length: capacity, transport: .datagram, memory)
    }
  }

  /// A thread that has asked a name server stands at the entry or the exit of a call.
  ///
  /// recvmsg(2) has the address in a structure, which a filter does not see; so that others need not stop in
  /// each, threads are looked at only after they have asked.
  func noteAnswer(for tracee: Tracee) {
    guard var watch = tracee.nameQuestion,
      let registers = try? Registers.read(from: tracee.identifier),
      // At the entry of a call the result is this (syscall(2) of the kernel's x86 entry code).
      registers.result != -KernelError.notSupported
    else { return }
    watch.callsLeft -= 1
    tracee.nameQuestion = watch.callsLeft > 0 ? watch : nil
    let isSocket = Int32(truncatingIfNeeded: registers[argument: 0]) == watch.descriptor
    guard isSocket, let memory = tracee.process.memory else { return }
    switch registers.systemCall {
    case SystemCallNumber.close:
      tracee.nameQuestion = nil
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
      let original = redirectionTable.original(of: address, transport: transport)
    else { return }
    memory.writeAsKernel(original.port.bigEndian, at: place &+ 2)
    let bytes = address.bytes.count == 16 ? original.wideBytes : original.unmapped.bytes
    guard bytes.count == address.bytes.count else { return }
    bytes.withUnsafeBytes { _ = memory.writeAsKernel($0, at: place &+ (bytes.count == 16 ? 8 : 4)) }
  }
}
