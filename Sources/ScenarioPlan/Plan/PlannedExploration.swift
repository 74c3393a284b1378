package import Foundations
package import Patterns
package import ScenarioModel

/// `explore:`, checked: which faults are tried, one run each.
package struct PlannedExploration: Sendable, Hashable, Codable {
  /// Which errors a call is made to fail with.
  package enum Errors: Sendable, Hashable, Codable {
    /// Those that occur in practice.
    case practical
    /// Those that the manual page of the call names.
    case documented
    /// These.
    case among([ErrorNumber])
  }

  /// Entries that see the calls and change nothing, in the order of `points:`; their names are the
  /// author's words.
  package var surveys: [PlannedChaos]
  /// Which errors.
  package var errors: Errors
  /// How long a fault lasts.
  package var modes: [FaultMode]
  /// What goes wrong.
  package var kinds: [FaultKind]
  /// Which calls are points of their own.
  package var grain: PointGranularity
  /// How many runs are made at most.
  package var runLimit: Int?
  /// How long all of it may take in real time.
  package var timeLimit: Nanoseconds?
  /// Subjects and programs whose calls are left alone.
  package var ignored: [GlobPattern]
  /// How much virtual time processes have to end once the target has.
  package var leakGrace = Self.usualLeakGrace
  /// Files, by their paths from the case's folders, and programs that may be left behind.
  package var acceptedLeaks: [GlobPattern] = []
  /// True if calls by which programs prepare themselves are points as well.
  package var includesStartup = false
  /// Steps behind the faulted run, whose expectations must hold.
  package var then: [PlannedStep]
  /// The folder of what is found.
  package var folder: String
  /// True if the author has said which calls: that none of them is made is a mistake then.
  package var isExplicit = false
  /// Where the author wrote it, or the scenario.
  package var range: SourceRange

  /// Creates an exploration.
  package init(
    surveys: [PlannedChaos], errors: Errors = .practical, modes: [FaultMode] = FaultMode.allCases,
    kinds: [FaultKind] = [.error], grain: PointGranularity = .call, runLimit: Int? = nil,
    timeLimit: Nanoseconds? = nil, ignored: [GlobPattern] = [], then: [PlannedStep] = [],
    folder: String, range: SourceRange
  ) {
    self.surveys = surveys
    self.errors = errors
    self.modes = modes
    self.kinds = kinds
    self.grain = grain
    self.runLimit = runLimit
    self.timeLimit = timeLimit
    self.ignored = ignored
    self.then = then
    self.folder = folder
    self.range = range
  }

  /// How much virtual time processes have to end where nobody says it: rsync's children take 100 ms.
  package static let usualLeakGrace = Nanoseconds.seconds(10)

  /// What is tried where nobody says which points.
  package static let usualPoints = [
    "@alloc", "@open", "@read", "@write", "@sync", "@rename", "@remove", "@net", "@spawn",
  ]
}
