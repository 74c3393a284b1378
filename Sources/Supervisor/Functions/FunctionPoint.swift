/// Functions whose calls are counted together, and of which some may be answered otherwise.
public struct FunctionPoint: Sendable, Hashable {
  /// Where the functions are looked for.
  public enum Place: Sendable, Hashable {
    /// Where the dynamic linker finds a name first: in the program, then in its libraries in their order.
    /// In the program, functions count that are not exported.
    case anywhere
    /// In the program.
    case program
    /// In libraries of that name: `libz.so.1`, `libz.so` and `libz` all name one.
    case library(String)
  }

  /// The functions' names, as their symbols have them.
  public var names: [String]
  /// Where they are looked for.
  public var place: Place
  /// Whether the functions stand for one allocator: calls that one of them makes to another are part of
  /// the outer call, and an `operator new` that calls malloc is no call of its own.
  public var isAllocator: Bool

  /// Creates a point.
  public init(names: [String], place: Place = .anywhere, isAllocator: Bool = false) {
    self.names = names
    self.place = place
    self.isAllocator = isAllocator
  }

  /// The functions that allocate memory, whatever allocator the program has.
  ///
  /// reallocarray(3) is not among them: it calls realloc in each library.
  public static let allocations = FunctionPoint(
    names: [
      "malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign", "valloc",
      "pvalloc",
    ] + throwingAllocators + nothrowAllocators, isAllocator: true)

  /// `operator new` and `operator new[]`, without and with an alignment (Itanium C++ ABI, 5.1.3).
  static let throwingAllocators = [
    "_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t",
  ]

  /// The same with `std::nothrow`.
  static let nothrowAllocators = [
    "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t",
  ]
}

/// What is to become of the calls of functions.
public struct FunctionFaults: Sendable {
  /// The points in order: where several name a function, each is asked in turn until one answers.
  public var points: [FunctionPoint]
  /// At which call of a point it is first asked what becomes of it, counted from 1; `nil` for never.
  public var firstDue: [UInt64?]
  /// Says what becomes of a call; asked on the supervisor's thread, while the caller stands still.
  ///
  /// Where several threads call at once, it may be asked about calls that come behind the one that was due,
  /// and about an earlier one after a later one: what it says should depend on the call's number, not on
  /// the order of questions.
  public var decide: @Sendable (FunctionCall) -> FunctionVerdict

  /// How many points there may be.
  public static let pointLimit = 64

  /// Creates a set of points, of which those beyond the limit are left out.
  public init(
    points: [FunctionPoint], firstDue: [UInt64?],
    decide: @escaping @Sendable (FunctionCall) -> FunctionVerdict
  ) {
    self.points = Array(points.prefix(Self.pointLimit))
    self.firstDue = firstDue
    self.decide = decide
  }
}

/// A call that a point is asked about.
public struct FunctionCall: Sendable {
  /// The point's index.
  public var point: Int
  /// The function's name.
  public var function: String
  /// The count of the point's calls over all processes, this one with them.
  public var occurrence: UInt64
  /// The process.
  public var process: Int32
  /// The thread.
  public var thread: Int32
  /// The program's name without its folder.
  public var program: String
  /// The first six integers or pointers.
  public var arguments: [UInt64]
  /// Where the call returns to.
  public var caller: UInt64
}

/// What becomes of a call, and when the point is asked again.
public struct FunctionVerdict: Sendable {
  /// What becomes of the call.
  public var action: FunctionAction
  /// The call at which the point is asked next, counted from 1; `nil` for never.
  public var nextDue: UInt64?

  /// Creates a verdict.
  public init(_ action: FunctionAction, nextDue: UInt64?) {
    self.action = action
    self.nextDue = nextDue
  }
}

/// What becomes of a call.
public indirect enum FunctionAction: Sendable {
  /// It is made.
  case original
  /// It is not made, and returns this.
  case result(FunctionResult)
  /// An allocation fails, as this function tells it: NULL and ENOMEM, ENOMEM as result, or
  /// `std::bad_alloc`.
  case allocationFailure
  /// It is made, and its result goes through this.
  case edit(@Sendable (FunctionResult) -> FunctionResult)
  /// A signal comes first.
  case signal(Int32, then: FunctionAction)
  /// It waits this many nanoseconds of the scenario's time first, or for ever.
  case delay(Int64?, then: FunctionAction)
}

/// What a function returns.
public struct FunctionResult: Sendable, Hashable {
  /// An integer or a pointer, if the function returns one: rax.
  public var integer: UInt64
  /// A floating point number, if the function returns one: xmm0; `nil` leaves it alone.
  public var number: Double?
  /// What errno is set to; `nil` leaves it alone.
  public var errorNumber: Int32?

  /// Creates a result.
  public init(integer: UInt64 = 0, number: Double? = nil, errorNumber: Int32? = nil) {
    self.integer = integer
    self.number = number
    self.errorNumber = errorNumber
  }
}

/// What is known of a point at one moment.
public struct FunctionAccount: Sendable, Hashable {
  /// How often its functions were called, over all processes.
  public var calls: UInt64
  /// Where its functions were found: `malloc in libc.so.6`.
  public var places: [String]
  /// Names of the programs that came nearest, if nothing was found.
  public var nearest: [String]
}
