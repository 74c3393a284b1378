package import Foundations
package import ScenarioModel
package import ScenarioPlan

/// What the table may ask about a call that is about to be made.
///
/// Whoever answers looks things up only when they are asked for, and once.
package protocol ChaosFacts {
  /// An argument, 0 … 5.
  func argument(_ index: Int) -> UInt64
  /// Lets what follows be asked of one end of a transfer alone; of both again by `nil`.
  mutating func attend(to end: TransferEnd?)
  /// The absolute paths that the call acts on.
  mutating func paths() -> [String]
  /// What its descriptor leads to.
  mutating func descriptorKind() -> DescriptorKind?
  /// The host that it speaks to.
  mutating func host() -> String?
  /// The port that it speaks to.
  mutating func port() -> Int64?
  /// How many bytes it is about.
  mutating func size() -> Int64?
  /// Where in the file.
  mutating func offset() -> Int64?
  /// Its flags, as a word.
  mutating func flags() -> UInt64?
  /// The path of the executable of its process.
  mutating func program() -> String
  /// The number of its process in the order of births, from 1.
  var processOrdinal: Int { get }
  /// Where its thread is in the tree: which child it is, counted from 0, of which of its makers.
  var lineage: [UInt32] { get }
  /// The name of its thread.
  mutating func threadName() -> String
  /// The path of the file whose code makes the call; `nil` if that is not known.
  mutating func caller() -> String?
  /// Virtual time since the scenario's start.
  mutating func elapsed() -> Nanoseconds
  /// The wall clock.
  mutating func wall() -> WallInstant
  /// What the call wants of a disk; `nil` if nothing.
  mutating func diskUse() -> DiskUse?
  /// How much room that takes which gets another name.
  mutating func movedRooms() -> DiskMoveSpace
  /// Returns whether a system call is part of a call of these functions, as an mmap that malloc makes.
  mutating func isPart(of functions: PlannedFunctions) -> Bool
  /// Counts a system call among the calls of an entry's functions; its number, from 1, or `nil` if nobody
  /// counts those.
  mutating func count(amongFunctionsOf entry: Int) -> Int?
}

// MARK: - By conditions

extension ChaosFacts {
  /// The texts among which a condition looks for one; none where nothing is known.
  mutating func texts(of condition: ChaosCondition) -> [String] {
    switch condition {
    case .path: paths()
    case .host: host().map { [$0] } ?? []
    case .process: [program()]
    case .thread: [threadName()]
    case .caller: caller().map { [$0] } ?? []
    case .kind, .port, .size, .offset, .flags, .arguments: []
    }
  }

  /// The number that a condition asks for; `nil` where it is not known.
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
  /// No descriptor.
  package mutating func descriptorKind() -> DescriptorKind? { nil }
  /// None.
  package mutating func host() -> String? { nil }
  /// None.
  package mutating func port() -> Int64? { nil }
  /// Not about bytes.
  package mutating func size() -> Int64? { nil }
  /// No place in a file.
  package mutating func offset() -> Int64? { nil }
  /// None.
  package mutating func flags() -> UInt64? { nil }
  /// No name.
  package mutating func threadName() -> String { "" }
  /// Not known.
  package mutating func caller() -> String? { nil }
  /// Nothing.
  package mutating func diskUse() -> DiskUse? { nil }
  /// None.
  package mutating func movedRooms() -> DiskMoveSpace { DiskMoveSpace() }
  /// A call of its own.
  package mutating func isPart(of functions: PlannedFunctions) -> Bool { false }
  /// Counted by nobody.
  package mutating func count(amongFunctionsOf entry: Int) -> Int? { nil }
  /// Nothing has two ends.
  package mutating func attend(to end: TransferEnd?) {}
  /// The first thread.
  package var lineage: [UInt32] { [] }
}

/// What becomes of a call.
package struct ChaosAction: Sendable, Hashable {
  /// What is done in place of the call, or with it.
  package enum Deed: Sendable, Hashable {
    /// The call is made as it is.
    case original
    /// It is not made, and returns this.
    case result(Int64)
    /// It is not made, and returns this and sets errno: functions alone.
    case failure(Int64, ErrorNumber)
    /// It is not made, and returns this floating point number: functions alone.
    case fraction(Double)
    /// It is not made, and returns the address of this text: functions alone.
    case text(String)
    /// It is not made, and fails.
    case fail(ErrorNumber)
    /// Its result or its arguments are computed.
    case compute(PlannedComputation)
    /// A program decides, before the call or behind it.
    case execute([String], isAfter: Bool)
    /// Its process ends.
    case exit(Int32)
    /// Its process, or every process, is killed.
    case kill(KillScope)
    /// It never ends.
    case hang
    /// It is made for less.
    case short(PartialAmount)
    /// Its bytes are spoiled.
    case corrupt(Corruption)
    /// It is not made, and success is told.
    case lie
    /// This goes wrong on a connection, or with a question for a name.
    case link([LinkFault])
    /// A disk has not what it wants.
    case disk(DiskAnswer)
    /// Processes are killed, and what was not made durable is lost.
    case crash(PlannedCrash)
    /// Its process stands still for so long.
    case stop(Nanoseconds)
    /// The target is killed, and started again after so long.
    case restart(Nanoseconds)
  }

  /// How much virtual time passes first.
  package var delay = Nanoseconds.zero
  /// Signals that come before the call.
  package var signalsBefore: [Int32] = []
  /// Signals that come behind it.
  package var signalsAfter: [Int32] = []
  /// What is done.
  package var deed = Deed.original
  /// Where further chance comes from.
  package var random = SplitMix64(seed: 0)

  /// Creates an action that changes nothing.
  package init() {}

  /// True if the call is as if nothing had been said.
  package var changesNothing: Bool {
    deed == .original && delay == .zero && signalsBefore.isEmpty && signalsAfter.isEmpty
  }
}

/// What an entry has decided about a call.
package struct ChaosDecision: Sendable, Hashable {
  /// The entry's place in the list.
  package var entry: Int
  /// Which of the calls that match the entry this is, from 1.
  package var occurrence: Int
  /// What becomes of the call.
  package var action: ChaosAction
}
