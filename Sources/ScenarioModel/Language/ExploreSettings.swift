/// `explore:` which faults `scenario explore` tries, one run each.
public struct ExploreSettings: Sendable {
  /// Which errors a call is made to fail with.
  public enum Errors: Sendable {
    /// `practical`: those that occur in practice, the most telling first.
    case practical
    /// `documented`: those that the manual page of the call names.
    case documented
    /// These.
    case among([Located<String>])
  }

  /// `points:` calls, groups and functions; empty is a set that suits most programs.
  public var points: [FaultTarget] = []
  /// `where:` which of their calls.
  public var conditions: Located<ChaosConditions>?
  /// `errors:`.
  public var errors: Errors?
  /// `modes:`; empty is all of them.
  public var modes: [FaultMode] = []
  /// `faults:`; empty is errors alone.
  public var kinds: [FaultKind] = []
  /// `by:`.
  public var grain: PointGranularity?
  /// `budget: { runs: … }` how many runs are made at most.
  public var runLimit: Int?
  /// `budget: { time: … }` how long, in real time, new runs begin.
  public var timeLimit: Nanoseconds?
  /// `ignore:` globs of subjects and programs whose calls are left alone.
  public var ignored: [Located<String>] = []
  /// `leaks: { grace: … }` how much virtual time processes have to end once the target has.
  public var leakGrace: Nanoseconds?
  /// `leaks: { accept: … }` globs of files and programs that may be left behind.
  public var acceptedLeaks: [Located<String>] = []
  /// `startup:` whether calls by which programs prepare themselves are points as well.
  public var includesStartup: Bool?
  /// `then:` steps behind the faulted run, without faults, whose expectations must hold.
  public var then: [Step] = []
  /// `save:` the folder of what is found.
  public var save: Located<String>?
  /// Where the settings stand.
  public var range: SourceRange

  /// Creates settings that say nothing.
  public init(at range: SourceRange) {
    self.range = range
  }
}

/// How long a fault lasts.
public enum FaultMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// One call.
  case once
  /// That call and all behind it.
  case onwards
}

/// What goes wrong.
public enum FaultKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// The call fails.
  case error
  /// One byte is transferred.
  case short
}

/// Which calls are points of their own.
public enum PointGranularity: String, Sendable, Hashable, Codable, CaseIterable {
  /// Each call.
  case call
  /// The first call from each place of the code.
  case site
}
