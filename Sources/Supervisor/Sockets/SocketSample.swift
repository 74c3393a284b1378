internal import Foundations

/// What was found when a thread slept in a call that is not watched.
struct SocketSample {
  /// How often the thread had been given a processor: what was found holds while that does not change.
  var runCount: UInt64
  /// What it waits for, if that is a socket with a timeout.
  var wait: SocketWait?
}

/// A call on a socket with a timeout, which nobody has seen begin.
struct SocketWait {
  /// The call.
  var call: BlockedCall
  /// How long it may last.
  var length: Nanoseconds
  /// When it ends, on the monotonic clock.
  var deadline: Nanoseconds
  /// How it is told from a call that looks the same and comes after it.
  var identity: PartialCall?
  /// Its place on the timeline.
  var ticket: Timeline<WaitOwner>.Ticket?
  /// What it returns then, if nothing has been transferred.
  var resultOnExpiry: Int
  /// The socket's number, of a connect that has just begun.
  var connectingSocket: UInt64?
  /// True if the deadline is due and the thread has been interrupted for it.
  var isDue = false
  /// True if the thread runs only because it was disturbed by something that does not count, and will go
  /// back to the same call.
  var goesOn = false
}

/// What the supervisor knows of the sockets' timeouts as a whole.
struct SocketTimeoutAccount {
  /// How often threads are looked at while time flows by itself: a wait is at most this much too late.
  static let lookInterval = Nanoseconds.milliseconds(1)

  /// How many sockets are remembered at most.
  private static let limit = 4_096

  /// True if the target has ever set one; without, nobody need be looked at.
  var areInUse = false
  /// What is known of them where they cannot be looked at.
  var table = SocketTimeoutTable()
  /// When the next look is due while time flows by itself: the kernel's CLOCK_MONOTONIC.
  var nextLook = Nanoseconds.zero
  /// Sockets whose connect was ended by its timeout and goes on in the kernel.
  private(set) var connecting: Set<UInt64> = []

  /// Notes that a connect was ended by its timeout.
  mutating func recordConnecting(_ socket: UInt64) {
    if connecting.count >= Self.limit { connecting.removeAll() }
    connecting.insert(socket)
  }
}
