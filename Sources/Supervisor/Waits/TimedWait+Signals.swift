/// What becomes of a wait when its process is stopped and goes on (SIGSTOP, SIGCONT).
enum StopEffect {
  /// It fails with EINTR, though no handler has run.
  case fails
  /// It starts again, with all of its time.
  case startsAnew
  /// It starts again with what is left of its time, which it writes down when it is stopped; the stop does
  /// not count.
  case startsWithRest
  /// It goes on to the same instant.
  case goesOn
}

extension TimedWait {
  /// By which code the kernel would have told itself, as it delivers the signal, what to do about the call.
  ///
  /// signal(7), "Interruption of system calls and library functions by signal handlers". Most timed waits
  /// fail with EINTR after a handler whatever SA_RESTART says, and go on with what is left of their time
  /// otherwise.
  ///
  /// - Parameter result: what the untimed call returned.
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

  /// What a stop of the process does, which disturbs a call although no handler runs.
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

  /// What the call returns if the rest of its time cannot be written back; `nil` if that does not count.
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
