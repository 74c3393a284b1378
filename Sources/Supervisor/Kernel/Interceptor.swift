/// A part that changes certain calls of the target: it declares the calls that it wants to see, and
/// owns all state about them.
///
/// Confined to the tracer's thread.
protocol Interceptor: AnyObject {
  /// The rules by which the filter of every process must show it calls, by system call number.
  var filterRules: [Int: FilterRule] { get }

  /// The calls that it is shown: by default those of ``filterRules``; `nil` for all that the filter
  /// shows.
  var calls: Set<Int>? { get }

  /// The reason why a thread of the target cannot be forked now without its child losing this
  /// interceptor's state; `nil` if there is none.
  var obstacleToFork: String? { get }

  /// Decides about one of ``calls`` at its entry.
  ///
  /// The call may also be shown because of another interceptor's rules.
  func enter(_ call: InterceptedCall) -> CallDisposition

  /// Copies the state of the interceptor of the same kind in `trunk`, for a branch of its target.
  func inherit(from trunk: any Interceptor)

  /// The clocks that the target sees have moved, or flow on.
  func clocksMoved()

  /// Records that, in a branch of the target, `copy` stands for `process` of the trunk, and has all
  /// that this has; its only thread is what `thread` was.
  func processCopied(
    _ process: ThreadIdentifier, as copy: ThreadIdentifier, thread: ThreadIdentifier)

  /// A thread has made another one, or a process, which is one of the target's from now on.
  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier)

  /// A thread that has run a program has taken the number of its process's first one (execve(2)), which is gone.
  func threadRenamed(_ former: ThreadIdentifier, to thread: ThreadIdentifier)

  /// Decides about a signal before its delivery; true if the interceptor has caused it, and has
  /// handled it.
  func takeSignal(_ signal: Int32, of tracee: Tracee) -> Bool

  /// A thread of the target is gone.
  func threadEnded(_ thread: ThreadIdentifier)

  /// A process runs a new program (execve(2)).
  func programStarted(in process: ThreadIdentifier)

  /// A process has ended.
  func processEnded(_ process: ThreadIdentifier)
}

extension Interceptor {
  var calls: Set<Int>? { Set(filterRules.keys) }
  var obstacleToFork: String? { nil }
  func inherit(from trunk: any Interceptor) {}
  func clocksMoved() {}
  func processCopied(
    _ process: ThreadIdentifier, as copy: ThreadIdentifier, thread: ThreadIdentifier
  ) {}
  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier) {}
  func threadRenamed(_ former: ThreadIdentifier, to thread: ThreadIdentifier) {}
  func takeSignal(_ signal: Int32, of tracee: Tracee) -> Bool { false }
  func threadEnded(_ thread: ThreadIdentifier) {}
  func programStarted(in process: ThreadIdentifier) {}
  func processEnded(_ process: ThreadIdentifier) {}
}

/// A call of a thread at its entry.
struct InterceptedCall {
  /// The caller.
  let tracee: Tracee
  /// Its registers.
  let registers: Registers

  /// The call's number.
  var number: Int { registers.systemCall }

  /// One of the call's six arguments, as a number of 32 bits.
  func integer(_ argument: Int) -> Int32 {
    Int32(truncatingIfNeeded: registers[argument: argument])
  }
}

/// The decision about a call that an interceptor has seen.
enum CallDisposition {
  /// The call is not this interceptor's: the next one sees it.
  case pass
  /// The next one sees the call, and whatever is decided, `exit` sees the registers at its exit;
  /// `nil` if the thread is gone before.
  case watch(exit: (Registers?) -> Void)
  /// The thread makes the call as it is, and no other interceptor sees it.
  case proceed
  /// The call is skipped, and returns `result`: a value, or an error number below zero.
  case skip(result: Int)
  /// The thread makes it with these registers. At its exit the caller's own arguments are put back, and `exit`
  /// sees the result and may change it.
  case make(Registers, exit: (inout Registers) -> Void)
  /// The call is held: the thread makes it with these registers, by which it has no timeout, until
  /// it returns by itself or virtual time has come to the wait's deadline.
  case park(TimedWait, made: Registers)
  /// The interceptor has let the thread go on, or holds it: nothing is left to do.
  case taken
  /// The thread makes the call as it is. `exit` sees the result at its exit, and may change it.
  case observe(exit: (inout Registers) -> Void)
}
