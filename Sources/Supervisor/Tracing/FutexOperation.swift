internal import Foundations

/// The futex(2) operations that take a timeout.
enum FutexOperation {
  /// FUTEX_WAIT: relative.
  case wait
  /// FUTEX_WAIT_BITSET: absolute.
  case waitBitset
  /// FUTEX_LOCK_PI, FUTEX_LOCK_PI2: absolute; starts again after any signal.
  case lock
  /// FUTEX_WAIT_REQUEUE_PI: absolute; starts again after any signal.
  case waitRequeue
  /// futex_waitv(2), futex_wait(2): absolute; a handler's SA_RESTART counts.
  case waitVector
  /// A wait without a time, as for a thread's end; a handler's SA_RESTART counts.
  case join
}
