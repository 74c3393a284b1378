package import Foundations

/// `explore:` which faults `scenario explore` tries, one run each.
package struct ExploreSettings: Sendable {
  /// The errors that a call is made to fail with.
  package enum Errors: Sendable {
    /// `practical`: those that occur in practice, the most telling first.
    case practical
    /// `documented`: those that the manual page of the call names.
    case documented
    /// These.
    case among([Located<String>])
  }

  /// `call:` calls, groups and functions; empty is a set that suits most programs.
  package var points: [FaultTarget] = []
  /// `where:` which of their calls.
  package var conditions: Located<WrittenConditions>?
  /// `errors:`.
  package var errors: Errors?
  /// `times:`; empty is all of them.
  package var modes: [FaultMode] = []
  /// `provide:`; empty is errors alone.
  package var kinds: [FaultKind] = []
  /// `each:`.
  package var grain: PointGranularity?
  /// `budget: { runs: … }` how many runs are made at most.
  package var runLimit: Int?
  /// `budget: { timeout: … }` how long, in real time, new runs begin.
  package var timeLimit: Nanoseconds?
  /// `ignore:` globs of subjects and programs whose calls are left alone.
  package var ignored: [Located<String>] = []
  /// `leaks: { grace: … }` how much virtual time processes have to end once the target has.
  package var leakGrace: Nanoseconds?
  /// `leaks: { ignore: … }` globs of files and programs that may be left behind.
  package var acceptedLeaks: [Located<String>] = []
  /// `startup:` whether calls by which programs prepare themselves are points as well.
  package var includesStartup: Bool?
  /// `steps:` steps behind the faulted run, without faults, whose expectations must hold.
  package var then: [Step] = []
  /// `folder:` the folder of what is found.
  package var save: Located<String>?
  /// The place of the settings.
  package var range: SourceRange

  /// Creates settings that say nothing.
  package init(at range: SourceRange) {
    self.range = range
  }
}

/// The length of a fault.
package enum FaultMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// The one call.
  case once
  /// The call and all behind it.
  case onwards
}

/// The kind of a fault.
package enum FaultKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// The call fails.
  case error
  /// Transfers only one byte.
  case short
}

/// The granularity, which decides the calls that are points of their own.
package enum PointGranularity: String, Sendable, Hashable, Codable, CaseIterable {
  /// Each call by itself.
  case call
  /// The first call from each place of the code.
  case site
}
