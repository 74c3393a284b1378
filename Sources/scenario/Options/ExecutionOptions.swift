internal import ArgumentParser
internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Options of execution: how many cases at once, in which order, how often, and how they end.
struct ExecutionOptions: ParsableArguments {
  /// The number of cases that run at once.
  enum Jobs: Equatable {
    /// The number of processors that may be used.
    case auto
    /// A fixed number.
    case count(Int)
  }

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Run at most this many scenarios at once; auto: one per available processor.",
      valueName: "count"), transform: Self.jobs)
  var jobs = Jobs.auto

  @OptionGroup var ordering: OrderOptions

  @Option(
    help: ArgumentHelp(
      "Set the timeout of scenarios that set none, in real time, such as 10s.", valueName: "time"),
    transform: Self.length)
  var timeout: Nanoseconds?

  @Option(
    help: ArgumentHelp(
      "Stop the run after this much real time; unfinished scenarios are reported as errors.",
      valueName: "time"), transform: Self.length)
  var globalTimeout: Nanoseconds?

  @Option(
    help: ArgumentHelp(
      "Kill processes that are still running this long after SIGTERM (default: 5s).",
      valueName: "time"), transform: Self.pause)
  var grace: Nanoseconds?

  @Option(
    help: ArgumentHelp(
      "Set how to handle processes that outlive the target: fail, warn or ignore.",
      valueName: "rule"),
    transform: { try Self.word($0) })
  var leak = LeakRule.warn

  @Option(
    help: ArgumentHelp(
      "Retry failed scenarios this many times, unless they set \"retries\".",
      valueName: "count"), transform: { try Self.count($0, in: 0...100) })
  var retries = 0

  @Flag(
    name: .customLong("fail-on-flaky"), help: "Exit with 1 if scenarios pass only after a retry."
  )
  var failsOnFlaky = false

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Run each scenario this many times, each time with the same seed.", valueName: "count"),
    transform: { try Self.count($0, in: 1...1_000_000) })
  var repetitions = 1

  @Flag(help: "Repeat all scenarios until one fails.")
  var untilFail = false

  @Flag(
    name: .customShort("x"), help: "Start no further scenarios after the first failure or error.")
  var stopsAtFailure = false

  @Option(
    help: ArgumentHelp(
      "Start no further scenarios after this many failures or errors (without a value: 1).",
      valueName: "count"),
    transform: { try Self.count($0, in: 1...1_000_000) })
  var failFast: Int?

  @Option(
    help: ArgumentHelp(
      "Keep the folders of scenarios: failed or all (without a value: failed).", valueName: "which"),
    transform: { try Self.word($0) })
  var keepWorkdir = KeptFolders.none

  @Option(
    help: ArgumentHelp(
      "Write each ptrace stop of the targets' threads to a file, for bug reports.",
      valueName: "file"))
  var trace: String?

  @Flag(help: "Succeed if nothing is selected.")
  var passWithNoTests = false

  func validate() throws {
    if untilFail, repetitions > 1 {
      throw ValidationError("--until-fail already repeats until a failure; leave --repeat out")
    }
  }

  /// The maximum number of jobs: more supervisors have no bell.
  static let jobLimit = 512

  static func jobs(_ text: String) throws -> Jobs {
    if text == "auto" { return .auto }
    guard let count = Int(text), (1...jobLimit).contains(count) else {
      throw ValidationError("\"\(text)\" is neither auto nor a number from 1 to \(jobLimit)")
    }
    return .count(count)
  }

  static func word<Word: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> Word {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\"\(text)\" is not one of \(words)")
    }
    return word
  }

  static func count(_ text: String, in range: ClosedRange<Int>) throws -> Int {
    guard let count = Int(text), range.contains(count) else {
      throw ValidationError(
        "\"\(text)\" is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return count
  }

  static func pause(_ text: String) throws -> Nanoseconds {
    guard let length = try? Nanoseconds(text: text), length >= .zero else {
      throw ValidationError("\"\(text)\" is not a duration; write one such as 5s or 500ms")
    }
    return length
  }

  static func length(_ text: String) throws -> Nanoseconds {
    guard let length = try? Nanoseconds(text: text), length > .zero else {
      throw ValidationError("\"\(text)\" is not a duration; write one such as 60s or 5m")
    }
    return length
  }

  /// Fills in what is said here.
  ///
  /// - Parameters:
  ///   - cases: what is run.
  ///   - seed: the seed that the command line names; without one, an order by chance draws its own.
  func apply(to options: inout RunOptions, of cases: [PlannedCase], seed: Int64?) {
    let begin = ordering.order(of: cases, seed: seed)
    options.order = begin.order
    options.earlierDuration = { [earlier = begin.earlier] in earlier[$0] }
    options.jobs =
      switch jobs {
      case .auto: min(ProcessorCount.available(), Self.jobLimit)
      case .count(let count): count
      }
    if let grace { options.grace = grace }
    options.leak = leak
    options.retries = retries
    options.kept = keepWorkdir
    options.repeatsUntilFailure = untilFail
    options.failureLimit = stopsAtFailure ? 1 : failFast
    if let replan = options.replan {
      // A repetition is planned as what it repeats, unless that is how the scenario itself is called.
      options.replan = { identifier, mutations in
        replan(identifier, mutations) ?? replan(PlannedCase.original(of: identifier), mutations)
      }
    }
  }

  /// Refuses a trace in a file that gets something else: they would destroy each other.
  ///
  /// - Throws: Exit code 2.
  func requireTrace(apartFrom reports: [String]) throws {
    guard let trace, reports.contains(where: { ReportPath($0) == ReportPath(trace) }) else {
      return
    }
    throw Refusal(
      "a report and --trace write to the same file \"\(trace)\"",
      help: "give --trace a path of its own"
    ).reported(.badArguments)
  }

  /// Opens the file that gets the stops of targets.
  ///
  /// - Throws: Exit code 3 if it cannot be written to.
  func applyTrace(to options: inout RunOptions) throws {
    guard let trace, let error = options.writeStops(to: trace) else { return }
    Console.report(Self.lost(trace, error))
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.undecided.rawValue)
  }

  /// The error of a trace that was not written.
  func traceLoss(of options: RunOptions) -> ReportError? {
    guard let trace, let error = options.stopLoss else { return nil }
    return Self.lost(trace, error)
  }

  private static func lost(_ trace: String, _ error: Int32) -> ReportError {
    ReportError(
      "\"\(trace)\" cannot be written: \(SystemText.error(error))", path: trace,
      help: "choose another path for --trace", errorNumber: error)
  }

  /// The options that may decide how a scenario ends, as words of a command line.
  var decisiveWords: [String] {
    (timeout.map { ["--timeout", $0.description] } ?? [])
      + (grace.map { ["--grace", $0.description] } ?? [])
      + (leak == .warn ? [] : ["--leak", leak.rawValue])
  }

  /// Returns the reason why the run does not succeed though nothing has failed; `nil` where there
  /// is none.
  func flakyReason(of counter: RunCounts) -> String? {
    guard failsOnFlaky, counter.flaky > 0, counter.exitCode == .passed else { return nil }
    let many = counter.flaky == 1 ? "1 scenario" : "\(counter.flaky) scenarios"
    return "\(many) passed only after a retry (--fail-on-flaky)"
  }

  /// The exit code of the run.
  func exitCode(of counter: RunCounts) -> ScenarioReport.ExitCode {
    switch counter.exitCode {
    case .passed where failsOnFlaky && counter.flaky > 0: .failed
    case .nothingSelected where passWithNoTests: .passed
    case let code: code
    }
  }
}

extension PlannedInput {
  /// The same with each case so often.
  func repeated(_ count: Int) -> PlannedInput {
    var input = self
    input.plan = plan.repeated(count)
    return input
  }
}
