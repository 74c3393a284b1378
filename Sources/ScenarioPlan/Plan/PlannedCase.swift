public import ScenarioModel

/// One scenario, ready to run.
public struct PlannedCase: Sendable, Hashable, Codable {
  /// `FILE::NAME`, unique within the plan.
  public var identifier: String
  /// The file it comes from.
  public var file: String
  /// The scenario's name; unique within the file.
  public var name: String
  /// Where the scenario begins.
  public var range: SourceRange
  /// The last line that belongs to it.
  public var lastLine: Int
  /// Tags in file order.
  public var tags: [String]
  /// The seed that random values derive from.
  public var seed: Int64
  /// Where the target's random numbers come from.
  public var entropy = EntropyMode.real
  /// The bound on the whole case, in real time.
  public var timeout: Nanoseconds
  /// The executable under test.
  public var target: PlannedTarget
  /// The clock; `nil` leaves time alone.
  public var clock: PlannedClock?
  /// What becomes of changes of files outside of the case's folders; `nil` is a report.
  public var outsideFiles: OutsideRule?
  /// The network; `nil` closes it: nothing is answered, and nothing leaves the machine.
  public var network: PlannedNetwork?
  /// Chaos entries in order; the first that matches wins.
  public var chaos: [PlannedChaos]
  /// The steps; one `run` for a scenario without steps.
  public var steps: [PlannedStep]
  /// What must hold at the end.
  public var expect: [PlannedExpectation]
  /// The folder that paths of the file count from; `nil` is the file's own.
  public var folder: String?
  /// Which faults are tried; `nil` where nobody has asked.
  public var exploration: PlannedExploration?
  /// What is changed in the data, at random; `nil` where nothing is.
  public var mutations: [PlannedMutation]?
  /// The row of the scenario's matrix that the case is.
  public var row: MatrixRow?
  /// Whether another scenario of the file stands in the line in which this one begins; `nil` if none does.
  public var sharesLine: Bool?
  /// Why the case is not run; `nil` if it is.
  public var skip: String?
  /// Other files that the file uses: what they bring need not be used up.
  public var usedFiles: [String]?
  /// What the scenario says of how it is run; `nil` if nothing.
  public var execution: PlannedExecution?
  /// The steps that run whatever happened; `nil` where there are none.
  public var always: [PlannedStep]?
  /// The other executables under test; `nil` where there is one.
  public var moreTargets: [PlannedTarget]?
  /// Which repetition of a case it is, from 2; `nil` for the case itself.
  public var repetition: Int?

  /// Creates a case.
  public init(
    identifier: String, file: String, name: String, range: SourceRange, lastLine: Int,
    tags: [String], seed: Int64, timeout: Nanoseconds, target: PlannedTarget,
    clock: PlannedClock?, network: PlannedNetwork?, chaos: [PlannedChaos], steps: [PlannedStep],
    expect: [PlannedExpectation]
  ) {
    self.identifier = identifier
    self.file = file
    self.name = name
    self.range = range
    self.lastLine = lastLine
    self.tags = tags
    self.seed = seed
    self.timeout = timeout
    self.target = target
    self.clock = clock
    self.network = network
    self.chaos = chaos
    self.steps = steps
    self.expect = expect
  }
}

/// One environment variable.
public struct PlannedVariable: Sendable, Hashable, Codable {
  /// The variable's name.
  public var name: String
  /// Its value.
  public var value: PlannedText

  /// Creates a variable.
  public init(name: String, value: PlannedText) {
    self.name = name
    self.value = value
  }
}
