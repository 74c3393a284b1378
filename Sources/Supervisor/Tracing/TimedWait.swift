internal import Foundations

/// A thread's wait with a timeout.
///
/// The kernel is made to wait without a timeout; the supervisor keeps the deadline and, when virtual
/// time gets there, makes the call return what the kernel would have returned on expiry.
struct TimedWait {
  /// The kind of the call, which decides how expiry and the remaining time are returned.
  enum Kind {
    /// nanosleep(2), clock_nanosleep(2): 0 on expiry; the rest goes to `remainder` if not 0.
    case sleep(remainder: UInt64)
    /// futex(2): ETIMEDOUT on expiry.
    case futex(FutexOperation)
    /// poll(2): 0 on expiry.
    case poll
    /// epoll_wait(2), epoll_pwait(2), epoll_pwait2(2): 0 on expiry.
    case epoll
    /// ppoll(2): 0 on expiry; the rest is written back.
    case timedPoll(timeout: UInt64)
    /// select(2), pselect6(2): 0 on expiry, sets emptied; the rest is written back.
    case select(SelectArguments)
    /// mq_timedsend(2), mq_timedreceive(2): ETIMEDOUT on expiry.
    case messageQueue
    /// semtimedop(2): EAGAIN on expiry.
    case semaphores
    /// rt_sigtimedwait(2): EAGAIN on expiry.
    case signals
    /// io_getevents(2): 0 on expiry.
    case events
    /// io_pgetevents(2): 0 on expiry.
    case maskedEvents
    /// recvmmsg(2): continues for one more datagram on expiry; the remaining time is written back.
    case datagrams(timeout: UInt64)
    /// A delay that chaos has put before a call.
    case delay
  }

  /// The addresses of select's sets, and the form of its timeout.
  struct SelectArguments {
    var descriptorCount: Int
    var sets: [UInt64]
    var timeout: UInt64
    /// select(2) counts microseconds, pselect6(2) nanoseconds.
    var countsMicroseconds: Bool
  }

  /// The kind, with the values that it needs.
  var kind: Kind
  /// The instant at which it ends.
  var deadline: Deadline
  /// The length that was requested.
  var requested: Nanoseconds
  /// True if it may end later, together with another one.
  var mayBeLate = false
  /// The registers at the call's entry.
  var entry: Registers

  /// The call's result when its deadline is due.
  var resultOnExpiry: Int {
    switch kind {
    case .futex, .messageQueue: -KernelError.timedOut
    case .semaphores, .signals: -KernelError.again
    default: 0
    }
  }

  /// The end of the call, from the kernel's result to the supervisor.
  enum Outcome {
    /// The call returns this.
    case finished(result: Int)
    /// A signal came: the call starts again, or fails with EINTR, as its handler decides.
    case interrupted(restart: Int)
  }

  /// Reads the kernel's result at the call's exit.
  ///
  /// - Parameters:
  ///   - result: what the untimed call returned.
  ///   - isDue: whether the supervisor ended the wait because its deadline was due.
  func outcome(result: Int, isDue: Bool) -> Outcome {
    guard Self.isInterruption(result) else {
      if isDue, case .futex(.waitRequeue) = kind, result == -KernelError.again {
        // An interrupted requeue wait looks like a spurious wake-up.
        return .finished(result: -KernelError.timedOut)
      }
      return .finished(result: result)
    }
    if isDue { return .finished(result: resultOnExpiry) }
    return .interrupted(restart: restart(after: result))
  }

  /// True if nothing but a signal ends the wait before its time: it is for no descriptor and for no thread.
  var isEndedBySignalsOnly: Bool {
    switch kind {
    case .sleep, .signals: true
    case .poll, .timedPoll: entry[argument: 1] == 0
    case .select(let arguments): arguments.descriptorCount == 0
    default: false
    }
  }

  /// True if the end of a thread may end the wait: for a futex that others than its process may share, or that the
  /// kernel lets go of for a thread that has ended (futex(2), set_robust_list(2), CLONE_CHILD_CLEARTID of clone(2)).
  var mayBeEndedByEnd: Bool {
    if case .futex = kind { privateFutex == nil } else { false }
  }

  /// The length, in seconds, from which on a caller means "for ever": a thousand times what clocks
  /// count, and more, as `sleep infinity` does; a shorter one means an instant.
  private static let endlessSeconds: Int64 = 1 << 43

  /// Returns whether a wait that is on no timeline was meant to last for ever, rather than to an
  /// instant behind the end of 64-bit time.
  func isEndless(in memory: TargetMemory?) -> Bool {
    guard let length = NativeWait(BlockedCall(entry))?.length,
      case .timespec(let address, _) = length,
      let seconds = memory?.read(Int64.self, at: address)
    else { return true }
    return seconds >= Self.endlessSeconds
  }

  /// Returns whether a result says that the call was disturbed.
  static func isInterruption(_ result: Int) -> Bool {
    switch -result {
    case KernelError.restartSystemCall, KernelError.restartNoInterrupt,
      KernelError.restartNoHandler, KernelError.restartBlock, KernelError.interrupted:
      true
    default:
      false
    }
  }
}
