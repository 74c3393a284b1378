/// The form in which a socket's timeout is kept: SO_RCVTIMEO and SO_SNDTIMEO of socket(7).
///
/// The kernel gets another timeout, a marker, which encodes the virtual length and is an eternity
/// of real time. So it goes by itself wherever the socket goes: through dup, fork, exec, to another
/// process, and from a listening socket to those that it accepts. And the kernel knows that there
/// is a timeout, which changes what a signal does to a call (signal(7)).
enum SocketTimeout {
  /// SO_RCVTIMEO of `asm-generic/socket.h`.
  static let receive: Int32 = 20
  /// SO_SNDTIMEO.
  static let send: Int32 = 21

  /// The arguments of setsockopt(2) and getsockopt(2) for timeouts: level SOL_SOCKET, and the
  /// options with their second forms SO_RCVTIMEO_NEW and SO_SNDTIMEO_NEW, whose layout is the same
  /// where `long` has 64 bits.
  static let options = [
    ArgumentValues(argument: 1, values: [1]),
    ArgumentValues(argument: 2, values: [UInt32(receive), UInt32(send), 66, 67]),
  ]

  /// A marker is this many seconds and one more for each microsecond of the length.
  private static let base: Int64 = 1_000_000_000
  /// The longest length, 253 years, in microseconds.
  ///
  /// As a marker it is still below what the kernel takes for no timeout at all, LONG_MAX / HZ seconds,
  /// whatever its HZ is.
  private static let longest: Int64 = 8_000_000_000_000_000
  private static let microsecondsPerSecond: Int64 = 1_000_000

  /// Returns the marker that the kernel gets instead of a timeval; `nil` if the kernel is to
  /// decide: the value is wrong, or means no timeout, or one that has always passed.
  static func marker(for value: TimeValue) -> TimeValue? {
    guard value.seconds >= 0, 0..<microsecondsPerSecond ~= value.fraction,
      value.seconds > 0 || value.fraction > 0, value.seconds <= Int64.max / 1_000
    else { return nil }
    let (product, overflow) = value.seconds.multipliedReportingOverflow(by: microsecondsPerSecond)
    let count = overflow ? longest : min(product &+ value.fraction, longest)
    return TimeValue(seconds: base + max(1, count), fraction: 0)
  }

  /// The timeval that a marker encodes; `nil` if it is none.
  static func value(of marker: TimeValue) -> TimeValue? {
    let count = marker.seconds &- base
    guard marker.fraction == 0, 1...longest ~= count else { return nil }
    return TimeValue(
      seconds: count / microsecondsPerSecond, fraction: count % microsecondsPerSecond)
  }
}

extension TimeValue {
  /// A timespec or a timeval by its parts.
  init(seconds: Int64, fraction: Int64) {
    self.seconds = seconds
    self.fraction = fraction
  }
}
