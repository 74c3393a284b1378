package import Foundations
package import ScenarioModel
package import ScenarioPlan

/// The facts that rules may use about a call that is about to be made.
///
/// An implementation looks facts up only on demand, and once.
package protocol ChaosFacts {
  /// An argument, 0 … 5.
  func argument(_ index: Int) -> UInt64
  /// Restricts the following facts to one end of a transfer; `nil` lifts that.
  mutating func attend(to end: TransferEnd?)
  /// The absolute paths that the call acts on.
  mutating func paths() -> [String]
  /// Returns the absolute paths by which the same files are known through symbolic links.
  ///
  /// - Parameter place: a file or folder that a condition names: what lies at or below the place to which it leads is
  ///   known by paths that begin with it.
  mutating func linkedPaths(below place: String?) -> [String]
  /// Returns the kind of object that its descriptor leads to.
  mutating func descriptorKind() -> DescriptorKind?
  /// Returns the host that it connects or sends to.
  mutating func host() -> String?
  /// Returns the port that it connects or sends to.
  mutating func port() -> Int64?
  /// Returns the number of bytes that it transfers.
  mutating func size() -> Int64?
  /// Returns the offset in the file, in bytes.
  mutating func offset() -> Int64?
  /// Its flags, as a word.
  mutating func flags() -> UInt64?
  /// The names of the program that its process runs.
  mutating func program() -> ProgramNames
  /// The number of its process in start order, from 1.
  var processOrdinal: Int { get }
  /// The position of its thread in the tree: the indexes, from 0, of the makers among their makers'
  /// children.
  var lineage: [UInt32] { get }
  /// The name of its thread.
  mutating func threadName() -> String
  /// The path of the file whose code makes the call; `nil` if that is not known.
  mutating func caller() -> String?
  /// Virtual time since the scenario's start.
  mutating func elapsed() -> Nanoseconds
  /// The wall clock.
  mutating func wall() -> WallInstant
  /// Returns the call's use of a disk; `nil` if it has none.
  mutating func diskUse() -> DiskUse?
  /// Returns the room of what gets another name.
  mutating func movedRooms() -> DiskMoveSpace
  /// Returns whether a system call is part of a call of these functions, as an mmap that malloc makes.
  mutating func isPart(of functions: PlannedFunctions) -> Bool
  /// Counts a system call among the calls of an entry's functions; returns its number, from 1, or
  /// `nil` if those are not counted.
  mutating func count(amongFunctionsOf entry: Int) -> Int?
}

// MARK: - By conditions

extension ChaosFacts {
  /// The texts among which a condition looks for one; none where nothing is known, and for a program, which has names.
  mutating func texts(of condition: ChaosCondition) -> [String] {
    switch condition {
    case .path: paths()
    case .host: host().map { [$0] } ?? []
    case .thread: [threadName()]
    case .caller: caller().map { [$0] } ?? []
    case .kind, .port, .size, .offset, .flags, .arguments, .process: []
    }
  }

  /// The number for a condition; `nil` if it is not known.
  mutating func number(of condition: ChaosCondition) -> Int64? {
    switch condition {
    case .port: port()
    case .size: size()
    case .offset: offset()
    case .path, .kind, .host, .flags, .arguments, .process, .thread, .caller: nil
    }
  }
}

// MARK: - Of which nothing is known

extension ChaosFacts {
  /// None.
  package func argument(_ index: Int) -> UInt64 { 0 }
  /// None.
  package mutating func paths() -> [String] { [] }
  /// None.
  package mutating func linkedPaths(below place: String?) -> [String] { [] }
  /// Returns `nil`: no descriptor, unless implemented otherwise.
  package mutating func descriptorKind() -> DescriptorKind? { nil }
  /// None.
  package mutating func host() -> String? { nil }
  /// None.
  package mutating func port() -> Int64? { nil }
  /// Returns `nil`: not about bytes, unless implemented otherwise.
  package mutating func size() -> Int64? { nil }
  /// Returns `nil`: no offset in a file, unless implemented otherwise.
  package mutating func offset() -> Int64? { nil }
  /// None.
  package mutating func flags() -> UInt64? { nil }
  /// Returns no name, unless implemented otherwise.
  package mutating func threadName() -> String { "" }
  /// Returns `nil`: not known, unless implemented otherwise.
  package mutating func caller() -> String? { nil }
  /// Returns `nil`: no use of a disk, unless implemented otherwise.
  package mutating func diskUse() -> DiskUse? { nil }
  /// None.
  package mutating func movedRooms() -> DiskMoveSpace { DiskMoveSpace() }
  /// A call of its own.
  package mutating func isPart(of functions: PlannedFunctions) -> Bool { false }
  /// Returns `nil`: not counted, unless implemented otherwise.
  package mutating func count(amongFunctionsOf entry: Int) -> Int? { nil }
  /// Does nothing: no call has two ends, unless implemented otherwise.
  package mutating func attend(to end: TransferEnd?) {}
  /// The first thread.
  package var lineage: [UInt32] { [] }
}

/// The action for a call.
package struct ChaosAction: Sendable, Hashable {
  /// The action in place of the call, or with it.
  package enum Deed: Sendable, Hashable {
    /// The call is made as it is.
    case original
    /// The call is skipped, and returns this.
    case result(Int64)
    /// The call is skipped, returns this and sets errno: functions alone.
    case failure(Int64, ErrorNumber)
    /// The call is skipped, and returns this floating point number: functions alone.
    case fraction(Double)
    /// The call is skipped, and returns the address of this text: functions alone.
    case text(String)
    /// The call is skipped, and fails.
    case fail(ErrorNumber)
    /// Its result or its arguments are computed.
    case compute(PlannedComputation)
    /// A program decides, before the call or behind it.
    case execute([String], isAfter: Bool)
    /// Its process ends.
    case exit(Int32)
    /// Its process, or every process, is killed.
    case kill(KillScope)
    /// The call never ends.
    case hang
    /// The call is made for less.
    case short(PartialAmount)
    /// Its bytes are spoiled.
    case corrupt(Corruption)
    /// The call is skipped, and reports success.
    case lie
    /// This goes wrong on a connection, or with a question for a name.
    case link([LinkFault])
    /// A disk has not what it wants.
    case disk(DiskAnswer)
    /// Processes are killed, and what was not made durable is lost.
    case crash(PlannedCrash)
    /// The call's process is stopped for so long.
    case stop(Nanoseconds)
    /// The target is killed, and started again after so long.
    case restart(Nanoseconds)
  }

  /// The virtual time that passes first.
  package var delay = Nanoseconds.zero
  /// Signals that come before the call.
  package var signalsBefore: [Int32] = []
  /// Signals that come behind it.
  package var signalsAfter: [Int32] = []
  /// The kind of action.
  package var deed = Deed.original
  /// The source of further chance.
  package var random = SplitMix64(seed: 0)

  /// Creates an action that changes nothing.
  package init() {}

  /// True if the call is as if nothing had been said.
  package var changesNothing: Bool {
    deed == .original && delay == .zero && signalsBefore.isEmpty && signalsAfter.isEmpty
  }

  /// True if the call itself decides whether anything is changed: how many bytes it moves, and which.
  ///
  /// Delays and signals are effects whatever the call comes to.
  package var mayHaveNoEffect: Bool {
    guard delay == .zero, signalsBefore.isEmpty, signalsAfter.isEmpty else { return false }
    return switch deed {
    case .short, .corrupt, .execute: true
    case .compute(let computation): computation.callsThrough
    default: false
    }
  }
}

/// The decision of an entry about a call.
package struct ChaosDecision: Sendable, Hashable {
  /// The entry's place in the list.
  package var entry: Int
  /// The number of the call among those that match the entry, from 1.
  package var occurrence: Int
  /// The action for the call.
  package var action: ChaosAction
  /// True if it counts as fired only when the call has shown an effect (`FaultRuleSet.settle`).
  package var awaitsEffect = false
  /// The number of times that the entry had been applied again then.
  var round = 0
}
