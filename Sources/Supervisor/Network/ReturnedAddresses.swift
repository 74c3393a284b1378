/// Puts the addresses that a target means where the kernel has written those of this machine that stand for them.
struct ReturnedAddresses {
  /// The address that one stands for; `nil` if it stands for itself.
  let meaning: (InternetAddress) -> InternetAddress?

  /// Puts the address that the target meant in place of the one that the kernel has written.
  ///
  /// - Parameter length: how much room there is; where the address does not fit, it stays.
  func restore(at place: UInt64, length: Int32, _ memory: TargetMemory) {
    guard length >= SocketAddress.shortLength, place != 0,
      case .internet(let address)? = SocketAddress(
        memory: memory, address: place, length: UInt64(min(length, 28))),
      let original = meaning(address)
    else { return }
    memory.writeAsKernel(original.port.bigEndian, at: place &+ 2)
    let bytes = address.bytes.count == 16 ? original.wideBytes : original.unmapped.bytes
    guard bytes.count == address.bytes.count else { return }
    bytes.withUnsafeBytes { _ = memory.writeAsKernel($0, at: place &+ (bytes.count == 16 ? 8 : 4)) }
  }

  /// The same in what recvmsg(2) and recvmmsg(2) have written, at the exit of such a call.
  func restoreNames(at exit: Registers, _ memory: TargetMemory) {
    let first = exit[argument: 1]
    switch exit.systemCall {
    case SystemCallNumber.recvmsg where exit.result >= 0:
      restoreName(ofMessage: first, memory)
    case SystemCallNumber.recvmmsg where exit.result > 0:
      for index in 0..<UInt64(min(exit.result, 1_024)) {
        restoreName(ofMessage: first &+ index &* AddressedCall.vectorElementLength, memory)
      }
    default: break
    }
  }

  private func restoreName(ofMessage message: UInt64, _ memory: TargetMemory) {
    guard let name = MessageName(ofMessage: message, memory), name.address != 0 else { return }
    restore(at: name.address, length: Int32(truncatingIfNeeded: name.length), memory)
  }
}
