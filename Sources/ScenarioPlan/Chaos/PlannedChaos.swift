package import Foundations
package import ScenarioModel

/// A chaos entry, ready to be asked.
package struct PlannedChaos: Sendable, Hashable {
  /// The name of the entry in steps and reports.
  package var name: String
  /// The target of the entry.
  package var target: PlannedFaultTarget
  /// The conditions on it.
  package var conditions: ChaosConditions
  /// The schedule, which selects some of those that match.
  package var schedule: ChaosSchedule
  /// The call before which the entry takes none; `nil` for no such call.
  ///
  /// Explorations set it; no file can.
  package var beginning: Beginning?
  /// The action in their place.
  package var provider: PlannedProvider
  /// True if it holds from the start.
  package var isApplied: Bool
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates an entry.
  package init(
    name: String, target: PlannedFaultTarget,
    conditions: ChaosConditions = ChaosConditions(),
    schedule: ChaosSchedule = ChaosSchedule(), provider: PlannedProvider,
    isApplied: Bool = true, range: SourceRange
  ) {
    self.name = name
    self.target = target
    self.conditions = conditions
    self.schedule = schedule
    self.provider = provider
    self.isApplied = isApplied
    self.range = range
  }

  /// A call by the thread that makes it, which is the same one in each run where threads race.
  package struct Beginning: Sendable, Hashable {
    /// The position of the thread in the tree, as `FaultPoint` has it.
    package var lineage: [UInt32]
    /// The number of the call among those of its thread that match the entry, from 1.
    package var rank: Int

    /// Creates a call.
    package init(lineage: [UInt32], rank: Int) {
      self.lineage = lineage
      self.rank = rank
    }
  }

  /// The system calls by which it is met, families and groups opened up, in order, without repeats.
  package var calls: [PlannedCall] { target.calls }
  /// The functions that it names, or that belong to its calls.
  package var functions: PlannedFunctions? { target.functions }
}

/// The target of an entry.
package enum PlannedFaultTarget: Sendable, Hashable {
  /// System calls, with functions that are counted among them, as `@alloc` has both.
  case calls([PlannedCall], with: PlannedFunctions? = nil)
  /// Functions.
  case functions(PlannedFunctions)
  /// Connections, or questions for a name.
  case link(PlannedLink)
  /// The files of a disk, with the calls that use it.
  case disk(PlannedDisk, calls: [PlannedCall])
  /// Processes.
  case processes(PlannedProcesses)

  /// The kind of target.
  package var kind: FaultTarget.Kind {
    switch self {
    case .calls: .calls
    case .functions: .functions
    case .link: .link
    case .disk: .disk
    case .processes: .processes
    }
  }

  /// The system calls by which it is met.
  package var calls: [PlannedCall] {
    switch self {
    case .calls(let calls, _), .disk(_, let calls): calls
    case .functions, .link, .processes: []
    }
  }

  /// The functions that it names, or that belong to its calls.
  package var functions: PlannedFunctions? {
    switch self {
    case .calls(_, let functions): functions
    case .functions(let functions): functions
    case .link, .disk, .processes: nil
    }
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
  /// The condition of its group on an argument.
  package var argument: Argument?
  /// The end of the two descriptors that its family is about; `nil` for both.
  package var end: TransferEnd?

  /// The values of an argument, as a C int, of which one must be met.
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
  /// The decision of a program, before the call or behind it.
  case execute([String], isAfter: Bool)
  /// A number between two.
  case randomNumber(Int64, Int64)
  /// A random one of these errors; for each call its own where there are several lists.
  case randomError([String: [ErrorNumber]])
  /// A random one of the errors that the manual page of each call names, as far as the object of
  /// its descriptor can meet them.
  case randomDocumented([String: [ErrorNumber]])
  /// A signal, before or behind what `then` gives.
  case signal(number: Int32, isAfter: Bool, then: PlannedProvider)
  /// The process ends with this code.
  case exit(Int32)
  /// The process is killed, or all of them.
  case kill(KillScope)
  /// Providers one after the other; the last one stays.
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
  /// Reports success without making the call.
  case lie
  /// The faults of a link, in order.
  case link([LinkFault])
  /// The fault of the entry's disk.
  case disk(DiskFault)
  /// A crash that takes with it what was not made durable.
  case crash(PlannedCrash)
  /// Stops the process for so long.
  case stop(Nanoseconds)
  /// The target is killed, and started again after so long.
  case restart(Nanoseconds)
}

/// The values that are computed.
package struct PlannedComputation: Sendable, Hashable, Codable {
  /// The result; `nil` leaves the original's.
  package var result: ComputedNumber?
  /// Arguments that are replaced.
  package var arguments: [PlannedComputedArgument]
  /// The value for each byte that is written, or was read.
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

  /// True if the original call is made.
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
  /// The conditions on the calls.
  package var conditions: ChaosConditions
  /// The action for the calls.
  package var provider: PlannedProvider

  /// Creates a branch.
  package init(conditions: ChaosConditions, provider: PlannedProvider) {
    self.conditions = conditions
    self.provider = provider
  }
}
