import FoundationEssentials
import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("JSON Lines hold every event as it happens")
struct JSONLinesRecorderTests {
  private static let range = SourceRange(file: "a.yaml", line: 2, column: 3, length: 4)
  private static let kinds: [Event.Kind] = [
    .runStarted(
      RunDescription(
        version: "1", planDigest: "ab", caseCount: 1, startedAt: .epoch, hostname: "h")),
    .caseStarted(
      CaseDescription(file: "a.yaml", name: "n", range: range, tags: ["smoke"], seed: -1)),
    .stepStarted(index: 1, name: "run", range: range),
    .stepFinished(index: 1, duration: .seconds(1)),
    .processStarted(arguments: ["/bin/date", "+%s"]),
    .processEnded(exitCode: 0, signal: nil),
    .processEnded(exitCode: nil, signal: "KILL"),
    .clockMoved(by: .seconds(-60), reason: "jump"),
    .clockSet(by: .seconds(3_600), systemCall: "clock_settime", error: nil),
    .clockSet(by: .zero, systemCall: "adjtimex", error: "EPERM"),
    .requestReceived(
      RequestDescription(
        method: "GET", url: "https://a/b", operation: nil, status: 200, entry: "GET /b",
        time: .zero)),
    .exchanged(
      ExchangeDescription(
        method: "GET", url: "https://a/b",
        request: .init(
          headers: [.init(name: "a", value: "b")], body: "", isBase64: false, bodyLength: 0),
        status: 200, response: .init(headers: [], body: "AA==", isBase64: true, bodyLength: 1),
        startedAt: .epoch, delay: .seconds(1))),
    .faultInjected(
      FaultDescription(
        entry: "journal dies", occurrence: 2, action: "EIO", systemCall: "fsync", subject: "db",
        result: -5, error: "EIO", processOrdinal: 1, threadOrdinal: 3)),
    .faultInjected(
      FaultDescription(
        entry: "slow", occurrence: 1, action: "hang", systemCall: "read", subject: nil,
        result: nil, error: nil, processOrdinal: 1, threadOrdinal: 1)),
    .limitStruck(
      LimitFault(resource: "memory", limit: 4_096, systemCall: "mmap", program: "sh")),
    .waitEscaped(
      EscapedWait(program: "sh", systemCall: "poll", length: .seconds(1), reason: "unseen")),
    .waitEscaped(
      EscapedWait(program: "sh", systemCall: "poll", length: nil, reason: "unseen")),
    .outOfReach(ProcessOutOfReach(reason: "it has no vDSO")),
    .changedOutside(
      OutsideChange(program: "sh", systemCall: "openat", path: "/etc/x", isRefused: true)),
    .chaosAccount(
      ChaosAccount(
        seed: 7,
        entries: [
          .init(
            name: "journal dies", seen: 3, matched: 2, fired: 1,
            processes: [.init(ordinal: 1, matched: 2, fired: 1)])
        ],
        limits: [
          LimitFault(
            resource: "files", limit: 20, systemCall: "open", program: "sh", count: 3)
        ])),
    .faultTried(
      FaultTrial(
        number: 1, call: "fsync", occurrence: 2, subject: "db", program: "/bin/db",
        site: "libc.so.6+0x10", fault: "EIO", mode: "once", verdict: "silent difference",
        evidence: ["exit 0"], engine: "fork")),
    .explored(
      ExplorationAccount(
        seed: 7,
        calls: [
          .init(
            name: "fsync", reached: 3, fired: 2, unreached: 1, verdicts: ["crash": 1, "same": 1])
        ], trials: 4, tried: 2, runs: 9, forks: 1, findings: 1, unstable: ["stdout"],
        hasVirtualClock: true, continuation: "scenario explore a.yaml")),
    .networkAccount(
      NetworkAccount(connections: 2, refused: 1, reached: ["192.0.2.1:80"], unlisted: 3)),
    .timeAccount(TimeAccount(waits: 3, escapedWaits: 1, moves: 2, moved: .seconds(5))),
    .warning("unused", range: nil),
    .warning("unused", range: range),
    .failed(.wrongOutput),
    .failed(Failure(category: .error, type: "Timeout", message: "m")),
    .failed(.afterEverything),
    .caseFinished(
      CaseResult(
        outcome: .errored, duration: .seconds(1), virtualDuration: .seconds(2),
        standardOutput: "o\u{1}\n", standardError: "", directory: nil)),
    .runFinished(RunResult(duration: .seconds(3), interrupted: true)),
    .processBorn(ProcessBirth(ordinal: 1, parent: nil, program: "sh")),
    .processBorn(ProcessBirth(ordinal: 2, parent: 1, program: "sh")),
    .waited(
      WaitSpan(
        processOrdinal: 1, threadOrdinal: 2, systemCall: "poll", from: .zero, to: .seconds(1),
        requested: .seconds(2), realLength: .milliseconds(1), end: .woken)),
    .outputWritten(OutputPiece(stream: "stderr", text: "o\u{0}", byteCount: 900)),
    .outputWritten(OutputPiece(stream: "stdout", text: "o", byteCount: 1, processOrdinal: 2)),
    .worldUntold(DroppedEvents(waits: 1, waited: .seconds(1), pieces: 2, bytes: 3, births: 4)),
    .leaked(
      Leak(processes: [
        LeakedProcess(program: "sleep", ordinal: 2, process: 4711, arguments: ["sleep", "1000"])
      ])),
    .signalled(SignalDelivery(processOrdinal: 2, signal: "TERM")),
    .captured(CapturedText(name: "port", value: "8080")),
    .processBorn(ProcessBirth(ordinal: 3, parent: nil, program: "etcd", host: "n1.test")),
    .hostConnection(
      HostConnectionDescription(
        number: 1, from: "n1.test", to: "n2.test", port: 2380, processOrdinal: 1,
        began: .seconds(1), state: .failed, error: "ECONNREFUSED")),
    .partitionChanged(
      PartitionDescription(name: "cable", groups: [["n1.test"], ["n2.test", "n3.test"]])),
    .partitionChanged(PartitionDescription(name: nil, groups: nil)),
    .portMoved(
      PortMoveDescription(port: 8080, transport: "TCP", holder: "another case", program: "web")),
    .webhookSent(
      WebhookDescription(
        entry: "POST http://pay.test/charges", method: "POST", url: "http://shop.test/paid",
        attempt: 2, time: .seconds(5), duration: .milliseconds(3), status: nil,
        error: "connection refused", retry: .seconds(2))),
    .message(
      MessageDescription(
        request: 2, isFromTarget: true, text: "hello", isBase64: false, byteCount: 5,
        time: .seconds(2))),
    .caseFinished(.withAttachments),
  ]

  private static let events = kinds.enumerated().map { index, kind in
    Event(
      realTime: .milliseconds(Int64(index)), virtualTime: WallInstant(seconds: 5, nanoseconds: 6),
      scenario: index == 0 ? nil : "a.yaml::n", process: index == 4 ? 17 : nil, kind: kind)
  }

  @Test("Every kind of event conforms to the schema, and the schema names every kind")
  func schema() throws {
    let text = try #require(TextFile.read("\(Command.root)/schemas/event.schema.json"))
    let schema = try JSONSchemaCheck(text)
    let sink = CollectingSink()
    let recorder = JSONLinesRecorder(sink: sink)

    for event in Self.events { recorder.record(event) }
    try recorder.finish()

    #expect(sink.writes.count == Self.events.count)
    for line in sink.writes {
      #expect(line.hasSuffix("\n") && line.dropLast().allSatisfy { !$0.isNewline })
      #expect(try schema.problems(in: line) == [], "\(line)")
    }
    let names = Set(Event.Kind.Name.allCases.map(\.rawValue))
    #expect(Set(Self.kinds.map(\.name.rawValue)) == names)
    #expect(Set(schema.names(at: ["properties", "event", "enum"])) == names)
  }

  @Test("What is not an event does not conform")
  func twin() throws {
    let text = try #require(TextFile.read("\(Command.root)/schemas/event.schema.json"))
    let schema = try JSONSchemaCheck(text)

    #expect(try schema.problems(in: #"{"event":"runFinished","realTime":1,"data":{}}"#) != [])
    #expect(try schema.problems(in: #"{"event":"surprise","realTime":1,"data":{}}"#) != [])
    #expect(
      try schema.problems(
        in: #"{"event":"stepFinished","realTime":1,"data":{"index":1,"duration":1,"x":1}}"#) != [])
    #expect(
      try schema.problems(
        in: #"{"event":"stepFinished","realTime":1,"data":{"index":1,"duration":"1s"}}"#) != [])
  }

  @Test("An event that was written can be read back", arguments: events)
  func roundTrip(event: Event) throws {
    let data = try JSONEncoder().encode(event)
    #expect(try JSONDecoder().decode(Event.self, from: data) == event)
  }

  @Test("The form is stable")
  func form() throws {
    let sink = CollectingSink()
    let recorder = JSONLinesRecorder(sink: sink)

    recorder.record(
      Event(
        realTime: .seconds(1), scenario: "a/b.yaml::n", process: 7,
        kind: .processStarted(arguments: ["/bin/sh"])))

    #expect(
      sink.text == #"{"data":{"arguments":["/bin/sh"]},"event":"processStarted","process":7,"#
        + #""realTime":1000000000,"scenario":"a/b.yaml::n"}"# + "\n")
  }

  @Test("A sink that fails is reported once, at the end")
  func brokenSink() {
    let sink = FailingSink(after: 2)
    let recorder = JSONLinesRecorder(sink: sink)
    for event in Self.events { recorder.record(event) }

    let error = #expect(throws: ReportError.self) { try recorder.finish() }

    #expect(error == sink.error)
    #expect(sink.attempts == 3)
  }
}

extension Failure {
  /// A failure before which everything happened that can be told.
  fileprivate static var afterEverything: Failure {
    var failure = Failure(category: .error, type: "Timeout", message: "m")
    failure.lastEvents = WorldMoment.Kind.allCases.map {
      WorldMoment(kind: $0, elapsed: .seconds(1), text: "something")
    }
    failure.lastEvents?[0].process = 1
    failure.lastEvents?[0].program = "sh"
    failure.lastEvents?[0].count = 2
    return failure
  }
}

extension CaseResult {
  /// The result of a case that has left a file of each kind.
  fileprivate static var withAttachments: CaseResult {
    var result = CaseResult(
      outcome: .failed, duration: .seconds(1), virtualDuration: nil, standardOutput: "",
      standardError: "", directory: "/tmp/x")
    result.attachments = Attachment.Kind.allCases.map { Attachment(kind: $0, path: "/tmp/x/f") }
    return result
  }
}
