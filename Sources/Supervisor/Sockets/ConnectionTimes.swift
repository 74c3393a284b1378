internal import Foundations
internal import Glibc

/// The times that a TCP connection reports (tcp(7): TCP_INFO, `struct tcp_info` of `linux/tcp.h`).
enum ConnectionTimes {
  /// The calls of getsockopt(2) that ask.
  static let options = [
    ArgumentValues(argument: 1, values: [UInt32(IPPROTO_TCP)]),
    ArgumentValues(argument: 2, values: [UInt32(TCP_INFO)]),
  ]

  /// The number of bytes of the structure that are known here.
  static let length = 248

  /// The round trip time that is reported on this machine, in microseconds: the measured one
  /// differs from run to run.
  private static let roundTrip: UInt32 = 100
  /// The least time until something is sent again, in microseconds (TCP_RTO_MIN of `net/tcp.h`).
  private static let retransmission: UInt32 = 200_000

  /// The offsets of the fields.
  private enum Offset {
    static let retransmission = 8
    static let delayedAnswer = 12
    static let segmentLength = 16
    static let lastSent = 44
    static let lastReceived = 52
    static let lastAnswer = 56
    static let roundTrip = 68
    static let roundTripVariation = 72
    static let congestionWindow = 80
    static let receivedRoundTrip = 92
    static let pacingRate = 104
    static let leastRoundTrip = 148
    static let receivedSegments = 152
    static let sentSegments = 156
    static let deliveryRate = 160
    /// Three times spent, in microseconds: sending, and waiting for the receiver's and for the sender's buffer.
    static let spent = [168, 176, 184]
    /// The offset of the time spent retransmitting, in milliseconds.
    static let spentRetransmitting = 244
  }

  /// The activity of a connection at the last request for its times.
  struct Activity {
    /// The number of segments with data that it had sent.
    var sent: UInt32 = 0
    /// The number of them that it had received.
    var received: UInt32 = 0
    /// The monotonic clock when that number was first seen.
    var sentAt = Nanoseconds.zero
    /// The same of those that were received.
    var receivedAt = Nanoseconds.zero

    /// Updates the activity from the structure that the kernel returned.
    ///
    /// - Parameters:
    ///   - info: the whole structure.
    ///   - isFirst: whether this is the first query.
    ///   - now: the time on the monotonic clock.
    mutating func record(_ info: UnsafeRawBufferPointer, isFirst: Bool, now: Nanoseconds) {
      func count(_ offset: Int) -> UInt32 {
        offset + 4 <= info.count ? info.loadUnaligned(fromByteOffset: offset, as: UInt32.self) : 0
      }
      let (sent, received) = (count(Offset.sentSegments), count(Offset.receivedSegments))
      if isFirst || sent != self.sent { sentAt = now }
      if isFirst || received != self.received { receivedAt = now }
      (self.sent, self.received) = (sent, received)
    }
  }

  /// Puts the scenario's times, and steady ones for what is measured, in place of the machine's.
  ///
  /// - Parameters:
  ///   - info: as much of the structure as the caller has got.
  ///   - activity: what is known of the connection.
  ///   - now: the time on the monotonic clock.
  static func replace(
    in info: UnsafeMutableRawBufferPointer, by activity: Activity, now: Nanoseconds
  ) {
    func word(_ offset: Int) -> UInt32 {
      offset + 4 <= info.count ? info.loadUnaligned(fromByteOffset: offset, as: UInt32.self) : 0
    }
    func put<Number: FixedWidthInteger & BitwiseCopyable>(_ value: Number, at offset: Int) {
      guard offset + MemoryLayout<Number>.size <= info.count else { return }
      info.storeBytes(of: value, toByteOffset: offset, as: Number.self)
    }
    func milliseconds(since instant: Nanoseconds) -> UInt32 {
      UInt32(clamping: (now - instant).count / 1_000_000)
    }
    // What is not known, or has not been measured, is zero.
    func putMeasured(_ value: UInt32, at offset: Int) {
      if word(offset) != 0 { put(value, at: offset) }
    }
    let sinceSent = milliseconds(since: activity.sentAt)
    let sinceReceived = milliseconds(since: activity.receivedAt)
    put(sinceSent, at: Offset.lastSent)
    put(sinceReceived, at: Offset.lastReceived)
    // Whatever is sent is answered at once, and what is received answers too.
    put(min(sinceSent, sinceReceived), at: Offset.lastAnswer)
    putMeasured(retransmission, at: Offset.retransmission)
    putMeasured(retransmission / 5, at: Offset.delayedAnswer)
    for offset in [Offset.roundTrip, Offset.leastRoundTrip, Offset.receivedRoundTrip] {
      putMeasured(roundTrip, at: offset)
    }
    putMeasured(roundTrip / 2, at: Offset.roundTripVariation)
    let window = UInt64(word(Offset.congestionWindow)) * UInt64(word(Offset.segmentLength))
    // The target may write there at the same time.
    let (product, overflows) = window.multipliedReportingOverflow(
      by: 1_000_000 / UInt64(roundTrip))
    let rate = overflows ? .max : product
    if word(Offset.roundTrip) != 0 { put(rate, at: Offset.pacingRate) }
    if word(Offset.deliveryRate) != 0 || word(Offset.deliveryRate + 4) != 0 {
      put(rate, at: Offset.deliveryRate)
    }
    for offset in Offset.spent { put(UInt64(0), at: offset) }
    put(UInt32(0), at: Offset.spentRetransmitting)
  }
}

/// The activities of the connections whose times the target has requested.
struct ConnectionTimesAccount {
  /// The largest number of connections that are remembered: the kernel does not report when one is
  /// closed.
  private static let limit = 4_096

  private var activities: [UInt64: ConnectionTimes.Activity] = [:]

  /// Updates the activity of a socket from the kernel's structure, and returns it.
  mutating func record(
    _ info: UnsafeRawBufferPointer, ofSocket socket: UInt64, now: Nanoseconds
  ) -> ConnectionTimes.Activity {
    var activity = activities[socket] ?? .init()
    activity.record(info, isFirst: activities[socket] == nil, now: now)
    if activities.count >= Self.limit { activities.removeAll() }
    activities[socket] = activity
    return activity
  }
}

/// Answers requests for TCP_INFO in virtual time.
final class ConnectionTimesReporter {
  private unowned let kernel: any TraceKernel
  private unowned let time: any VirtualTime
  private let isVirtual: Bool
  private var account = ConnectionTimesAccount()

  init(kernel: any TraceKernel, time: any VirtualTime, isVirtual: Bool) {
    self.kernel = kernel
    self.time = time
    self.isVirtual = isVirtual
  }

  /// Answers a thread's request for TCP_INFO.
  func report(to tracee: Tracee, _ registers: Registers) {
    // Where time flows as the machine's does, lengths of time are the same.
    guard isVirtual, time.clock.rate != .one else { return kernel.resume(tracee) }
    kernel.complete(tracee, original: registers, with: registers) { [unowned self] registers in
      guard registers.result == 0, let memory = tracee.process.memory,
        let length = memory.read(Int32.self, at: registers[argument: 4]), length > 0
      else { return }
      let descriptor = Int32(truncatingIfNeeded: registers[argument: 0])
      let now = time.virtualNow
      let activity = activity(of: descriptor, of: tracee, now: now)
      var info = memory.readBytes(
        min(Int(length), ConnectionTimes.length), at: registers[argument: 3])
      info.withUnsafeMutableBytes { ConnectionTimes.replace(in: $0, by: activity, now: now) }
      info.withUnsafeBytes { _ = memory.writeAsKernel($0, at: registers[argument: 3]) }
    }
  }

  /// Returns the activity of a connection.
  ///
  /// It reads the structure itself: the caller may have asked for too little of it.
  private func activity(
    of descriptor: Int32, of tracee: Tracee, now: Nanoseconds
  ) -> ConnectionTimes.Activity {
    let unknown = ConnectionTimes.Activity(sentAt: now, receivedAt: now)
    guard let socket = tracee.socketNumber(descriptor) else { return unknown }
    let copy = kernel.copyDescriptor(descriptor, of: tracee)
    guard copy >= 0 else { return unknown }
    defer { close(copy) }
    return withUnsafeTemporaryAllocation(byteCount: ConnectionTimes.length, alignment: 8) {
      buffer in
      var length = socklen_t(buffer.count)
      guard getsockopt(copy, Int32(IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &length) == 0
      else { return unknown }
      return account.record(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<Int(length)]),
        ofSocket: socket, now: now)
    }
  }
}
