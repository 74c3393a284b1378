internal import CSupervisor
internal import Foundations
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
  /// How long the call may wait (socket(7), SO_SNDTIMEO), all zero for as long as it takes; `nil` if it does not wait.
  private let timeout: timeval?
  /// When it has waited that long, on the runner's clock; `nil` for never.
  private let deadline: Nanoseconds?

  /// The largest datagram, in bytes (udp(7)).
  private static let longestDatagram: UInt64 = 65_535

  /// Reads a call; `nil` where it leads elsewhere, or cannot be read.
  ///
  /// - Parameter waits: whether the call still waits: what was opened by its thread's number before is the thread's.
  init?(_ call: ToldCall, waits: () -> Bool) {
    let registers = call.registers
    let sends = registers.systemCall == SystemCallNumber.sendto
    let place = sends ? 4 : 1
    guard let memory = TargetMemory(of: call.thread) else { return nil }
    let thread = scenario_open_thread(call.thread.number)
    guard thread >= 0 else { return nil }
    defer { close(thread) }
    guard waits(),
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
    let socket = SocketCopy(
      scenario_copy_descriptor(thread, Int32(truncatingIfNeeded: registers[argument: 0])))
    let isWide = address.bytes.count == 16
    guard socket.isOfHosts, socket.isWide == isWide, !sends || socket.transport == .datagram else {
      socket.end()
      return nil
    }
    self.socket = socket
    self.isWide = isWide
    let isPatient =
      fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK == 0
      && flags & Int32(MSG_DONTWAIT) == 0
    timeout = isPatient ? socket.sendTimeout : nil
    deadline = timeout.flatMap { timeout in
      let length = Int64(timeout.tv_sec) * 1_000_000 + Int64(timeout.tv_usec)
      return length > 0 ? RunnerClock.now() + .microseconds(length) : nil
    }
  }

  /// Makes the call to another address: what it returns, or an error number below zero; `nil` if it has to wait until the
  /// socket is writable.
  func make(to real: InternetAddress) -> Int? {
    if isWide { socket.admitMappedAddresses(for: address) }
    let bytes = real.socketBytes(isWide: isWide)
    let result = bytes.withUnsafeBytes { bytes -> Int in
      guard let place = bytes.bindMemory(to: sockaddr.self).baseAddress else { return -Int(EFAULT) }
      let length = socklen_t(bytes.count)
      guard let content else { return connect(to: place, length) }
      let count = sendto(
        socket.descriptor, content, content.count,
        flags | Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), place, length)
      return count < 0 ? -Int(errno) : count
    }
    guard timeout != nil, [EINPROGRESS, EALREADY, EAGAIN, EINTR].contains(Int32(-result)) else {
      return result
    }
    return isOverdue ? -Int(content == nil ? EINPROGRESS : EAGAIN) : nil
  }

  /// True if the call has waited as long as its socket lets it.
  var isOverdue: Bool { deadline.map { RunnerClock.now() >= $0 } ?? false }

  /// Begins to connect, or goes on with it, for a moment at most: who else waits here has nothing to do with it.
  private func connect(to place: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int {
    let isLimited = timeout != nil && socket.transport == .stream && !socket.isConnected
    if isLimited { socket.sendTimeout = timeval(tv_sec: 0, tv_usec: 1) }
    let error = Glibc.connect(socket.descriptor, place, length) == 0 ? 0 : errno
    if isLimited, let timeout { socket.sendTimeout = timeout }
    return -Int(error)
  }

  /// Closes the copy of the socket.
  func end() { socket.end() }
}

extension SocketCopy {
  /// How long a call that sends or connects waits (socket(7), SO_SNDTIMEO); all zero for as long as it takes.
  fileprivate var sendTimeout: timeval {
    get {
      var value = timeval()
      var length = socklen_t(MemoryLayout<timeval>.size)
      return getsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &value, &length) == 0
        ? value : timeval()
    }
    nonmutating set {
      var value = newValue
      setsockopt(
        descriptor, SOL_SOCKET, SO_SNDTIMEO, &value, socklen_t(MemoryLayout<timeval>.size))
    }
  }
}
