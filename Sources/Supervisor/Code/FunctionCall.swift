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
  /// The address to which the call returns.
  package var caller: UInt64
}

/// The action for a call, and the next call at which the point is due.
package struct FunctionVerdict: Sendable {
  /// The action for the call.
  package var action: FunctionAction
  /// The call at which the point is asked next, counted from 1; `nil` for never.
  package var nextDue: UInt64?

  /// Creates a verdict.
  package init(_ action: FunctionAction, nextDue: UInt64?) {
    self.action = action
    self.nextDue = nextDue
  }
}

/// The action for a call.
package indirect enum FunctionAction: Sendable {
  /// The call is made.
  case original
  /// The call is skipped, and returns this.
  case result(FunctionResult)
  /// The allocation fails in the way of this function: NULL and ENOMEM, ENOMEM as result, or
  /// `std::bad_alloc`.
  case allocationFailure
  /// The call is skipped, and returns the address of this text, which the process may read and
  /// write.
  case text(String)
  /// The call is made, and its result is edited.
  case edit(ResultEdit)
  /// Some of its first six arguments are changed, by their indexes.
  case arguments([Int: UInt64], then: FunctionAction)
  /// The process ends with this code.
  case exit(Int32)
  /// A signal comes first.
  case signal(Int32, then: FunctionAction)
  /// The call first waits for this many nanoseconds of virtual time; `nil`: forever.
  case delay(Int64?, then: FunctionAction)
}

/// What is done with the result of a call that is made.
package struct ResultEdit: Sendable {
  /// Maps the result.
  package var map: @Sendable (FunctionResult, CallerMemory) -> FunctionResult
  /// Called in its place if the call never returns, or if its return cannot be watched.
  package var abandon: @Sendable () -> Void

  /// Creates an edit.
  package init(
    _ map: @escaping @Sendable (FunctionResult, CallerMemory) -> FunctionResult,
    abandon: @escaping @Sendable () -> Void = {}
  ) {
    self.map = map
    self.abandon = abandon
  }
}

/// The result of a function.
package struct FunctionResult: Sendable, Hashable {
  /// An integer or a pointer, if the function returns one: rax.
  package var integer: UInt64
  /// A floating point number, if the function returns one: xmm0; `nil` leaves it alone.
  package var number: Double?
  /// The value for errno; `nil` leaves it alone.
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
  ///
  /// - Parameter results: The results of a function of Go; `nil` where they are not known.
  init(
    _ integer: Int64, of function: String, errorNumber: Int32? = nil, results: GoResults? = nil
  ) {
    let convention = FunctionConvention.of(function)
    let number = (results?.convention ?? convention).number(for: integer)
    self.init(
      integer: results?.convention == nil ? UInt64(bitPattern: integer) : 0, number: number,
      errorNumber: errorNumber)
    isAlone = convention == .go
  }

  /// A floating point number, as a function of that name returns it.
  ///
  /// - Parameter results: The results of a function of Go; `nil` where they are not known.
  init(fraction: Double, of function: String, results: GoResults? = nil) {
    let convention = FunctionConvention.of(function)
    self.init(number: (results?.convention ?? convention).number(for: fraction))
    isAlone = convention == .go
  }
}

/// The counts and places of a point at one moment.
package struct FunctionAccount: Sendable, Hashable {
  /// The number of calls of its functions, over all processes.
  package var calls: UInt64
  /// The functions that were found and their files: `malloc in libc.so.6`.
  package var places: [String]
  /// The closest names, if nothing was found: `malloc in libc.so.6`.
  package var nearest: [String]
}
