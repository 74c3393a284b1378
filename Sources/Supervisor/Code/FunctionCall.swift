internal import FaultEngine

/// A call that a point is asked about.
package struct FunctionCall: Sendable {
  /// The point's index.
  package var point: Int
  /// The function's name.
  package var function: String
  /// The count of the point's calls over all processes, this one with them.
  package var occurrence: UInt64
  /// The process.
  package var process: Int32
  /// The thread.
  package var thread: Int32
  /// The program's name without its folder.
  package var program: String
  /// The first six integers or pointers.
  package var arguments: [UInt64]
  /// Where the call returns to.
  package var caller: UInt64
}

/// What becomes of a call, and when the point is asked again.
package struct FunctionVerdict: Sendable {
  /// What becomes of the call.
  package var action: FunctionAction
  /// The call at which the point is asked next, counted from 1; `nil` for never.
  package var nextDue: UInt64?

  /// Creates a verdict.
  package init(_ action: FunctionAction, nextDue: UInt64?) {
    self.action = action
    self.nextDue = nextDue
  }
}

/// What becomes of a call.
package indirect enum FunctionAction: Sendable {
  /// It is made.
  case original
  /// It is not made, and returns this.
  case result(FunctionResult)
  /// An allocation fails, as this function tells it: NULL and ENOMEM, ENOMEM as result, or
  /// `std::bad_alloc`.
  case allocationFailure
  /// It is not made, and returns the address of this text, which the process may read and write.
  case text(String)
  /// It is made, and its result goes through this.
  case edit(@Sendable (FunctionResult, CallerMemory) -> FunctionResult)
  /// Some of its first six arguments are changed, by their indexes.
  case arguments([Int: UInt64], then: FunctionAction)
  /// The process ends with this code.
  case exit(Int32)
  /// A signal comes first.
  case signal(Int32, then: FunctionAction)
  /// It waits this many nanoseconds of the scenario's time first, or for ever.
  case delay(Int64?, then: FunctionAction)
}

/// What a function returns.
package struct FunctionResult: Sendable, Hashable {
  /// An integer or a pointer, if the function returns one: rax.
  package var integer: UInt64
  /// A floating point number, if the function returns one: xmm0; `nil` leaves it alone.
  package var number: Double?
  /// What errno is set to; `nil` leaves it alone.
  package var errorNumber: Int32?
  /// True if further results are zero, as the `error` of a function of Go; otherwise they are left alone.
  package var isAlone = false

  /// Creates a result.
  package init(integer: UInt64 = 0, number: Double? = nil, errorNumber: Int32? = nil) {
    self.integer = integer
    self.number = number
    self.errorNumber = errorNumber
  }

  /// An integer, as a function of that name returns it.
  package init(_ integer: Int64, of function: String, errorNumber: Int32? = nil) {
    let convention = FunctionConvention.of(function)
    self.init(
      integer: UInt64(bitPattern: integer), number: convention.number(for: integer),
      errorNumber: errorNumber)
    isAlone = convention == .go
  }

  /// A floating point number, as a function of that name returns it.
  package init(fraction: Double, of function: String) {
    let convention = FunctionConvention.of(function)
    self.init(number: convention.number(for: fraction))
    isAlone = convention == .go
  }
}

/// What is known of a point at one moment.
package struct FunctionAccount: Sendable, Hashable {
  /// How often its functions were called, over all processes.
  package var calls: UInt64
  /// Where its functions were found: `malloc in libc.so.6`.
  package var places: [String]
  /// What came nearest, if nothing was found: `malloc in libc.so.6`.
  package var nearest: [String]
}
