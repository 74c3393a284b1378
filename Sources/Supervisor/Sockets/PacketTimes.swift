internal import Glibc

/// The times at which packets have arrived, as the kernel reports them (socket(7): SO_TIMESTAMP,
/// and `Documentation/networking/timestamping.rst`): in control messages of recvmsg(2) and
/// recvmmsg(2), and in answer to ioctl(2).
enum PacketTimes {
  /// The layout of a time in a control message.
  enum Layout {
    /// A `struct timeval`.
    case microseconds
    /// A `struct timespec`.
    case nanoseconds
    /// Three of them, `struct scm_timestamping`: of the kernel, unused, of the device. Zeros mean
    /// none.
    case several
  }

  /// SO_TIMESTAMP, SO_TIMESTAMPNS and SO_TIMESTAMPING of `asm-generic/socket.h`, each with its second form.
  ///
  /// Its layout is the same where `long` has 64 bits. Their control messages have the same numbers.
  static let layouts: [UInt32: Layout] = [
    29: .microseconds, 63: .microseconds, 35: .nanoseconds, 64: .nanoseconds, 37: .several,
    65: .several,
  ]

  /// The calls of setsockopt(2) that ask for them.
  static let options = [
    ArgumentValues(argument: 1, values: [UInt32(SOL_SOCKET)]),
    ArgumentValues(argument: 2, values: layouts.keys.sorted()),
  ]

  /// SIOCGSTAMP and SIOCGSTAMPNS of ioctl(2), each with its second form (`linux/sockios.h`).
  static let requests: [UInt32: Layout] = [
    0x8906: .microseconds, 0x8010_8906: .microseconds, 0x8907: .nanoseconds,
    0x8010_8907: .nanoseconds,
  ]

  /// The filter that shows the calls that bring control messages.
  static let filter = FilterProgram(rules: [
    SystemCallNumber.recvmsg: .trace, SystemCallNumber.recvmmsg: .trace,
  ])

  /// The size of a `struct mmsghdr`, in bytes.
  static let messageLength: UInt64 = 64

  /// The largest size of control messages that the kernel gives, in bytes (`net.core.optmem_max`
  /// bounds what programs send; what they receive are a few messages).
  private static let controlLimit: UInt64 = 65_536

  /// Replaces the times in the control messages of one message.
  ///
  /// - Parameters:
  ///   - header: where its `struct msghdr` lies, as the kernel has left it.
  ///   - time: a timespec since 1970.
  static func replace(inMessage header: UInt64, of memory: TargetMemory, by time: TimeValue) {
    // msg_control and msg_controllen are the fifth and the sixth word.
    guard let control = memory.read(UInt64.self, at: header &+ 32), control != 0,
      let length = memory.read(UInt64.self, at: header &+ 40), length <= controlLimit
    else { return }
    var bytes = memory.readBytes(Int(length), at: control)
    guard replace(in: &bytes, by: time) else { return }
    bytes.withUnsafeBytes { _ = memory.write($0, at: control) }
  }

  /// Replaces the times in control messages (cmsg(3)); false if there are none.
  static func replace(in bytes: inout [UInt8], by time: TimeValue) -> Bool {
    var isChanged = false
    bytes.withUnsafeMutableBytes { bytes in
      var start = 0
      // A length with the header's own 16 bytes, the level and the type; the next one is aligned to 8.
      while start + 16 <= bytes.count {
        let length = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        guard 16...UInt64(bytes.count - start) ~= length else { break }
        let level = bytes.loadUnaligned(fromByteOffset: start + 8, as: Int32.self)
        let type = bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
        if level == SOL_SOCKET, let layout = layouts[type] {
          let body = UnsafeMutableRawBufferPointer(
            rebasing: bytes[(start + 16)..<(start + Int(length))])
          put(time, as: layout, into: body)
          isChanged = true
        }
        start += (Int(length) + 7) & ~7
      }
    }
    return isChanged
  }

  private static func put(
    _ time: TimeValue, as layout: Layout, into body: UnsafeMutableRawBufferPointer
  ) {
    let size = MemoryLayout<TimeValue>.size
    for start in stride(from: 0, through: body.count - size, by: size) {
      let shown = body.loadUnaligned(fromByteOffset: start, as: TimeValue.self)
      if case .several = layout, shown.seconds == 0, shown.fraction == 0 { continue }
      body.storeBytes(of: value(time, as: layout), toByteOffset: start, as: TimeValue.self)
    }
  }

  /// A time as a layout has it.
  static func value(_ time: TimeValue, as layout: Layout) -> TimeValue {
    var value = time
    if case .microseconds = layout { value.fraction /= 1_000 }
    return value
  }
}

// The reported time is the instant at which the program takes a packet: it is the same in each run,
// while the moment at which one has arrived in the kernel is not.

extension LateFilter {
  /// Calls that receive messages, of a process that has requested their arrival times.
  static let packetTimes = LateFilter("packet times", PacketTimes.filter)
}
