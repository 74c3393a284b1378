/// Something that changes what calls of the target do: it says which calls it wants to see, and owns all that it
/// knows of them.
///
/// Confined to the tracer's thread.
protocol Interceptor: AnyObject {
  /// Which calls the filter of every process must show it, by system call number.
  var filterRules: [Int: FilterRule] { get }

  /// Which calls it is shown: by default those of ``filterRules``.
  var calls: Set<Int> { get }

  /// Why a thread of the target cannot be forked now without its child losing what this interceptor keeps;
  /// `nil` if nothing speaks against it.
  var obstacleToFork: String? { get }

  /// A thread stands at the entry of one of ``calls``.
  ///
  /// The call may also be shown because of another interceptor's rules.
  func enter(_ call: InterceptedCall) -> CallDisposition

  /// A thread of the target is gone.
  func threadEnded(_ thread: ThreadIdentifier)

  /// A process runs a new program (execve(2)).
  func programStarted(in process: ThreadIdentifier)

  /// A process has ended.
  func processEnded(_ process: ThreadIdentifier)
}

extension Interceptor {
  var calls: Set<Int> { Set(filterRules.keys) }
  var obstacleToFork: String? { nil }
  func threadEnded(_ thread: ThreadIdentifier) {}
  func programStarted(in process: ThreadIdentifier) {}
  func processEnded(_ process: ThreadIdentifier) {}
}

/// A call at whose entry a thread stands.
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

/// What becomes of a call that an interceptor has seen.
enum CallDisposition {
  /// It is not this interceptor's: the next one sees it.
  case pass
  /// The thread makes it as it stands, and no other interceptor sees it.
  case proceed
  /// It is not made, and returns `result`: a value, or an error number below zero.
  case skip(result: Int)
  /// The thread makes it with these registers. At its exit the caller's own arguments are put back, and `exit`
  /// sees the result and may change it.
  case make(Registers, exit: (inout Registers) -> Void)
  /// The thread makes it as it stands. `exit` sees the result at its exit, and may change it.
  case observe(exit: (inout Registers) -> Void)
}
