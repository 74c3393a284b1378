/// A fault that was tried in a run of its own, and what came of it.
package struct FaultTrial: Sendable, Hashable, Codable {
  /// Its place among the trials of the scenario, from 1.
  package var number: Int
  /// The call.
  package var call: String
  /// The number of the call among those that its point's entry has seen, from 1.
  package var occurrence: Int
  /// The path or the host that it is about.
  package var subject: String?
  /// The program that makes it.
  package var program: String
  /// The place of the code.
  package var site: String?
  /// The error's name, or `short`.
  package var fault: String
  /// `once` or `onwards`.
  package var mode: String
  /// The verdict.
  package var verdict: String
  /// The reasons, a line each.
  package var evidence: [String]
  /// The engine that has tried it: `fork` or `rerun`.
  package var engine: String

  /// Creates a trial.
  package init(
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

/// The account of the points of one scenario that was explored.
package struct ExplorationAccount: Sendable, Hashable, Codable {
  /// The points of one call.
  package struct Call: Sendable, Hashable, Codable {
    /// The call.
    package var name: String
    /// The number of points that a run without faults reaches.
    package var reached: Int
    /// The number of points at which a fault was injected.
    package var fired: Int
    /// The number of points that were not reached any more.
    package var unreached: Int
    /// The number of trials of its points by verdict.
    package var verdicts: [String: Int]

    /// Creates an account.
    package init(
      name: String, reached: Int, fired: Int, unreached: Int, verdicts: [String: Int]
    ) {
      self.name = name
      self.reached = reached
      self.fired = fired
      self.unreached = unreached
      self.verdicts = verdicts
    }
  }

  /// The seed of random values.
  package var seed: Int64
  /// The counts by call, in the order in which they are met first.
  package var calls: [Call]
  /// The number of trials.
  package var trials: Int
  /// The number of trials that were made, now or in an earlier run.
  package var tried: Int
  /// The number of runs that were made, baselines and confirmations with them.
  package var runs: Int
  /// The number of trials that were made by forks.
  package var forks: Int
  /// The number of distinct mistakes.
  package var findings: Int
  /// The differences between two runs without faults, which were not compared.
  package var unstable: [String]
  /// True if a virtual clock replaced the machine's.
  package var hasVirtualClock: Bool
  /// The command that goes on, where trials are left.
  package var continuation: String?

  /// Creates an account.
  package init(
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

  /// The number of points.
  package var reached: Int { calls.reduce(0) { $0 + $1.reached } }
  /// The number of points at which a fault was injected.
  package var fired: Int { calls.reduce(0) { $0 + $1.fired } }
  /// The number of points that were not reached any more.
  package var unreached: Int { calls.reduce(0) { $0 + $1.unreached } }
  /// The number of trials with a verdict.
  package func count(_ verdict: String) -> Int {
    calls.reduce(0) { $0 + ($1.verdicts[verdict] ?? 0) }
  }
}
