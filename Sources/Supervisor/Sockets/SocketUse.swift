/// The use of a socket by a call that may sleep.
struct SocketUse: Equatable {
  /// The direction of a call on a socket.
  enum Direction: Equatable {
    /// The call waits for data: SO_RCVTIMEO bounds it.
    case receive
    /// The call waits for room: SO_SNDTIMEO bounds it.
    case send
    /// The call waits for the other side to accept: SO_SNDTIMEO bounds it.
    case connect
  }

  /// The socket's descriptor.
  var descriptor: Int32
  /// The direction of the call.
  var direction: Direction
  /// The pipe's descriptor, of a splice(2), which may as well wait for that.
  var pipe: Int32?

  /// Returns the possible socket uses of a call: one descriptor as a rule, either of two with
  /// splice(2).
  static func candidates(_ call: BlockedCall) -> [SocketUse] {
    let first = Int32(truncatingIfNeeded: call.arguments[0])
    guard call.number == SystemCallNumber.splice else {
      return direction(call.number).map { [SocketUse(descriptor: first, direction: $0)] } ?? []
    }
    let third = Int32(truncatingIfNeeded: call.arguments[2])
    return [
      SocketUse(descriptor: first, direction: .receive, pipe: third),
      SocketUse(descriptor: third, direction: .send, pipe: first),
    ]
  }

  /// Returns whether a call by this number may wait for a socket with a timeout.
  static func isPossible(_ systemCall: Int) -> Bool {
    systemCall == SystemCallNumber.splice || direction(systemCall) != nil
  }

  private static func direction(_ systemCall: Int) -> Direction? {
    switch systemCall {
    case SystemCallNumber.read, SystemCallNumber.readv, SystemCallNumber.preadv2,
      SystemCallNumber.recvfrom, SystemCallNumber.recvmsg, SystemCallNumber.recvmmsg,
      SystemCallNumber.accept, SystemCallNumber.accept4:
      .receive
    case SystemCallNumber.write, SystemCallNumber.writev, SystemCallNumber.pwritev2,
      SystemCallNumber.sendto, SystemCallNumber.sendmsg, SystemCallNumber.sendmmsg,
      SystemCallNumber.sendfile:
      .send
    case SystemCallNumber.connect:
      .connect
    default:
      nil
    }
  }
}
