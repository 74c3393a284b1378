package import Foundations
package import Patterns
package import ScenarioModel

/// One condition, ready to be checked.
package struct PlannedExpectation: Sendable, Hashable, Codable {
  /// The condition.
  package enum Subject: Sendable, Hashable, Codable {
    /// The exit code.
    case exit(PlannedMatcher)
    /// The signal that ended the target, by its name without SIG.
    case signal(String)
    /// Standard output.
    case standardOutput(PlannedMatcher)
    /// Standard error.
    case standardError(PlannedMatcher)
    /// The picture on the terminal.
    case screen(PlannedMatcher)
    /// The target says that it lives, with no longer silence than that.
    case watchdog(within: Nanoseconds)
    /// No file matches.
    case fileAbsent(GlobPattern)
    /// At least one file matches.
    case fileExists(GlobPattern)
    /// Every matching file, and at least one, satisfies the matcher.
    indirect case file(GlobPattern, PlannedMatcher)
    /// Every file that matches, and at least one, has these properties.
    indirect case fileProperties(GlobPattern, PlannedFileProperties)
    /// A whole folder.
    indirect case tree(PlannedTree)
    /// Requests that the mock server received.
    indirect case request(PlannedRequestLine, count: PlannedMatcher?, intervals: [PlannedMatcher]?)
    /// Requests that come one behind the other; others may come between them.
    case requestOrder([PlannedRequestLine])
    /// The value of a name in the case's state.
    case state(name: String, PlannedMatcher)
    /// The number of times that a chaos entry fired, or matched.
    case chaos(entry: String, ChaosCount, PlannedMatcher)
    /// The waits that the target asked for.
    indirect case timers(PlannedTimers)
    /// The virtual time since the start.
    case elapsed(PlannedMatcher)
    /// The time on the wall clock.
    case clock(ClockCondition)
    /// The number of processes that live, or have crashed.
    case processes(ProcessCount, PlannedMatcher)
    /// These conditions hold, or the target has reported that it failed.
    indirect case tolerated([PlannedExpectation])
    /// These hold once, or all the time.
    indirect case repeated(RepeatedCheck, [PlannedExpectation])
  }

  /// The condition.
  package var subject: Subject
  /// The place in the scenario file.
  package var range: SourceRange
  /// The index of the target that it is about; `nil` is the first.
  package var target: Int?

  /// Creates a condition.
  package init(_ subject: Subject, at range: SourceRange) {
    self.subject = subject
    self.range = range
  }
}

/// The line by which a request is recognized.
package struct PlannedRequestLine: Sendable, Hashable, Codable {
  /// The methods; `nil` is any.
  package var methods: [String]?
  /// The URL; `nil` is any.
  package var url: URLPattern?
  /// The text in messages: the line as written.
  package var text: String
  /// The further conditions; `nil` is none.
  package var pattern: PlannedRequest?

  /// Creates a line.
  package init(
    methods: [String]?, url: URLPattern?, text: String, pattern: PlannedRequest? = nil
  ) {
    self.methods = methods
    self.url = url
    self.text = text
    self.pattern = pattern
  }
}
