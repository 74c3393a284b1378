public import ScenarioModel

/// A chaos entry, ready to be asked.
public struct PlannedChaos: Sendable, Hashable, Codable {
  /// How steps and reports call it.
  public var name: String
  /// The system calls, families and groups opened up, in order, without repeats.
  public var calls: [PlannedCall]
  /// The functions; `nil` for an entry about system calls alone.
  public var functions: PlannedFunctions?
  /// The link; `nil` for an entry about calls.
  public var link: PlannedLink?
  /// The processes; `nil` for an entry about calls.
  public var processes: PlannedProcesses?
  /// Which of them.
  public var conditions: PlannedChaosConditions
  /// Which of those that match.
  public var schedule: PlannedChaosSchedule
  /// What they give instead.
  public var provider: PlannedProvider
  /// Whether it holds from the start.
  public var isApplied: Bool
  /// Where the author wrote it.
  public var range: SourceRange
  /// The files that the entry is about; `nil` for one about calls.
  public var disk: PlannedDisk?

  /// Creates an entry.
  public init(
    name: String, calls: [PlannedCall], functions: PlannedFunctions? = nil,
    conditions: PlannedChaosConditions = PlannedChaosConditions(),
    schedule: PlannedChaosSchedule = PlannedChaosSchedule(), provider: PlannedProvider,
    isApplied: Bool = true, range: SourceRange, disk: PlannedDisk? = nil
  ) {
    self.name = name
    self.calls = calls
    self.functions = functions
    self.conditions = conditions
    self.schedule = schedule
    self.provider = provider
    self.isApplied = isApplied
    self.range = range
    self.disk = disk
  }
}

/// One system call of an entry.
public struct PlannedCall: Sendable, Hashable, Codable {
  /// The kernel's name.
  public var name: String
  /// The port that its group wants.
  public var port: Int64?
  /// Bits that its family or group wants among its flags.
  public var flags: UInt64?
  /// Bits that its family wants not among its flags.
  public var clearFlags: UInt64?
  /// The absolute paths that its group wants.
  public var paths: [String]?
  /// What its group wants of an argument.
  public var argument: Argument?
  /// Which of the two descriptors its family is about; `nil` for both.
  public var end: TransferEnd?

  /// One of these values of an argument, as a C int.
  public struct Argument: Sendable, Hashable, Codable {
    /// The place, 0 … 5.
    public var index: Int
    /// The values.
    public var values: [Int32]
  }

  /// Creates a call.
  public init(
    name: String, port: Int64? = nil, flags: UInt64? = nil, clearFlags: UInt64? = nil
  ) {
    self.name = name
    self.port = port
    self.flags = flags
    self.clearFlags = clearFlags
  }

  /// Whether a call of that name is meant.
  func holds(for facts: inout some ChaosFacts) -> Bool {
    facts.attend(to: end)
    if let argument {
      let value = Int32(truncatingIfNeeded: facts.argument(argument.index))
      guard argument.values.contains(value) else { return false }
    }
    if flags != nil || clearFlags != nil {
      let word = facts.flags() ?? 0
      guard word & (flags ?? 0) == flags ?? 0, word & (clearFlags ?? 0) == 0 else { return false }
    }
    if let port, facts.port() != port { return false }
    if let paths { return facts.paths().contains { paths.contains($0) } }
    return true
  }
}

/// `where:`, checked.
public struct PlannedChaosConditions: Sendable, Hashable, Codable {
  /// A glob on the path.
  public var path: GlobPattern?
  /// What the descriptor leads to; empty is anything.
  public var kinds: [DescriptorKind] = []
  /// A glob on the host, in lower case.
  public var host: GlobPattern?
  /// The port.
  public var port: IntegerCondition?
  /// How many bytes the call is about.
  public var size: IntegerCondition?
  /// Where in the file.
  public var offset: IntegerCondition?
  /// Names of flags that must be set.
  public var flags: [String] = []
  /// Arguments by place.
  public var arguments: [PlannedArgument] = []
  /// A glob on the program's name, or on its path.
  public var program: GlobPattern?
  /// The process's number in the order of births, from 1.
  public var process: Int?
  /// A glob on the thread's name.
  public var thread: GlobPattern?
  /// A glob on the name of the file whose code makes the call, or on its path.
  public var caller: GlobPattern?
  /// Where the thread is in the tree: which child it is, counted from 0, of which of its makers; explorations
  /// find a call by it where threads or processes race.
  public var lineage: [UInt32]?

  /// A condition on an argument.
  public struct PlannedArgument: Sendable, Hashable, Codable {
    /// The place, 0 … 5.
    public var index: Int
    /// What must hold.
    public var condition: IntegerCondition
  }

  /// Creates conditions that hold always.
  public init() {}

  /// Whether nothing is asked.
  public var isEmpty: Bool { self == PlannedChaosConditions() }
}

/// `when:`, checked.
public struct PlannedChaosSchedule: Sendable, Hashable, Codable {
  /// How many pass first.
  public var after = 0
  /// Of those behind, each so-manieth.
  public var every: Int?
  /// Of those behind, these alone, counted from 1, in order.
  public var places: [Int] = []
  /// 0 … 1.
  public var probability: Double?
  /// How many are affected at most.
  public var times: Int?
  /// When it begins to hold.
  public var from: InstantExpression?
  /// When it ends to hold.
  public var until: InstantExpression?
  /// The step while which it holds.
  public var during: String?
  /// The reply behind which it holds.
  public var event: PlannedChaosEvent?

  /// Creates a schedule that takes all.
  public init() {}

  /// Whether more than the number of a call tells whether it is taken.
  var hasWindow: Bool { from != nil || until != nil || during != nil || event != nil }

  /// Whether all are taken.
  public var takesAll: Bool { self == PlannedChaosSchedule() }
}

/// Something after which an entry is due.
public struct PlannedChaosEvent: Sendable, Hashable, Codable {
  /// The name of an entry of `responses:`.
  public var reply: String
  /// Which reply of it, from 1.
  public var number: Int
}

/// `provide:`, checked.
public indirect enum PlannedProvider: Sendable, Hashable, Codable {
  /// The real call.
  case original
  /// This result, without the call.
  case result(Int64)
  /// This result and this errno, without the call: functions alone.
  case failure(Int64, ErrorNumber)
  /// This floating point number, without the call: functions alone.
  case fraction(Double)
  /// The address of this text, without the call: functions alone.
  case text(String)
  /// This error, without the call.
  case error(ErrorNumber)
  /// A result or arguments that are computed.
  case compute(PlannedComputation)
  /// What a program decides, before the call or behind it.
  case execute([String], isAfter: Bool)
  /// A number between two.
  case randomNumber(Int64, Int64)
  /// One of these errors; for each call its own where there are several lists.
  case randomError([String: [ErrorNumber]])
  /// One of the errors that the manual page of each call names, as far as what its descriptor leads to can
  /// meet them.
  case randomDocumented([String: [ErrorNumber]])
  /// A signal, before or behind what `then` gives.
  case signal(number: Int32, isAfter: Bool, then: PlannedProvider)
  /// The process ends with this code.
  case exit(Int32)
  /// The process is killed, or all of them.
  case kill(KillScope)
  /// One after the other; the last one stays.
  case sequence([PlannedProvider])
  /// The first that matches.
  case match([PlannedBranch], otherwise: PlannedProvider)
  /// Virtual time passes first.
  case delay(from: Nanoseconds, to: Nanoseconds, then: PlannedProvider)
  /// The call never ends.
  case hang
  /// Part of the transfer.
  case short(PartialAmount)
  /// Spoiled bytes.
  case corrupt(Corruption)
  /// Success is told, nothing is done.
  case lie
  /// What goes wrong on a link, in order.
  case link([LinkFault])
  /// What the entry's disk has.
  case disk(DiskFault)
  /// A crash that takes with it what was not made durable.
  case crash(PlannedCrash)
  /// The process stands still for so long.
  case stop(Nanoseconds)
  /// The target is killed, and started again after so long.
  case restart(Nanoseconds)
}

/// What is computed.
public struct PlannedComputation: Sendable, Hashable, Codable {
  /// The result; `nil` leaves the original's.
  public var result: ComputedNumber?
  /// Arguments that are replaced.
  public var arguments: [PlannedComputedArgument]
  /// What takes the place of each byte that is written, or was read.
  public var bytes: ComputedNumber?

  /// Whether the original call is made.
  public var callsThrough: Bool {
    !arguments.isEmpty || bytes != nil || result?.needsResult ?? true
  }
}

/// An argument that is computed.
public struct PlannedComputedArgument: Sendable, Hashable, Codable {
  /// The place, 0 … 5.
  public var index: Int
  /// The value.
  public var value: ComputedNumber
}

/// One entry of `match:`.
public struct PlannedBranch: Sendable, Hashable, Codable {
  /// Which calls.
  public var conditions: PlannedChaosConditions
  /// What they give.
  public var provider: PlannedProvider
}
