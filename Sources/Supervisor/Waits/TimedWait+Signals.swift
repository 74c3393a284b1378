/// The effect on a wait of its process being stopped and continued (SIGSTOP, SIGCONT).
enum StopEffect {
  /// The wait fails with EINTR, though no handler has run.
  case fails
  /// The wait starts again, with all of its time.
  case startsAnew
  /// The wait starts again with the rest of its time, which it records when it is stopped; the stop
  /// does not count.
  case startsWithRest
  /// The wait continues to the same instant.
  case goesOn
}

extension TimedWait {
  /// Returns the restart code that the kernel would give the call as it delivers a signal.
  ///
  /// signal(7), "Interruption of system calls and library functions by signal handlers". Most timed
  /// waits fail with EINTR after a handler whatever SA_RESTART says, and continue with the rest of
  /// their time otherwise.
  ///
  /// - Parameter result: the result of the untimed call.
  func restart(after result: Int) -> Int {
    switch kind {
    case .futex(.lock), .futex(.waitRequeue):
      -KernelError.restartNoInterrupt
    case .futex(.waitVector), .futex(.join), .messageQueue:
      -KernelError.restartSystemCall
    case .datagrams where result == -KernelError.restartSystemCall:
      -KernelError.restartSystemCall
    default:
      -KernelError.restartNoHandler
    }
  }

  /// Returns the effect of a stop of the process, which disturbs a call although no handler runs.
  ///
  /// signal(7), "Interruption of system calls and library functions by stop signals".
  ///
  /// - Parameter code: the restart code that the call got.
  func effectOfStop(code: Int) -> StopEffect {
    switch kind {
    case .epoll, .semaphores, .signals, .events:
      .fails
    case .datagrams:
      code == -KernelError.restartSystemCall ? .startsAnew : .fails
    case .maskedEvents:
      .startsAnew
    case .timedPoll, .select:
      .startsWithRest
    default:
      .goesOn
    }
  }

  /// The call's result if the rest of its time cannot be written back; `nil` if that does not
  /// matter.
  var resultIfNotWritten: Int? {
    if case .datagrams = kind { return -KernelError.badAddress }
    return nil
  }

  /// Returns whether a call that is not watched fails with EINTR after any signal that wakes it, with a handler
  /// or not, where it waits without a timeout.
  static func failsAfterAnySignal(_ systemCall: Int) -> Bool {
    switch systemCall {
    case SystemCallNumber.epollWait, SystemCallNumber.epollPwait, SystemCallNumber.epollPwait2,
      SystemCallNumber.semop, SystemCallNumber.semtimedop, SystemCallNumber.rtSigtimedwait,
      SystemCallNumber.ioGetevents:
      true
    default:
      false
    }
  }
}
