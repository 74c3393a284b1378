internal import CSupervisor
internal import Glibc

/// A call by which a command outside of the world connects to an address of loopback, or sends a datagram there.
struct OutsideConnection: Sendable {
  /// The address that it names.
  let address: InternetAddress
  /// A copy of its socket.
  let socket: SocketCopy
  private let isWide: Bool
  /// The datagram; `nil` for a connection.
  private let content: [UInt8]?
  private let flags: Int32

  /// The largest datagram, in bytes (udp(7)).
  private static let longestDatagram: UInt64 = 65_535

  /// Reads a call; `nil` where it leads elsewhere, or cannot be read.
  init?(_ call: ToldCall) {
    let registers = call.registers
    let sends = registers.systemCall == SystemCallNumber.sendto
    let place = sends ? 4 : 1
    guard let memory = TargetMemory(of: call.thread),
      case .internet(let address)? = SocketAddress(
        memory: memory, address: registers[argument: place],
        length: registers[argument: place + 1], isDestination: sends), address.isLoopback
    else { return nil }
    self.address = address
    flags = sends ? Int32(truncatingIfNeeded: registers[argument: 3]) : 0
    content =
      sends
      ? memory.readBytes(
        Int(min(registers[argument: 2], Self.longestDatagram)), at: registers[argument: 1])
      : nil
    let thread = scenario_open_thread(call.thread.number)
    guard thread >= 0 else { return nil }
    defer { close(thread) }
    let socket = SocketCopy(
      scenario_copy_descriptor(thread, Int32(truncatingIfNeeded: registers[argument: 0])))
    let isWide = address.bytes.count == 16
    guard socket.isOfHosts, socket.isWide == isWide, !sends || socket.transport == .datagram else {
      socket.end()
      return nil
    }
    self.socket = socket
    self.isWide = isWide
  }

  /// Makes the call to another address: what it returns, or an error number below zero.
  func make(to real: InternetAddress) -> Int {
    if isWide { socket.admitMappedAddresses(for: address) }
    let bytes = real.socketBytes(isWide: isWide)
    let result = bytes.withUnsafeBytes { bytes -> Int in
      guard let place = bytes.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
      let length = socklen_t(bytes.count)
      guard let content else { return Int(connect(socket.descriptor, place, length)) }
      return sendto(
        socket.descriptor, content, content.count, flags | Int32(MSG_NOSIGNAL), place,
        length)
    }
    return result < 0 ? -Int(errno) : result
  }

  /// Closes the copy of the socket.
  func end() { socket.end() }
}
