package import ScenarioModel
package import ScenarioPlan

/// A plan in a file, with all that is needed to run exactly it later, on this machine or another.
///
/// It holds no values of environment variables: what `env.pass` lets through is looked up by each run.
package struct SavedPlan: Sendable, Hashable, Codable {
  /// The version of the format that this code writes and reads.
  package static let formatVersion = 1

  /// The format's version.
  package var version: Int
  /// The version of the runner that wrote it.
  package var runner: String
  /// The name of the content: SHA-256 of `digestedText`, in hexadecimal.
  package var digest: String
  /// The settings of the command line, besides the files.
  package var wishes: Wishes
  /// The files that it was made from, sorted by their paths.
  package var inputs: [PlanInput]
  /// The assignment of cases to shards; `nil` where that was not decided.
  package var shards: ShardAssignment?
  /// The cases in the order in which they run.
  package var cases: [PlannedCase]
  /// The secrets that no report shows; `nil` where there are none.
  package var secrets: PlannedSecrets?

  /// The settings of a command line that a plan depends on; needed where a case is planned anew.
  package struct Wishes: Sendable, Hashable, Codable {
    /// The seed of every case; `nil` leaves the files'.
    package var seed: Int64?
    /// The mode of every network; `nil` leaves the files'.
    package var network: String?
    /// The folder that files may use others below.
    package var root: String?
    /// The values given for `vars:` of the files that were read; `nil` where there are none.
    package var variables: VariableInputs?

    /// Creates settings.
    package init(
      seed: Int64? = nil, network: String? = nil, root: String? = nil,
      variables: VariableInputs? = nil
    ) {
      self.seed = seed
      self.network = network
      self.root = root
      self.variables = variables
    }

    /// The values for `vars:` where a case is planned anew.
    package var inputs: VariableInputs { variables ?? VariableInputs() }
  }

  /// Creates a saved plan that has no name yet.
  package init(
    runner: String, wishes: Wishes, inputs: [PlanInput], shards: ShardAssignment? = nil,
    cases: [PlannedCase], secrets: PlannedSecrets? = nil
  ) {
    self.secrets = secrets
    version = Self.formatVersion
    self.runner = runner
    digest = ""
    self.wishes = wishes
    self.inputs = inputs
    self.shards = shards
    self.cases = cases
  }

  /// The plan itself.
  package var plan: ExecutionPlan {
    var plan = ExecutionPlan(cases: cases)
    plan.secrets = secrets
    return plan
  }
}

/// A file that a plan was made from.
package struct PlanInput: Sendable, Hashable, Codable {
  /// Its path as it was read; a folder whose list of files counts ends with `/`, one whose list of scenario
  /// files counts with `/**/*.yaml`.
  package var path: String
  /// SHA-256 of its bytes, of a folder that of its sorted names, in hexadecimal; `nil` where nothing was.
  package var sha256: String?

  /// The suffix of a folder whose list of scenario files counts.
  package static let scenarioFiles = "/**/*.yaml"

  /// True if it says which cases there are, and nothing of what they do.
  package var isSelection: Bool { path.hasSuffix(Self.scenarioFiles) }

  /// Creates an input.
  package init(path: String, sha256: String?) {
    self.path = path
    self.sha256 = sha256
  }
}
