internal import ScenarioPlan

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
  public static let allocations = FunctionPoint(.allocations)
}

extension FunctionPoint {
  /// The point of a chaos entry.
  init(_ functions: PlannedFunctions) {
    self.init(names: functions.names, isAllocator: functions.isAllocator)
    switch functions.place {
    case .anywhere: place = .anywhere
    case .program: place = .program
    case .library(let name): place = .library(name)
    }
  }
}

/// What is to become of the calls of functions.
///
/// A call costs some nanoseconds as long as its point is not due, a stop where it is. A point counts from
/// the programs' own beginnings, over all processes of the target: `Supervisor.functionAccount()` tells how
/// far it is, `Supervisor.setDue` when it is asked next. An entry that holds from the step which applies it
/// is one whose `firstDue` is `nil`, and of which that step sets a due call behind the count of the moment.
/// An entry with conditions is asked about each call: its next due call is always the next one.
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
  public var decide: @Sendable (FunctionCall, CallerMemory) -> FunctionVerdict

  /// How many points there may be.
  public static let pointLimit = 64

  /// Creates a set of points, of which those beyond the limit are left out.
  public init(
    points: [FunctionPoint], firstDue: [UInt64?],
    decide: @escaping @Sendable (FunctionCall, CallerMemory) -> FunctionVerdict
  ) {
    self.points = Array(points.prefix(Self.pointLimit))
    self.firstDue = firstDue
    self.decide = decide
  }
}
