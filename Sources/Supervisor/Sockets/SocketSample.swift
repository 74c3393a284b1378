internal import Foundations

/// The findings when a thread slept in a call that is not watched.
struct SocketSample {
  /// The number of times that the thread had been given a processor: the findings hold while that
  /// does not change.
  var runCount: UInt64
  /// The wait, if it is for a socket with a timeout.
  var wait: SocketWait?
}

/// A call on a socket with a timeout, whose beginning was not observed.
struct SocketWait {
  /// The call.
  var call: BlockedCall
  /// The longest time that it may last.
  var length: Nanoseconds
  /// The deadline, on the monotonic clock.
  var deadline: Nanoseconds
  /// The identity that distinguishes it from a later call that looks the same.
  var identity: PartialCall?
  /// Its place on the timeline; `nil` while the thread is out of its call, and may go on with it or not.
  var ticket: Timeline<WaitOwner>.Ticket?
  /// The call's result then, if nothing has been transferred.
  var resultOnExpiry: Int
  /// The socket's number, of a connect that has just begun.
  var connectingSocket: UInt64?
  /// True if the deadline is due and the thread has been interrupted for it.
  var isDue = false
  /// True if the thread runs only because it was disturbed by something that does not count, and will go
  /// back to the same call.
  var goesOn = false
}

/// The state of all sockets' timeouts.
struct SocketTimeoutAccount {
  /// The interval at which threads are examined while time flows by itself: a wait is at most this
  /// much too late.
  static let lookInterval = Nanoseconds.milliseconds(1)

  /// The largest number of sockets that are remembered.
  private static let limit = 4_096

  /// True if the target has ever set one; without, no socket need be examined.
  var areInUse = false
  /// True if the target has ever set one of reading from a terminal.
  var haveTerminals = false
  /// The timeouts where sockets cannot be read.
  var table = SocketTimeoutTable()
  /// The time of the next look while time flows by itself, on the kernel's CLOCK_MONOTONIC.
  var nextLook = Nanoseconds.zero
  /// Sockets whose connect(2) timed out and continues in the kernel.
  private(set) var connecting: Set<UInt64> = []

  /// Records that a connect was ended by its timeout.
  mutating func recordConnecting(_ socket: UInt64) {
    if connecting.count >= Self.limit { connecting.removeAll() }
    connecting.insert(socket)
  }
}
