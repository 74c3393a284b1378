import Foundations
import ScenarioEvents
import ScenarioReport

/// Builds the events of a run, a case at a time.
struct SampleRun {
  private(set) var events: [Event] = []
  private var now = Nanoseconds.zero

  init(caseCount: Int = 1, hostname: String = "ci-1") {
    let description = RunDescription(
      version: "1.0.0", planDigest: "ab12", caseCount: caseCount,
      startedAt: WallInstant(seconds: 1_767_323_045), hostname: hostname)
    append(.runStarted(description))
  }

  /// A case with its result; without an outcome it never ends.
  mutating func addCase(
    _ name: String, file: String = "scenarios/login.yaml", line: Int = 3,
    outcome: CaseResult.Outcome? = .passed, failures: [Failure] = [], warnings: [String] = [],
    virtual: Nanoseconds? = nil, output: String = "", errorOutput: String = "",
    directory: String? = nil, attachments: [String]? = nil, captures: [(String, String)] = [],
    seed: Int64 = 42, index: Int = 0
  ) {
    let identifier = "\(file)::\(name)::\(events.count)"
    let range = SourceRange(file: file, line: line, column: 5, length: 4)
    let description = CaseDescription(
      file: file, name: name, range: range, tags: [], seed: seed, index: index)
    append(.caseStarted(description), scenario: identifier)
    for (name, value) in captures {
      append(.captured(CapturedText(name: name, value: value)), scenario: identifier)
    }
    for warning in warnings { append(.warning(warning, range: range), scenario: identifier) }
    for failure in failures { append(.failed(failure), scenario: identifier) }
    now += .milliseconds(31)
    guard let outcome else { return }
    var result = CaseResult(
      outcome: outcome, duration: .milliseconds(31), virtualDuration: virtual,
      standardOutput: output, standardError: errorOutput, directory: directory)
    result.attachments = attachments?.map { Attachment(kind: .file, path: $0) }
    append(.caseFinished(result), scenario: identifier)
  }

  /// A case that takes several attempts; each but the last fails with the failures of its place.
  mutating func addRetriedCase(
    _ name: String, file: String = "scenarios/login.yaml", attempts: [[Failure]],
    outputs: [String], index: Int = 0
  ) {
    let identifier = "\(file)::\(name)::\(events.count)"
    let range = SourceRange(file: file, line: 3, column: 5, length: 4)
    for (number, failures) in attempts.enumerated() {
      var description = CaseDescription(
        file: file, name: name, range: range, tags: [], seed: 42, index: index)
      description.attempt = number + 1
      append(.caseStarted(description), scenario: identifier)
      for failure in failures { append(.failed(failure), scenario: identifier) }
      now += .milliseconds(31)
      let isFailed = failures.contains { $0.category == .expectation }
      var result = CaseResult(
        outcome: failures.isEmpty ? .passed : isFailed ? .failed : .errored,
        duration: .milliseconds(31), virtualDuration: nil, standardOutput: outputs[number],
        standardError: "", directory: nil)
      result.isRetried = number + 1 < attempts.count
      append(.caseFinished(result), scenario: identifier)
    }
  }

  /// A case that fails once and then passes.
  mutating func addFlakyCase(_ name: String, output: String, index: Int = 0) {
    addRetriedCase(
      name, attempts: [[.wrongOutput], []], outputs: [output, output], index: index)
  }

  mutating func end(interrupted: Bool = false) {
    append(.runFinished(RunResult(duration: now, interrupted: interrupted)))
  }

  /// The same run, but that every case passes.
  func passing() -> SampleRun {
    var run = self
    run.events = events.compactMap { event in
      if case .failed = event.kind { return nil }
      guard case .caseFinished(let result) = event.kind else { return event }
      var event = event
      event.kind = .caseFinished(
        CaseResult(
          outcome: .passed, duration: result.duration, virtualDuration: result.virtualDuration,
          standardOutput: result.standardOutput, standardError: result.standardError,
          directory: nil))
      return event
    }
    return run
  }

  /// Takes the latest event away again.
  mutating func removeLast() -> Event {
    events.removeLast()
  }

  mutating func append(_ kind: Event.Kind, scenario: String? = nil, process: Int32? = nil) {
    events.append(Event(realTime: now, scenario: scenario, process: process, kind: kind))
  }

  /// An event with its own times.
  mutating func append(_ event: Event) {
    events.append(event)
  }

  /// Feeds a recorder and completes its report.
  func play(to recorder: any EventRecorder) throws {
    for event in events { recorder.record(event) }
    try recorder.finish()
  }

  /// The exit code that the run gives.
  var counter: RunCounts {
    var counter = RunCounts()
    for event in events { counter.record(event) }
    return counter
  }
}

extension Failure {
  /// A false expectation at line 14 of the sample file.
  static let wrongOutput = Failure(
    category: .expectation, type: "expect.stdout",
    message: "stdout: expected to contain \"welcome, ada\"",
    range: SourceRange(file: "scenarios/login.yaml", line: 14, column: 15, length: 7),
    actual: "actual: \"welcome, bob\"", details: ["--- expected", "+++ actual"],
    help: "correct the greeting")

  /// Something that could not be decided.
  static let notReady = Failure(
    category: .error, type: "Timeout", message: "the scenario took longer than 10s",
    range: SourceRange(file: "scenarios/login.yaml", line: 5, column: 3))
}
