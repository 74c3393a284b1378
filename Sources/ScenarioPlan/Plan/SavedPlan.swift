/// A plan in a file, with all that is needed to run exactly it later, on this machine or another.
///
/// It holds no values of environment variables: what `env.pass` lets through is looked up by each run.
public struct SavedPlan: Sendable, Hashable, Codable {
  /// The version of the format that this code writes and reads.
  public static let formatVersion = 1

  /// The format's version.
  public var version: Int
  /// The version of the runner that wrote it.
  public var runner: String
  /// The name of the content: SHA-256 of `digestedText`, in hexadecimal.
  public var digest: String
  /// What was asked for, beside the files.
  public var wishes: Wishes
  /// The files that it was made from, sorted by their paths.
  public var inputs: [PlanInput]
  /// Which shard runs which case; `nil` where that was not decided.
  public var shards: ShardAssignment?
  /// The cases in the order in which they run.
  public var cases: [PlannedCase]
  /// What no report shows; `nil` where nothing is secret.
  public var secrets: PlannedSecrets?

  /// What a command line says that a plan depends on; needed where a case is planned anew.
  public struct Wishes: Sendable, Hashable, Codable {
    /// The seed of every case; `nil` leaves the files'.
    public var seed: Int64?
    /// The mode of every network; `nil` leaves the files'.
    public var network: String?
    /// The folder that files may use others below.
    public var root: String?

    /// Creates wishes.
    public init(seed: Int64? = nil, network: String? = nil, root: String? = nil) {
      self.seed = seed
      self.network = network
      self.root = root
    }
  }

  /// Creates a saved plan that has no name yet.
  public init(
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
  public var plan: ExecutionPlan {
    var plan = ExecutionPlan(cases: cases)
    plan.secrets = secrets
    return plan
  }
}

/// A file that a plan was made from.
public struct PlanInput: Sendable, Hashable, Codable {
  /// Its path as it was read; a folder whose list of files counts ends with `/`, one whose list of scenario
  /// files counts with `/**/*.yaml`.
  public var path: String
  /// SHA-256 of its bytes, of a folder that of its sorted names, in hexadecimal; `nil` where nothing was.
  public var sha256: String?

  /// What a folder ends with whose list of scenario files counts.
  public static let scenarioFiles = "/**/*.yaml"

  /// Whether it says which cases there are, and nothing of what they do.
  public var isSelection: Bool { path.hasSuffix(Self.scenarioFiles) }

  /// Creates an input.
  public init(path: String, sha256: String?) {
    self.path = path
    self.sha256 = sha256
  }
}
