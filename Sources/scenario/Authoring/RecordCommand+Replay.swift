internal import ArgumentParser
internal import Foundations
internal import ScenarioEvents
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax
internal import ScenarioTools

extension RecordCommand {
  private static let shownDifferences = 10
  /// The number of replays that are compared where they are not all the same.
  private static let samples = 3

  /// Replays what was recorded, loosens what is not the same, and writes the scenario.
  func replay(
    _ original: RecordedTemplate, _ recorded: RecordedCommand, _ notes: [String],
    _ cancellation: RunCancellation
  ) throws {
    var template = original
    var notes = notes
    let secrets = recorded.secrets
    var again = try Self.rerun(template, recorded, cancellation)
    var differences = recorded.differences(from: again)
    // Who lists a folder seldom minds what else is in it; who does, does otherwise without it.
    if !differences.isEmpty || !again.failures.isEmpty, !cancellation.isCancelled,
      let fixtures = recorded.addingNames(to: template.fixtures)
    {
      var fuller = template
      fuller.fixtures = fixtures
      let other = try Self.rerun(fuller, recorded, cancellation)
      let otherDifferences = recorded.differences(from: other)
      if (other.failures.count, otherDifferences.lines) < (again.failures.count, differences.lines)
      {
        (template, again, differences) = (fuller, other, otherDifferences)
      }
    }
    if let failure = again.failures.first {
      let path = try Self.write(template, recorded, notes)
      guard !cancellation.isCancelled else { return }
      throw Self.unreplayed(failure, path, secrets)
    }
    var runs = [again]
    // Threads that write in turn may have done so in the same order by chance.
    if recorded.seen.isConcurrent, !cancellation.isCancelled {
      let busy = try Self.rerun(template, recorded, cancellation, isUnderLoad: true)
      if busy.failures.isEmpty {
        runs.append(busy)
        if differences.isEmpty { differences = recorded.differences(from: busy) }
      }
    }
    // What differs may be the same by chance: of two random bytes, each 256th pair is.
    while !differences.isEmpty, runs.count < Self.samples, !cancellation.isCancelled {
      runs.append(try Self.rerun(template, recorded, cancellation))
    }
    notes += recorded.fill(&template, again: runs)
    var failures: [Failure] = []
    // Expectations on time are worth having, but not at the price of the others.
    for attempt in 0..<2 {
      failures = try Self.rerun(template, recorded, cancellation, isJudged: true).failures
      let isAboutTime = failures.allSatisfy {
        ["expect.timers", "expect.duration"].contains($0.type)
      }
      guard attempt == 0, !failures.isEmpty, isAboutTime else { break }
      template.waits = nil
      template.elapsed = nil
      notes.append("the waits differ from run to run; the scenario does not expect them")
    }
    let path = try Self.write(template, recorded, notes)
    guard !cancellation.isCancelled else { return }
    for difference in differences.prefix(Self.shownDifferences) {
      Console.report("replayed: \(TerminalText.line(difference.text))\n")
    }
    if let failure = failures.first { throw Self.unreplayed(failure, path, secrets) }
    guard differences.isEmpty || loosen else {
      let more = differences.count - Self.shownDifferences
      throw Console.refusal(
        .undecided,
        "the replay differs from the recorded run"
          + (more > 0 ? " (\(more) more differences)" : ""),
        help: "\(TerminalText.line(path)) passes, because it expects only what did not differ;"
          + " add --loosen to count that as a success", .badExpectation)
    }
    try Console.print("passed: scenario run \(ShellWord.quoted(path))\n")
  }

  /// Replays a command that was interrupted, and writes its scenario, which sends the signal, too.
  func finishInterrupted(
    _ original: RecordedTemplate, _ recorded: RecordedCommand, _ notes: [String]
  ) throws {
    var template = original
    guard let interruption = recorded.seen.interruption, interruption.wasHeeded else {
      if recorded.seen.failures.contains(where: { $0.type == "Interrupted" }) {
        template.ending = nil
      }
      _ = try Self.write(
        template, recorded, notes + ["the recording was interrupted and was not replayed"])
      return
    }
    template.interruption = RecordedTemplate.Interruption(interruption)
    do {
      // One more signal ends this at once.
      try replay(template, recorded, notes, RunCancellation())
    } catch is ArgumentParser.ExitCode {
      // What there is to tell has been reported; that it was interrupted is what the exit code says.
    }
  }

  private static func rerun(
    _ template: RecordedTemplate, _ recorded: RecordedCommand, _ cancellation: RunCancellation,
    isJudged: Bool = false, isUnderLoad: Bool = false
  ) throws -> WatchedRun.Seen {
    var run = WatchedRun(
      try plan(template.text, recorded.place), options: runOptions(recorded.secrets))
    run.wanted = recorded.changedPaths
    run.isJudged = isJudged
    // The real run had its HOME in the usual place.
    run.isElsewhere = !isJudged
    run.isUnderLoad = isUnderLoad
    return run.run(cancellation)
  }

  // MARK: - What there is to tell

  /// Reports where a replay does not hold what the file says.
  static func unreplayed(
    _ failure: Failure, _ path: String, _ secrets: RecordedSecrets
  ) -> ArgumentParser.ExitCode {
    let why = [failure.message] + (failure.actual.map { ["it was \($0)"] } ?? [])
    return Console.refusal(
      .undecided,
      "the replay of the recording failed: \(secrets.removed(from: why.joined(separator: "; ")))",
      help: failure.help ?? "run \"scenario run \(path)\", and correct what it reports",
      .badExpectation)
  }

  /// Writes the scenario, and reports its content.
  ///
  /// - Returns: The file's path: another one than was meant if the command has written that.
  static func write(
    _ template: RecordedTemplate, _ recorded: RecordedCommand, _ notes: [String]
  ) throws -> String {
    let place = recorded.place
    guard
      let path = try place.freePaths.first(where: {
        try NewFile.writeOrRefuse(ScenarioFormatter.formatted(template.text), to: $0)
      })
    else {
      throw Console.refusal(
        .undecided, "\"\(place.path)\" exists already", help: nil, .badArguments)
    }
    var notes = notes
    if path != place.path {
      notes.append("the command itself wrote \"\(place.path)\"; the scenario is \"\(path)\"")
    }
    for note in notes { try Console.print("note: \(TerminalText.line(note))\n") }
    let end =
      template.ending.map { "it ended \(NewCommand.words(for: $0))" } ?? "its end is not expected"
    let counts = [
      (template.fixtures.count, "read"), (template.results.count, "expected"),
    ].filter { $0.0 > 0 }.map { "\($0.0) file\($0.0 == 1 ? "" : "s") \($0.1)" }
    try Console.print(
      "wrote \(TerminalText.line(path)): \(([end] + counts).joined(separator: ", "))\n")
    return path
  }
}

extension [RecordedCommand.Difference] {
  /// The number of lines that differ.
  fileprivate var lines: Int { reduce(0) { $0 + $1.lines } }
}

extension RecordedTemplate.Interruption {
  /// The signals that were sent, as steps can send them.
  fileprivate init(_ interruption: WatchedRun.Interruption) {
    // A program's name means all processes that run it; the command itself gets the signal first.
    var others: [String] = []
    for program in interruption.programs.dropFirst()
    where program != interruption.programs.first && !others.contains(program) {
      others.append(program)
    }
    let millisecond: Int64 = 1_000_000
    self.init(
      elapsed: Nanoseconds(interruption.elapsed.count / millisecond * millisecond),
      signal: interruption.signalName, others: others)
  }
}
