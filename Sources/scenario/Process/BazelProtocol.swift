internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioEvents
internal import ScenarioReport

/// The protocol of `bazel test` and its tests: variables and files.
///
/// The Test Encyclopedia of Bazel says which; nothing is done elsewhere.
struct BazelProtocol {
  /// The variables that Bazel has set.
  private let variables: [String: String]

  /// Reads Bazel's variables.
  init(_ environment: [String: String]) {
    // Versions before 5 say nothing outright, but set these three for every test.
    let isOld = ["TEST_SRCDIR", "TEST_WORKSPACE", "TEST_TMPDIR"].allSatisfy {
      !(environment[$0] ?? "").isEmpty
    }
    variables = environment["BAZEL_TEST"] == "1" || isOld ? environment : [:]
  }

  private subscript(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The path at which Bazel expects the report.
  var report: String? { self["XML_OUTPUT_FILE"] }

  /// The longest real time for the run: somewhat less than TEST_TIMEOUT, behind which the test is
  /// killed, on some machines without SIGTERM before, and no report is left.
  var timeLimit: Nanoseconds? {
    guard let seconds = self["TEST_TIMEOUT"].flatMap({ Int64($0) }), seconds > 0 else {
      return nil
    }
    let whole = Nanoseconds.seconds(min(seconds, 1 << 30))
    return whole - Nanoseconds(min(whole.count / 20, 5_000_000_000))
  }

  /// True if nothing more is to begin once something did not pass: `--test_runner_fail_fast`.
  var stopsAtFailure: Bool { self["TESTBRIDGE_TEST_RUNNER_FAIL_FAST"] == "1" }

  /// The usual seed of random values; each of `--runs_per_test` has its own.
  var seed: Int64? { self["TEST_RANDOM_SEED"].flatMap { Int64($0) } }

  /// The folder for temporary folders.
  var temporaryFolder: String? { self["TEST_TMPDIR"] }

  /// The path of the stream of events that `scenario report merge` reads.
  func stream(of shard: ShardDescription?) -> String? {
    self["TEST_UNDECLARED_OUTPUTS_DIR"].map { folder in
      "\(folder)/scenario-\(shard.map { "\($0.index)-of-\($0.count)" } ?? "all").jsonl"
    }
  }

  /// The regular expression of `--test_filter`.
  var filter: RegularExpression? {
    self["TESTBRIDGE_TEST_ONLY"].map(RegularExpression.init)
  }

  /// Reports that this program supports shards, and that it has not come to its end yet.
  func begin() {
    for name in ["TEST_SHARD_STATUS_FILE", "GTEST_SHARD_STATUS_FILE"] {
      if let path = self[name] { Self.write("", to: path) }
    }
    if let path = self["TEST_PREMATURE_EXIT_FILE"] {
      Self.write("scenario exited prematurely\n", to: path)
    }
  }

  /// Reports how it ended.
  func end(_ code: ScenarioReport.ExitCode, warnings: [String]) {
    if let path = self["TEST_WARNINGS_OUTPUT_FILE"], !warnings.isEmpty {
      Self.write(warnings.map { TerminalText.line($0) + "\n" }.joined(), to: path)
    }
    if code == .undecided, let path = self["TEST_INFRASTRUCTURE_FAILURE_FILE"] {
      Self.write("scenario\nan error prevented a result: see the report\n", to: path)
    }
    if let path = self["TEST_PREMATURE_EXIT_FILE"] { unlink(path) }
  }

  /// Writes a file; a failure is ignored, as it is not worth a failed test.
  private static func write(_ text: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// Keeps the warnings of a run.
final class WarningRecorder: EventRecorder {
  /// The maximum number of warnings that are kept.
  private static let limit = 100

  private(set) var texts: [String] = []

  func record(_ event: Event) {
    guard case .warning(let text, _) = event.kind, texts.count < Self.limit else { return }
    texts.append(event.scenario.map { "\($0): \(text)" } ?? text)
  }

  func finish() throws(ReportError) {}
}
