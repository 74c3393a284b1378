internal import Glibc

extension PartialCall {
  /// Identifies a call, by a copy of its socket or, negative, without; `nil` if each look must take
  /// it for a new one.
  init?(_ call: BlockedCall, _ use: SocketUse, _ copy: Int32, of tracee: Tracee) {
    let isLocal =
      copy >= 0
      ? SocketKind.option(SO_DOMAIN, of: copy) == AF_UNIX
      : tracee.socketProtocol(use.descriptor) == "UNIX"
    switch call.number {
    case SystemCallNumber.read, SystemCallNumber.readv, SystemCallNumber.preadv2:
      guard let count = Self.count(of: tracee) else { return nil }
      self = .counted(count)
    case SystemCallNumber.write, SystemCallNumber.writev, SystemCallNumber.pwritev2:
      guard !isLocal, let count = Self.count(of: tracee) else { return nil }
      self = .counted(count)
    case SystemCallNumber.sendto, SystemCallNumber.sendmsg:
      guard let position = SocketKind.sentBytes(of: copy),
        let length = Self.length(of: call, tracee.process.memory), length > position
      else { return nil }
      // Of what the socket has taken, nobody knows how much belongs to this call: all, at most.
      self = .sent(length)
    default: return nil
    }
  }

  /// Returns the number of calls that count which a thread has ended.
  static func count(of tracee: Tracee) -> UInt64? {
    let folder = "/proc/\(tracee.process.identifier.number)/task/\(tracee.identifier.number)"
    guard let text = SmallFile.read("\(folder)/io") else { return nil }
    let counts = text.split(separator: "\n").filter { $0.hasPrefix("sysc") }.compactMap {
      $0.split(separator: " ").last.flatMap { UInt64($0) }
    }
    return counts.count == 2 ? counts[0] &+ counts[1] : nil
  }

  /// Returns the number of bytes that a call is to send: of sendmsg(2), the sum of its parts.
  private static func length(of call: BlockedCall, _ memory: TargetMemory?) -> UInt64? {
    guard call.number == SystemCallNumber.sendmsg else { return call.arguments[2] }
    // struct msghdr: the parts' place and number are its third and fourth words.
    guard let place = memory?.read(UInt64.self, at: call.arguments[1] &+ 16),
      let count = memory?.read(UInt64.self, at: call.arguments[1] &+ 24), count <= 1_024
    else { return nil }
    return (0..<count).reduce(0) { sum, index in
      sum &+ (memory?.read(UInt64.self, at: place &+ index &* 16 &+ 8) ?? 0)
    }
  }
}

/// The kind of a socket, and the bytes that have passed through it.
enum SocketKind {
  /// An option of a socket, by a copy of its descriptor; 0 if it has none (socket(7)).
  static func option(_ name: Int32, of copy: Int32) -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(copy, SOL_SOCKET, name, &value, &length) == 0 ? value : 0
  }

  /// Returns the number of bytes that a TCP socket has taken from its senders; `nil` for others.
  static func sentBytes(of copy: Int32) -> UInt64? {
    guard option(SO_PROTOCOL, of: copy) == Int32(IPPROTO_TCP) else { return nil }
    for _ in 0..<4 {
      var waiting: Int32 = 0
      var still: Int32 = 0
      guard ioctl(copy, UInt(TIOCOUTQ), &waiting) == 0,
        let acknowledged = acknowledgedBytes(of: copy),
        ioctl(copy, UInt(TIOCOUTQ), &still) == 0
      else { return nil }
      if waiting == still { return acknowledged &+ UInt64(max(0, waiting)) }
    }
    return nil
  }

  /// `tcpi_bytes_acked` of `struct tcp_info` (`linux/tcp.h`).
  private static func acknowledgedBytes(of copy: Int32) -> UInt64? {
    withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { buffer in
      var length = socklen_t(buffer.count)
      guard
        getsockopt(copy, Int32(IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &length) == 0,
        length >= 128
      else { return nil }
      return buffer.load(fromByteOffset: 120, as: UInt64.self)
    }
  }
}

/// The calls recvfrom(2) and recvmsg(2) with MSG_WAITALL, which go on until all bytes have come.
///
/// They are watched, unlike those without: nothing else distinguishes one from the next.
enum ReceiptOfAll {
  /// MSG_WAITALL of `linux/socket.h`.
  static let flag: UInt32 = 0x100
}

extension SocketTimeouts {
  /// Restarts the timeout of a receive with MSG_WAITALL; returns false if the call does not begin one.
  @discardableResult
  func beginReceipt(of tracee: Tracee, _ registers: Registers) -> Bool {
    guard isVirtual, areInUse, case .running = tracee.state,
      ReceiptOfAll.isReceipt(registers)
    else { return false }
    forgetWait(of: tracee)
    return true
  }

  /// Returns whether a thread that has run since its last examination continues the call for which
  /// it had begun to wait then.
  func goesOn(_ tracee: Tracee, with call: BlockedCall) -> Bool {
    guard let wait = self[tracee]?.wait, wait.call == call else { return false }
    // At its exit the wait would have been forgotten.
    if case .completing = tracee.state, ReceiptOfAll.isReceipt(call) { return true }
    switch wait.identity {
    case .counted(let count)?: return PartialCall.count(of: tracee) == count
    case .sent(let end)?:
      let copy = kernel.copyDescriptor(Int32(truncatingIfNeeded: call.arguments[0]), of: tracee)
      guard copy >= 0 else { return false }
      defer { close(copy) }
      return SocketKind.sentBytes(of: copy).map { $0 < end } ?? false
    case nil: return false
    }
  }
}

extension ReceiptOfAll {
  /// Returns whether a call, which is watched, is one of these.
  static func isReceipt(_ call: BlockedCall) -> Bool {
    isReceipt(call.number) { call.arguments[$0] }
  }

  /// Returns whether a call that is about to be made is one of these.
  static func isReceipt(_ registers: Registers) -> Bool {
    isReceipt(registers.systemCall) { registers[argument: $0] }
  }

  private static func isReceipt(_ number: Int, _ argument: (Int) -> UInt64) -> Bool {
    switch number {
    case SystemCallNumber.recvfrom: UInt32(truncatingIfNeeded: argument(3)) & flag != 0
    case SystemCallNumber.recvmsg: UInt32(truncatingIfNeeded: argument(2)) & flag != 0
    default: false
    }
  }
}
