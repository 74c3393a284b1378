/// A fault that was tried in a run of its own, and what came of it.
public struct FaultTrial: Sendable, Hashable, Codable {
  /// Its place among the trials of the scenario, from 1.
  public var number: Int
  /// The call.
  public var call: String
  /// Which of the calls that its point's entry has seen, from 1.
  public var occurrence: Int
  /// The path or the host that it is about.
  public var subject: String?
  /// The program that makes it.
  public var program: String
  /// The place of the code.
  public var site: String?
  /// The error's name, or `short`.
  public var fault: String
  /// `once` or `onwards`.
  public var mode: String
  /// The verdict.
  public var verdict: String
  /// Why, a line each.
  public var evidence: [String]
  /// Who has tried it: `fork` or `rerun`.
  public var engine: String

  /// Creates a trial.
  public init(
    number: Int, call: String, occurrence: Int, subject: String?, program: String, site: String?,
    fault: String, mode: String, verdict: String, evidence: [String], engine: String
  ) {
    self.number = number
    self.call = call
    self.occurrence = occurrence
    self.subject = subject
    self.program = program
    self.site = site
    self.fault = fault
    self.mode = mode
    self.verdict = verdict
    self.evidence = evidence
    self.engine = engine
  }
}

/// What became of the points of one scenario that was explored.
public struct ExplorationAccount: Sendable, Hashable, Codable {
  /// The points of one call.
  public struct Call: Sendable, Hashable, Codable {
    /// The call.
    public var name: String
    /// How many points a run without faults reaches.
    public var reached: Int
    /// At how many a fault was injected.
    public var fired: Int
    /// How many were not reached any more when it was to be.
    public var unreached: Int
    /// How many trials of its points ended with each verdict.
    public var verdicts: [String: Int]

    /// Creates an account.
    public init(
      name: String, reached: Int, fired: Int, unreached: Int, verdicts: [String: Int]
    ) {
      self.name = name
      self.reached = reached
      self.fired = fired
      self.unreached = unreached
      self.verdicts = verdicts
    }
  }

  /// What random values derive from.
  public var seed: Int64
  /// By call, in the order in which they are met first.
  public var calls: [Call]
  /// How many trials there are.
  public var trials: Int
  /// How many of them were made, now or in an earlier run.
  public var tried: Int
  /// How many runs were made, baselines and confirmations with them.
  public var runs: Int
  /// How many trials were made by forks.
  public var forks: Int
  /// How many distinct mistakes there are.
  public var findings: Int
  /// What differs between two runs without faults, and was not compared.
  public var unstable: [String]
  /// Whether a virtual clock stood in for the machine's.
  public var hasVirtualClock: Bool
  /// How to go on, where trials are left.
  public var continuation: String?

  /// Creates an account.
  public init(
    seed: Int64, calls: [Call], trials: Int, tried: Int, runs: Int, forks: Int, findings: Int,
    unstable: [String], hasVirtualClock: Bool, continuation: String?
  ) {
    self.seed = seed
    self.calls = calls
    self.trials = trials
    self.tried = tried
    self.runs = runs
    self.forks = forks
    self.findings = findings
    self.unstable = unstable
    self.hasVirtualClock = hasVirtualClock
    self.continuation = continuation
  }

  /// How many points there are.
  public var reached: Int { calls.reduce(0) { $0 + $1.reached } }
  /// At how many a fault was injected.
  public var fired: Int { calls.reduce(0) { $0 + $1.fired } }
  /// How many were not reached any more.
  public var unreached: Int { calls.reduce(0) { $0 + $1.unreached } }
  /// How many trials ended with a verdict.
  public func count(_ verdict: String) -> Int {
    calls.reduce(0) { $0 + ($1.verdicts[verdict] ?? 0) }
  }
}
