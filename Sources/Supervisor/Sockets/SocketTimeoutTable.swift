/// The timeouts of the target's sockets, where the sockets themselves cannot be examined.
struct SocketTimeoutTable {
  private struct Timeouts {
    var receive: TimeValue?
    var send: TimeValue?
  }

  private var sockets: [UInt64: Timeouts] = [:]
  /// The largest number of sockets that are remembered: the kernel does not report when one is
  /// closed.
  private static let limit = 65_536

  /// Records a timeout that was set.
  mutating func record(_ value: TimeValue, ofSocket socket: UInt64, isSend: Bool) {
    if sockets.count >= Self.limit { sockets.removeAll() }
    if isSend {
      sockets[socket, default: Timeouts()].send = value
    } else {
      sockets[socket, default: Timeouts()].receive = value
    }
  }

  /// The timeout of a socket; `nil` if it has none.
  func timeout(ofSocket socket: UInt64, _ direction: SocketUse.Direction) -> TimeValue? {
    guard let timeouts = sockets[socket] else { return nil }
    let value = direction == .receive ? timeouts.receive : timeouts.send
    // Zero is none (socket(7)).
    return value.flatMap { $0.seconds == 0 && $0.fraction == 0 ? nil : $0 }
  }
}
