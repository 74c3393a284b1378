internal import CSupervisor
internal import Glibc

/// The calls by which threads of one process wake each other (futex(2)).
///
/// A thread that waits for a private futex is woken by one of these, made by who shares its memory, or by a signal,
/// and by nothing else: what the kernel wakes as a thread ends are futexes that are not private (`mm_release` and
/// `handle_futex_death` of the kernel). Where they are seen, it need not be looked at while there was none.
enum FutexWakes {
  /// The number of times that threads of one process are examined before it gets the filter: each costs some
  /// microseconds, and so does a call that the filter shows.
  static let patience = 20_000
  /// The number of threads of one process that wait for futexes, from which on each event costs more by looks at them
  /// than by stops at the calls that wake one or two of them.
  static let crowd = 16

  /// The filter that shows them.
  static let filter = FilterProgram(rules: [
    SystemCallNumber.futex: .traceIfAmong([ArgumentValues(argument: 1, values: operations)]),
    SystemCallNumber.futexWake: .trace,
    SystemCallNumber.futexRequeue: .trace,
  ])

  /// FUTEX_WAKE, REQUEUE, CMP_REQUEUE, WAKE_OP, UNLOCK_PI, WAKE_BITSET and CMP_REQUEUE_PI, each as it is, private, by
  /// the wall clock, and both.
  private static let operations: [UInt32] = [1, 3, 4, 5, 7, 10, 12].flatMap {
    [$0, $0 | privateFlag, $0 | wallFlag, $0 | privateFlag | wallFlag]
  }

  /// FUTEX_PRIVATE_FLAG.
  static let privateFlag: UInt32 = 128
  /// FUTEX_CLOCK_REALTIME.
  private static let wallFlag: UInt32 = 256

  /// The waiters that a call may wake.
  enum Reach: Equatable {
    /// No waiter.
    case nobody
    /// The waiters at one address.
    case address(UInt64)
    /// Any waiters.
    case everybody
    /// Any waiters; some wait elsewhere from then on.
    case elsewhere
  }

  /// Returns the waiters that the call which a thread is about to make may wake.
  static func reach(of registers: Registers) -> Reach {
    switch registers.systemCall {
    case SystemCallNumber.futexWake: return .address(registers[argument: 0])
    case SystemCallNumber.futexRequeue: return .elsewhere
    case SystemCallNumber.futex: break
    default: return .nobody
    }
    let operation = UInt32(truncatingIfNeeded: registers[argument: 1])
    guard operations.contains(operation) else { return .nobody }
    switch operation & ~(privateFlag | wallFlag) {
    case 1, 10: return .address(registers[argument: 0])
    case 3, 4, 12: return .elsewhere
    default: return .everybody
    }
  }
}

extension LateFilter {
  /// The filter of calls that wake threads, for a process so many of whose threads wait for each
  /// other that examining them was costly.
  static let futexWakes = LateFilter("futex wakes", FutexWakes.filter)
}
