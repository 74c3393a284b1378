package import Foundations
package import OrderedCollections
package import ScenarioModel

/// One scenario, ready to run.
package struct PlannedCase: Sendable, Hashable, Codable {
  /// `FILE::NAME`, unique within the plan.
  package var identifier: String
  /// The file it comes from.
  package var file: String
  /// The scenario's name; unique within the file.
  package var name: String
  /// The place of the scenario's beginning.
  package var range: SourceRange
  /// The last line that belongs to it.
  package var lastLine: Int
  /// Tags in file order.
  package var tags: [String]
  /// The seed that random values derive from.
  package var seed: Int64
  /// The source of the target's random numbers.
  package var entropy = EntropyMode.real
  /// The order in which the threads of the targets run; `nil` is the kernel's.
  package var order: ThreadOrder?
  /// The bound on the whole case, in real time.
  package var timeout: Nanoseconds
  /// The executable under test.
  package var target: PlannedTarget
  /// The clock; `nil` leaves time alone.
  package var clock: PlannedClock?
  /// The handling of changes of files outside of the case's folders; `nil` is a report.
  package var outsideFiles: OutsideRule?
  /// The network; `nil` closes it: nothing is answered, and nothing leaves the machine.
  package var network: PlannedNetwork?
  /// Chaos entries in order; the first that matches wins.
  package var chaos: [PlannedChaos]
  /// The steps; one `run` for a scenario without steps.
  package var steps: [PlannedStep]
  /// The conditions that must hold at the end.
  package var expect: [PlannedExpectation]
  /// The folder that paths of the file count from; `nil` is the file's own.
  package var folder: String?
  /// The faults that are tried; `nil` where no exploration is configured.
  package var exploration: PlannedExploration?
  /// The random changes of the data; `nil` where there are none.
  package var mutations: [PlannedMutation]?
  /// The row of the scenario's matrix that the case is.
  package var row: MatrixRow?
  /// True if another scenario of the file has its line in common with the first line of this one;
  /// `nil` if none does.
  package var sharesLine: Bool?
  /// The reason why the case is not run; `nil` if it is.
  package var skip: String?
  /// Other files that the file uses: what they bring need not be used up.
  package var usedFiles: [String]?
  /// The scenario's settings for its execution; `nil` if there are none.
  package var execution: PlannedExecution?
  /// The steps that run whatever happened; `nil` where there are none.
  package var always: [PlannedStep]?
  /// The other executables under test; `nil` where there is one.
  package var moreTargets: [PlannedTarget]?
  /// The date at which its clock begins, where the run and not the file has said so.
  package var date: WallInstant?
  /// The values of `vars:`; `nil` where there are none.
  package var variables: OrderedDictionary<String, Value>?
  /// The secrets that it asks for, each with its first place; `nil` where there are none.
  package var neededSecrets: [Located<String>]?
  /// The purpose, in the author's words.
  package var description: String?
  /// True if an expression asks where this machine reaches a target that is on no host; `nil` if none does.
  package var asksAddresses: Bool?
  /// The number of the repetition of a case, from 2; `nil` for the case itself.
  package var repetition: Int?

  /// Creates a case.
  package init(
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
package struct PlannedVariable: Sendable, Hashable, Codable {
  /// The variable's name.
  package var name: String
  /// Its value.
  package var value: PlannedText

  /// Creates a variable.
  package init(name: String, value: PlannedText) {
    self.name = name
    self.value = value
  }
}
