import FoundationEssentials
import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("No report shows a secret")
struct EventRedactorTests {
  private static let secret = "hunter2-s3cr3t"
  private static let redactor = SecretRedactor(values: [secret])

  /// A run that tells the secret wherever a text can stand.
  private static var run: SampleRun {
    var run = SampleRun(caseCount: 4, hostname: "host-\(secret)")
    var failure = Failure.wrongOutput
    failure.message = "stdout: \(secret)"
    failure.actual = "actual: \"\(secret.prefix(9))…"
    failure.details = ["+ \(secret)", "aHVudGVyMi1zM2NyM3Q=", "- a hunt…", "- …cr3t b"]
    failure.help = "say \(secret)"
    run.addCase(
      "logs in \(secret)", file: "f-\(secret).yaml", outcome: .failed, failures: [failure],
      warnings: ["w \(secret)"], output: "out \(secret)\n", errorOutput: "err \(secret)\n",
      directory: "/tmp/\(secret)")
    run.addRetriedCase(
      "retried \(secret)", attempts: [[failure], []], outputs: [secret, secret], index: 1)
    run.addCase("skipped", outcome: .skipped, warnings: [secret], index: 2)
    let message = ExchangeDescription.Message(
      headers: [.init(name: "X", value: secret)], body: "{\"a\":\"\(secret)\"}", isBase64: false,
      bodyLength: 9)
    run.append(
      .exchanged(
        ExchangeDescription(
          method: "GET", url: "https://a.test/?q=\(secret)", request: message, status: 200,
          response: message, startedAt: .epoch, delay: .zero)), scenario: "x")
    run.append(.processStarted(arguments: ["sh", "-c", "echo \(secret)"]), scenario: "x")
    run.append(.failed(failure))
    run.end()
    return run
  }

  private static func recorders(_ sink: any ReportSink) -> [any EventRecorder] {
    let sources: @Sendable (String) -> String? = redactor.redactedSources { _ in
      "line\n\(secret)\n"
    }
    let junit: [any EventRecorder] = JUnitDialect.allCases.map {
      JUnitRecorder(sink: sink, dialect: $0, sources: sources)
    }
    return junit + [
      TerminalRecorder(sink: sink, usesColour: false, sources: sources),
      JSONLinesRecorder(sink: sink), ArchiveRecorder(sink: sink),
      CaseListRecorder(.tap, sink: sink, sources: sources),
      CaseListRecorder(.ctrf, sink: sink, sources: sources),
      GitHubRecorder(commands: sink, summary: sink),
    ]
  }

  @Test("Every recorder", arguments: 0..<10)
  func recorders(index: Int) throws {
    for isRedacted in [true, false] {
      let sink = CollectingSink()
      let recorder = Self.recorders(sink)[index]
      let group = RecorderGroup(
        [recorder], redactor: isRedacted ? Self.redactor : SecretRedactor())
      for event in Self.run.events { group.record(event) }

      #expect(group.finish() == [])
      // Without redaction the report shows it: the test would notice.
      #expect(sink.text.contains("s3cr3t") != isRedacted)
      if isRedacted {
        #expect(sink.text.contains("***"))
        #expect(!sink.text.contains("hunt") && !sink.text.contains("aHVudGVy"))
        #expect(!sink.text.contains("cr3t"))
      }
    }
  }

  @Test("The beginning of a longer text has no piece of a secret at its end, and no mark")
  func beginnings() throws {
    let redactor = EventRedactor(Self.redactor)
    func text(_ text: String, of length: Int) -> String? {
      let piece = OutputPiece(stream: "stdout", text: text, byteCount: length)
      let event = Event(realTime: .zero, scenario: "x", kind: .outputWritten(piece))
      guard case .outputWritten(let shown) = redactor.redacted(event).kind else { return nil }
      return shown.text
    }

    #expect(text("a hun", of: 20) == "a ***")
    #expect(text("a hun", of: 5) == "a hun")
    #expect(text("a b…", of: 20) == "a b…")
    var message = ExchangeDescription.Message(
      headers: [], body: "x hun", isBase64: false, bodyLength: 2_000)
    let request = message
    message.body = "hun…"
    message.bodyLength = 6
    let exchange = ExchangeDescription(
      method: "GET", url: "http://a.test/", request: request, status: 200, response: message,
      startedAt: .epoch, delay: .zero)
    let shown = redactor.redacted(Event(realTime: .zero, scenario: "x", kind: .exchanged(exchange)))
    guard case .exchanged(let reported) = shown.kind else {
      Issue.record("\(shown)")
      return
    }
    #expect(reported.request.body == "x ***" && reported.response.body == "***…")
  }

  @Test("Events without secrets are what they were, to the last bit")
  func untouched() {
    let redactor = EventRedactor(Self.redactor)
    var run = SampleRun(caseCount: 2)
    run.addCase("a \"b\" \\ \u{1}", outcome: .failed, failures: [.wrongOutput], output: "ü\u{0}")
    run.end(interrupted: true)

    for event in run.events { #expect(redactor.redacted(event) == event) }
  }

  @Test("Cases that differ in a secret alone stay two")
  func identifiers() {
    let redactor = EventRedactor(SecretRedactor(values: ["secret-1", "secret-2"]))
    func name(_ text: String) -> String? {
      redactor.redacted(
        Event(realTime: .zero, scenario: text, kind: .processStarted(arguments: []))
      ).scenario
    }

    #expect(name("f::secret-1") == "f::***")
    #expect(name("f::secret-2") == "f::*** #2")
    #expect(name("f::secret-1") == "f::***")
    #expect(name("f::other") == "f::other")
  }

  @Test("A secret that is a word of the format leaves the events what they are")
  func words() {
    let redactor = EventRedactor(SecretRedactor(values: ["caseFinished", "passed", "skipped"]))
    var run = SampleRun()
    run.addCase("was skipped", output: "passed\n")
    run.end()

    let events = run.events.map(redactor.redacted)

    #expect(events.map(\.kind.name) == run.events.map(\.kind.name))
    guard case .caseFinished(let result) = events[2].kind else {
      Issue.record("no result")
      return
    }
    #expect(result.outcome == .passed)
    #expect(result.standardOutput == "***\n")
  }
}

extension SecretRedactor {
  fileprivate func redactedSources(
    _ sources: @escaping @Sendable (String) -> String?
  ) -> @Sendable (String) -> String? {
    { [self] in sources($0).map { redacted($0) } }
  }
}
