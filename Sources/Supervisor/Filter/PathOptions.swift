internal import Glibc

/// Options of sockets that decide which way packets go, beside their address.
///
/// A packet to 127.0.0.1 leaves the machine if its socket is bound to another device, or if it is to take a
/// route through others. So those that name a device do nothing, and the call succeeds: every
/// way begins and ends on this machine. Those that name a route are refused.
enum PathOptions {
  /// An option and what setting it returns: 0 or an errno.
  struct Answer {
    var level: Int32
    var option: UInt32
    var error: Int32
  }

  static let answers = [
    // SO_BINDTODEVICE and SO_BINDTOIFINDEX (socket(7)).
    Answer(level: SOL_SOCKET, option: 25, error: 0),
    Answer(level: SOL_SOCKET, option: 62, error: 0),
    // IP_OPTIONS and IP_UNICAST_IF (ip(7)).
    Answer(level: Int32(IPPROTO_IP), option: 4, error: EPERM),
    Answer(level: Int32(IPPROTO_IP), option: 50, error: 0),
    // IPV6_2292PKTOPTIONS, IPV6_RTHDR, IPV6_UNICAST_IF (`linux/in6.h`).
    Answer(level: Int32(IPPROTO_IPV6), option: 6, error: EPERM),
    Answer(level: Int32(IPPROTO_IPV6), option: 57, error: EPERM),
    Answer(level: Int32(IPPROTO_IPV6), option: 76, error: 0),
    // IP_ADD_MEMBERSHIP, IP_ADD_SOURCE_MEMBERSHIP, MCAST_JOIN_GROUP, MCAST_JOIN_SOURCE_GROUP: joining a
    // multicast group tells the routers of it by packets; as on a machine without a way out.
    Answer(level: Int32(IPPROTO_IP), option: 35, error: ENODEV),
    Answer(level: Int32(IPPROTO_IP), option: 39, error: ENODEV),
    Answer(level: Int32(IPPROTO_IP), option: 42, error: ENODEV),
    Answer(level: Int32(IPPROTO_IP), option: 46, error: ENODEV),
    // IPV6_JOIN_GROUP, MCAST_JOIN_GROUP, MCAST_JOIN_SOURCE_GROUP.
    Answer(level: Int32(IPPROTO_IPV6), option: 20, error: ENODEV),
    Answer(level: Int32(IPPROTO_IPV6), option: 42, error: ENODEV),
    Answer(level: Int32(IPPROTO_IPV6), option: 46, error: ENODEV),
  ]

  /// Returns the result of setsockopt(2) that takes the call's place, by its arguments: 0 or an
  /// errno; `nil` if the call is to be made.
  static func answer(level: UInt32, option: UInt32) -> Int32? {
    answers.first { UInt32(bitPattern: $0.level) == level && $0.option == option }?.error
  }
}
