import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

/// The stream of one shard, as its runner writes it.
struct SampleShard {
  var index: Int
  var count = 3
  var digest = "ab12"
  var assignment = "cd34"
  var version = "1.0.0"
  /// When it began, in seconds.
  var start: Int64 = 1_767_323_045
  /// Places in the plan, and how the case ended there; `nil` never ended.
  var cases: [(place: Int, outcome: CaseResult.Outcome?)] = []
  var isWhole = true
  var name: String { "shard-\(index)-\(start).jsonl" }

  /// The lines of the stream.
  var bytes: [UInt8] {
    get throws {
      var description = RunDescription(
        version: version, planDigest: digest, caseCount: cases.count,
        startedAt: WallInstant(seconds: start), hostname: "host-\(index)")
      description.shard = ShardDescription(
        index: index, count: count, strategy: "time", assignment: assignment, planned: 6)
      let sink = CollectingSink()
      let recorder = JSONLinesRecorder(sink: sink)
      var time = Nanoseconds.zero
      func report(_ kind: Event.Kind, _ scenario: String? = nil) {
        recorder.record(Event(realTime: time, scenario: scenario, kind: kind))
      }
      report(.runStarted(description))
      for (place, outcome) in cases {
        let identifier = "a.yaml::case \(place)"
        let range = SourceRange(file: "a.yaml", line: place + 1, column: 1)
        report(
          .caseStarted(
            CaseDescription(
              file: "a.yaml", name: "case \(place)", range: range, tags: [], seed: 0, index: place)),
          identifier)
        time += .milliseconds(10)
        guard let outcome else { continue }
        if outcome == .failed {
          report(
            .failed(
              Failure(category: .expectation, type: "expect.stdout", message: "it is not so")),
            identifier)
        }
        report(
          .caseFinished(
            CaseResult(
              outcome: outcome, duration: .milliseconds(10), virtualDuration: nil,
              standardOutput: "", standardError: "", directory: nil)), identifier)
      }
      if isWhole { report(.runFinished(RunResult(duration: time, interrupted: false))) }
      try recorder.finish()
      return Array(sink.text.utf8)
    }
  }

  func stream() throws(MergeRefusal) -> EventStream {
    let bytes = (try? self.bytes) ?? []
    return try EventStream(name: name, bytes: bytes, version: "1.0.0")
  }
}

@Suite("Merging shards")
struct ShardMergeTests {
  private static let all = [
    SampleShard(index: 1, cases: [(0, .passed), (3, .passed)]),
    SampleShard(index: 2, cases: [(1, .passed), (4, .failed)]),
    SampleShard(index: 3, cases: [(2, .passed), (5, .skipped)]),
  ]

  private func merged(
    _ shards: [SampleShard], _ attempts: ShardMerge.Attempts? = nil
  ) throws(MergeRefusal) -> [Event] {
    var streams: [EventStream] = []
    for shard in shards { streams.append(try shard.stream()) }
    return try ShardMerge(streams, attempts: attempts).events()
  }

  private func counter(_ events: [Event]) -> RunCounts {
    var counter = RunCounts()
    for event in events { counter.record(event) }
    return counter
  }

  private func junit(_ events: [Event]) throws -> String {
    let sink = CollectingSink()
    let recorder = JUnitRecorder(sink: sink)
    for event in events { recorder.record(event) }
    try recorder.finish()
    return sink.text
  }

  @Test("All shards make one run, in the order of the plan, whatever order they are named in")
  func complete() throws {
    let events = try merged(Self.all)
    let counter = counter(events)

    #expect(counter.summary == "4 passed, 1 failed, 1 skipped")
    #expect(counter.exitCode == .failed)
    let report = try junit(events)
    for order in [[2, 1, 0], [1, 0, 2], [2, 0, 1]] {
      let other = try merged(order.map { Self.all[$0] })
      #expect(other == events)
      #expect(try junit(other) == report)
    }
    let names = report.matches(of: /testcase name="(case \d)"/).map { String($0.1) }
    #expect(names == (0..<6).map { "case \($0)" })
    guard case .runStarted(let description) = events.first?.kind else {
      Issue.record("no beginning")
      return
    }
    #expect(description.caseCount == 6 && description.shard == nil)
    #expect(description.planDigest == "ab12")
  }

  @Test("A shard that did not report is an error case, and the run is undecided")
  func missing() throws {
    var good = Self.all
    good[1].cases[1].outcome = .passed
    #expect(counter(try merged(good)).exitCode == .passed)

    let events = try merged([good[0], good[2]])
    let counter = counter(events)
    #expect(counter.exitCode == .undecided)
    #expect(counter.count(.errored) == 1)
    let report = try junit(events)
    #expect(report.contains("shard 2/3 did not report"))
    #expect(report.contains("shard 2/3: no report"))
    #expect(report.contains("reproduce: scenario run --shard 2/3"), "\(report)")
    // A failure outweighs what is missing.
    #expect(self.counter(try merged([Self.all[1]])).exitCode == .failed)
  }

  @Test("A shard that died is reported, and what it had finished counts")
  func truncated() throws {
    var shards = Self.all
    shards[1].isWhole = false
    shards[1].cases = [(1, .passed), (4, nil)]
    let events = try merged(shards)
    let counter = counter(events)
    #expect(counter.exitCode == .undecided)
    #expect(counter.count(.passed) == 4)
    #expect(counter.count(.errored) == 2)
    let report = try junit(events)
    #expect(report.contains("shard 2/3 died: its end is missing, after 1 of 2 cases"))
  }

  @Test("Cut off at any byte, a stream is a shard that died, or refused, and never whole")
  func cutAnywhere() throws {
    let bytes = try Self.all[0].bytes
    var kept = 0
    for length in 0..<(bytes.count - 1) {
      do throws(MergeRefusal) {
        let stream = try EventStream(
          name: "x", bytes: Array(bytes[..<length]), version: "1.0.0")
        kept += 1
        #expect(stream.truncation != nil, "\(length)")
      } catch {
        #expect(!error.help.isEmpty)
      }
    }
    #expect(kept > bytes.count / 2)
    // The last newline alone does not make it torn.
    let last = try EventStream(name: "x", bytes: bytes.dropLast(), version: "1.0.0")
    #expect(last.truncation == nil)
  }

  @Test("Damage before the end is refused with its line")
  func damaged() throws {
    var lines = String(decoding: try Self.all[0].bytes, as: UTF8.self).split(separator: "\n")
    lines[2] = "{\"event\":\"caseFinished\"}"
    let text = lines.joined(separator: "\n") + "\n"
    let error = #expect(throws: MergeRefusal.self) {
      try EventStream(name: "x", bytes: Array(text.utf8), version: "1.0.0")
    }
    #expect(error?.message == "\"x\" is damaged: line 3 is not an event")
  }

  @Test(
    "What is no stream is refused", arguments: ["", "\n", "{}", "<xml/>\n", "[1]\n", "\u{0}\n"])
  func nonsense(text: String) {
    #expect(throws: MergeRefusal.self) {
      try EventStream(name: "x", bytes: Array(text.utf8), version: "1.0.0")
    }
  }

  @Test("Another plan, version, number of shards or assignment is refused")
  func different() throws {
    var plan = Self.all
    plan[1].digest = "ff"
    var version = Self.all
    version[1].version = "0.9.0"
    var count = Self.all
    count[1].count = 4
    var assignment = Self.all
    assignment[1].assignment = "ff"
    let messages = [plan, version, count, assignment].map { shards in
      #expect(throws: MergeRefusal.self) { try merged(shards) }?.message ?? ""
    }
    #expect(messages[0].contains("ran the plan ab12"))
    #expect(messages[1].contains("scenario 0.9.0") && messages[1].contains("scenario 1.0.0"))
    #expect(messages[2].contains("is shard 1/3") && messages[2].contains("is shard 2/4"))
    #expect(messages[3].contains("distribute the cases differently"))
  }

  @Test("A case that two shards ran is refused, and names both")
  func double() throws {
    var shards = Self.all
    shards[2].cases.append((0, .passed))
    for attempts in [nil] + ShardMerge.Attempts.allCases.map(Optional.some) {
      let error = #expect(throws: MergeRefusal.self) { try merged(shards, attempts) }
      #expect(error?.message.contains("\"a.yaml::case 0\" ran twice") == true)
      #expect(error?.message.contains("shard 1/3") == true)
      #expect(error?.message.contains("shard 3/3") == true)
    }
  }

  @Test("A shard that reported twice is refused unless it is said what that means")
  func again() throws {
    var second = Self.all[1]
    second.start += 100
    second.cases[1].outcome = .passed
    let shards = Self.all + [second]
    let error = #expect(throws: MergeRefusal.self) { try merged(shards) }
    #expect(error?.message.hasPrefix("shard 2/3 reported twice") == true)

    let retried = counter(try merged(shards, .asRetry))
    #expect(retried.exitCode == .passed && retried.summary.hasPrefix("5 passed, 0 failed"))
    let replaced = counter(try merged(shards.reversed(), .replace))
    #expect(replaced.exitCode == .passed && replaced.summary.hasPrefix("5 passed, 0 failed"))
    let separate = counter(try merged(shards, .separate))
    #expect(separate.exitCode == .failed)
    #expect(separate.summary == "6 passed, 1 failed, 1 skipped")
  }

  @Test("As a retry the failed run is an earlier attempt; one that passed is none")
  func attempts() throws {
    var second = Self.all[1]
    second.start += 100
    second.cases[1].outcome = .passed
    let events = try merged(Self.all + [second], .asRetry)
    let numbers = events.compactMap { event -> String? in
      guard case .caseStarted(let description) = event.kind else { return nil }
      return "\(description.index)/\(description.attempt)"
    }
    #expect(numbers.sorted() == ["0/1", "1/1", "2/1", "3/1", "4/1", "4/2", "5/1"])
    let retries = events.count { event in
      if case .caseFinished(let result) = event.kind { result.isRetried } else { false }
    }
    #expect(retries == 1)
  }

  @Test("The second report of a shard that died makes it whole")
  func rerun() throws {
    var shards = Self.all
    shards[1].isWhole = false
    shards[1].cases = [(1, .passed), (4, nil)]
    var second = Self.all[1]
    second.start += 100
    second.cases[1].outcome = .passed
    for attempts in [ShardMerge.Attempts.asRetry, .replace] {
      let counter = counter(try merged(shards + [second], attempts))
      #expect(counter.exitCode == .passed, "\(attempts): \(counter.summary)")
    }
  }
}
