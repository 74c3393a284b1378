package import Foundations
package import ScenarioEvents

/// One run, as one report tells of it.
package struct ReportedRun: Sendable, Hashable {
  /// The name of the report.
  package var source: String
  /// The beginning of the run, as the report says it; `nil` where it does not.
  package var begin: WallInstant?
  /// What the run was labelled with, such as its commit.
  package var labels: [String: String] = [:]
  /// SHA-256 of the plan that was run; `nil` where the report does not say.
  package var planDigest: String?
  /// Real time that the run took; `nil` where the report does not say.
  package var duration: Nanoseconds?
  /// True if the run, or its report, was cut off before its end.
  package var isCutOff = false
  /// Its cases in the order of the report.
  package var cases: [ReportedCase] = []

  /// Creates a run without cases.
  package init(source: String) {
    self.source = source
  }
}

/// How a case ended in one run.
package struct ReportedCase: Sendable, Hashable {
  /// The file that it comes from, or the class that its report gives it.
  package var place: String
  /// Its name.
  package var name: String
  /// How it ended; `errored` where nothing could be decided.
  package var outcome: CaseResult.Outcome
  /// The number of attempts that failed before the one that decided.
  package var failedAttempts: Int
  /// Real time that it took; `nil` where the report does not say.
  package var duration: Nanoseconds?
  /// Virtual time that passed; `nil` where there was none, or the report does not say.
  package var virtualDuration: Nanoseconds?
  /// What was wrong, in one line; `nil` if nothing was.
  package var message: String?
  /// True if its run was cut off before it ended: that says nothing of the case.
  package var isCutOff = false
  /// What tells the same part of the same run in another report; `nil` where the report does not say enough.
  package var origin: String?

  /// Creates a case.
  package init(
    place: String, name: String, outcome: CaseResult.Outcome, failedAttempts: Int = 0,
    duration: Nanoseconds? = nil, virtualDuration: Nanoseconds? = nil, message: String? = nil
  ) {
    self.place = place
    self.name = name
    self.outcome = outcome
    self.failedAttempts = failedAttempts
    self.duration = duration
    self.virtualDuration = virtualDuration
    self.message = message
  }
}

extension ReportedCase {
  /// The name of the cases of one file in one run, which an event stream and a JUnit report of it both give.
  static func origin(
    planDigest: String, startedAt: String, shard: String, file: String
  ) -> String {
    [planDigest, startedAt, shard, file].joined(separator: "\n")
  }

  /// The name of the case itself where it is a repetition: `NAME` for `NAME #2`.
  static func original(of name: String, repetition: Int) -> String {
    let mark = " #\(repetition)"
    return name.hasSuffix(mark) ? String(name.dropLast(mark.count)) : name
  }
}
