package import Foundations
package import Patterns
package import ScenarioModel

/// `explore:`, checked: which faults are tried, one run each.
package struct PlannedExploration: Sendable, Hashable, Codable {
  /// The errors that a call is made to fail with.
  package enum Errors: Sendable, Hashable, Codable {
    /// The errors that occur in practice.
    case practical
    /// The errors that the manual page of the call names.
    case documented
    /// These.
    case among([ErrorNumber])
  }

  /// Entries that see the calls and change nothing, in the order of `call:`; their names are the
  /// author's words.
  package var surveys: [PlannedChaos]
  /// The errors.
  package var errors: Errors
  /// The lengths of a fault.
  package var modes: [FaultMode]
  /// The kinds of faults.
  package var kinds: [FaultKind]
  /// The granularity, which decides the calls that are points of their own.
  package var grain: PointGranularity
  /// The largest number of runs.
  package var runLimit: Int?
  /// The longest real time for all of it.
  package var timeLimit: Nanoseconds?
  /// Subjects and programs whose calls are left alone.
  package var ignored: [GlobPattern]
  /// The virtual time that processes have to end once the target has.
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
  /// The place of the exploration in the file, or of the scenario.
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

  /// The default virtual time that processes have to end: rsync's children take 100 ms.
  package static let usualLeakGrace = Nanoseconds.seconds(10)

  /// The default points.
  package static let usualPoints = [
    "@alloc", "@open", "@read", "@write", "@sync", "@rename", "@remove", "@net", "@spawn",
  ]
}
