package import Foundations
package import Patterns
package import ScenarioModel

/// A chaos entry, ready to be asked.
package struct PlannedChaos: Sendable, Hashable, Codable {
  /// How steps and reports call it.
  package var name: String
  /// The system calls, families and groups opened up, in order, without repeats.
  package var calls: [PlannedCall]
  /// The functions; `nil` for an entry about system calls alone.
  package var functions: PlannedFunctions?
  /// The link; `nil` for an entry about calls.
  package var link: PlannedLink?
  /// The processes; `nil` for an entry about calls.
  package var processes: PlannedProcesses?
  /// Which of them.
  package var conditions: PlannedChaosConditions
  /// Which of those that match.
  package var schedule: PlannedChaosSchedule
  /// What they give instead.
  package var provider: PlannedProvider
  /// Whether it holds from the start.
  package var isApplied: Bool
  /// Where the author wrote it.
  package var range: SourceRange
  /// The files that the entry is about; `nil` for one about calls.
  package var disk: PlannedDisk?

  /// Creates an entry.
  package init(
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
package struct PlannedCall: Sendable, Hashable, Codable {
  /// The kernel's name.
  package var name: String
  /// The port that its group wants.
  package var port: Int64?
  /// Bits that its family or group wants among its flags.
  package var flags: UInt64?
  /// Bits that its family wants not among its flags.
  package var clearFlags: UInt64?
  /// The absolute paths that its group wants.
  package var paths: [String]?
  /// What its group wants of an argument.
  package var argument: Argument?
  /// Which of the two descriptors its family is about; `nil` for both.
  package var end: TransferEnd?

  /// One of these values of an argument, as a C int.
  package struct Argument: Sendable, Hashable, Codable {
    /// The place, 0 … 5.
    package var index: Int
    /// The values.
    package var values: [Int32]

    /// Creates a condition on an argument.
    package init(index: Int, values: [Int32]) {
      self.index = index
      self.values = values
    }
  }

  /// Creates a call.
  package init(
    name: String, port: Int64? = nil, flags: UInt64? = nil, clearFlags: UInt64? = nil
  ) {
    self.name = name
    self.port = port
    self.flags = flags
    self.clearFlags = clearFlags
  }

}

/// `where:`, checked.
package struct PlannedChaosConditions: Sendable, Hashable, Codable {
  /// A glob on the path.
  package var path: GlobPattern?
  /// What the descriptor leads to; empty is anything.
  package var kinds: [DescriptorKind] = []
  /// A glob on the host, in lower case.
  package var host: GlobPattern?
  /// The port.
  package var port: IntegerCondition?
  /// How many bytes the call is about.
  package var size: IntegerCondition?
  /// Where in the file.
  package var offset: IntegerCondition?
  /// Names of flags that must be set.
  package var flags: [String] = []
  /// Arguments by place.
  package var arguments: [PlannedArgument] = []
  /// A glob on the program's name, or on its path.
  package var program: GlobPattern?
  /// The process's number in the order of births, from 1.
  package var process: Int?
  /// A glob on the thread's name.
  package var thread: GlobPattern?
  /// A glob on the name of the file whose code makes the call, or on its path.
  package var caller: GlobPattern?
  /// Where the thread is in the tree: which child it is, counted from 0, of which of its makers; explorations
  /// find a call by it where threads or processes race.
  package var lineage: [UInt32]?

  /// A condition on an argument.
  package struct PlannedArgument: Sendable, Hashable, Codable {
    /// The place, 0 … 5.
    package var index: Int
    /// What must hold.
    package var condition: IntegerCondition

    /// Creates a condition on an argument.
    package init(index: Int, condition: IntegerCondition) {
      self.index = index
      self.condition = condition
    }
  }

  /// Creates conditions that hold always.
  package init() {}

  /// Whether nothing is asked.
  package var isEmpty: Bool { self == PlannedChaosConditions() }
}

/// `when:`, checked.
package struct PlannedChaosSchedule: Sendable, Hashable, Codable {
  /// How many pass first.
  package var after = 0
  /// Of those behind, each so-manieth.
  package var every: Int?
  /// Of those behind, these alone, counted from 1, in order.
  package var places: [Int] = []
  /// 0 … 1.
  package var probability: Double?
  /// How many are affected at most.
  package var times: Int?
  /// When it begins to hold.
  package var from: InstantExpression?
  /// When it ends to hold.
  package var until: InstantExpression?
  /// The step while which it holds.
  package var during: String?
  /// The reply behind which it holds.
  package var event: PlannedChaosEvent?

  /// Creates a schedule that takes all.
  package init() {}

  /// Whether more than the number of a call tells whether it is taken.
  package var hasWindow: Bool { from != nil || until != nil || during != nil || event != nil }

  /// Whether all are taken.
  package var takesAll: Bool { self == PlannedChaosSchedule() }
}

/// Something after which an entry is due.
package struct PlannedChaosEvent: Sendable, Hashable, Codable {
  /// The name of an entry of `responses:`.
  package var reply: String
  /// Which reply of it, from 1.
  package var number: Int

  /// Creates an event.
  package init(reply: String, number: Int) {
    self.reply = reply
    self.number = number
  }
}

/// `provide:`, checked.
package indirect enum PlannedProvider: Sendable, Hashable, Codable {
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
package struct PlannedComputation: Sendable, Hashable, Codable {
  /// The result; `nil` leaves the original's.
  package var result: ComputedNumber?
  /// Arguments that are replaced.
  package var arguments: [PlannedComputedArgument]
  /// What takes the place of each byte that is written, or was read.
  package var bytes: ComputedNumber?

  /// Creates a computation.
  package init(
    result: ComputedNumber? = nil, arguments: [PlannedComputedArgument],
    bytes: ComputedNumber? = nil
  ) {
    self.result = result
    self.arguments = arguments
    self.bytes = bytes
  }

  /// Whether the original call is made.
  package var callsThrough: Bool {
    !arguments.isEmpty || bytes != nil || result?.needsResult ?? true
  }
}

/// An argument that is computed.
package struct PlannedComputedArgument: Sendable, Hashable, Codable {
  /// The place, 0 … 5.
  package var index: Int
  /// The value.
  package var value: ComputedNumber

  /// Creates an argument.
  package init(index: Int, value: ComputedNumber) {
    self.index = index
    self.value = value
  }
}

/// One entry of `match:`.
package struct PlannedBranch: Sendable, Hashable, Codable {
  /// Which calls.
  package var conditions: PlannedChaosConditions
  /// What they give.
  package var provider: PlannedProvider

  /// Creates a branch.
  package init(conditions: PlannedChaosConditions, provider: PlannedProvider) {
    self.conditions = conditions
    self.provider = provider
  }
}
