internal import FaultEngine
internal import Foundations
internal import Glibc

extension TCPTimeouts {
  /// The arguments of setsockopt(2) for these options: the level, and the names.
  static let options = [
    [
      ArgumentValues(argument: 1, values: [UInt32(IPPROTO_TCP)]),
      ArgumentValues(
        argument: 2,
        values: [TCP_SYNCNT, TCP_USER_TIMEOUT, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT].map {
          UInt32($0)
        }),
    ],
    [
      ArgumentValues(argument: 1, values: [UInt32(SOL_SOCKET)]),
      ArgumentValues(argument: 2, values: [UInt32(SO_KEEPALIVE)]),
    ],
  ]

  /// The same for those that the kernel does not have while the relay carries them out.
  static let keptOptions = [
    ArgumentValues(argument: 1, values: [UInt32(IPPROTO_TCP)]),
    ArgumentValues(argument: 2, values: [TCP_SYNCNT, TCP_USER_TIMEOUT].map { UInt32($0) }),
  ]
}

extension SocketCopy {
  /// The number by which the kernel knows the socket, and which no other one ever has (socket(7), SO_COOKIE).
  var cookie: UInt64? {
    var value: UInt64 = 0
    var length = socklen_t(MemoryLayout<UInt64>.size)
    guard descriptor >= 0, getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &value, &length) == 0
    else { return nil }
    return value
  }

  /// An option of TCP; 0 if the socket has none.
  func tcpOption(_ name: Int32) -> Int32 { option(Int32(IPPROTO_TCP), name) ?? 0 }

  /// The options by which the kernel gives up its connection, but for the number of its SYNs.
  var timeouts: TCPTimeouts {
    let user = tcpOption(TCP_USER_TIMEOUT)
    var timeouts = TCPTimeouts(user: user > 0 ? .milliseconds(Int64(user)) : nil)
    if option(SOL_SOCKET, SO_KEEPALIVE) == 1 {
      timeouts.keepAlive = TCPTimeouts.KeepAlive(
        idle: .seconds(Int64(tcpOption(TCP_KEEPIDLE))),
        interval: .seconds(Int64(tcpOption(TCP_KEEPINTVL))), count: Int(tcpOption(TCP_KEEPCNT)))
    }
    return timeouts
  }
}
