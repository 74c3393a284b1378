import Foundations
import ScenarioEvents
import ScenarioSyntax
import Testing

@testable import ScenarioReport

@Suite("HTTP Archives")
struct ArchiveRecorderTests {
  private func archive(_ exchanges: [ExchangeDescription]) throws -> String {
    let sink = CollectingSink()
    let recorder = ArchiveRecorder(sink: sink)
    recorder.record(
      Event(
        realTime: .zero,
        kind: .runStarted(
          RunDescription(
            version: "9", planDigest: "ab", caseCount: 1, startedAt: .epoch, hostname: "h"))))
    for exchange in exchanges {
      recorder.record(
        Event(realTime: .zero, scenario: "a.yaml::n", kind: .exchanged(exchange)))
    }
    recorder.record(Event(realTime: .zero, kind: .warning("no entry", range: nil)))
    try recorder.finish()
    return sink.text
  }

  private func message(_ body: String, isBase64: Bool = false) -> ExchangeDescription.Message {
    .init(
      headers: [.init(name: "Content-Type", value: "text/\"x\"")], body: body, isBase64: isBase64,
      bodyLength: isBase64
        ? body.utf8.count / 4 * 3 - body.filter { $0 == "=" }.count : body.utf8.count)
  }

  @Test("An archive of nothing is an archive")
  func empty() throws {
    let result = ImportedResponses.parse(bytes: Array(try archive([]).utf8), path: "a.har")

    #expect(result.entries.isEmpty)
    #expect(result.diagnostics.isEmpty)
  }

  @Test("Every exchange is an entry at its virtual time, which this project reads again")
  func entries() throws {
    let exchange = ExchangeDescription(
      method: "POST", url: "https://a.test/x?b=1&c", request: message("q\n\"u\""), status: 201,
      response: message("AP8=", isBase64: true), startedAt: .epoch, delay: .milliseconds(1_500))
    let text = try archive([exchange, exchange])

    let value = try JSONText.parse(text)
    let result = ImportedResponses.parse(bytes: Array(text.utf8), path: "a.har")

    #expect(value.jsonText().contains("\"time\":1500.0"))
    #expect(text.contains("\"startedDateTime\":\"1970-01-01T00:00:00Z\""))
    #expect(text.contains("{\"name\":\"b\",\"value\":\"1\"},{\"name\":\"c\",\"value\":\"\"}"))
    #expect(text.contains("\"encoding\":\"base64\""))
    #expect(
      result.diagnostics.allSatisfy { $0.message.contains("base64") }, "\(result.diagnostics)")
  }

  @Test("Entries stand in the order of the plan, in whatever order cases ran and ended")
  func order() throws {
    func text(_ steps: [(place: Int, step: Character)]) throws -> [Substring] {
      let sink = CollectingSink()
      let recorder = ArchiveRecorder(sink: sink)
      for (place, step) in steps {
        let name = "a.yaml::\(place)"
        let range = SourceRange(file: "a.yaml", line: 1, column: 1)
        let kind: Event.Kind =
          switch step {
          case "(":
            .caseStarted(
              CaseDescription(
                file: "a.yaml", name: "\(place)", range: range, tags: [], seed: 0, index: place))
          case ")":
            .caseFinished(
              CaseResult(
                outcome: .passed, duration: .zero, virtualDuration: nil, standardOutput: "",
                standardError: "", directory: nil))
          default:
            .exchanged(
              ExchangeDescription(
                method: "GET", url: "https://a.test/\(place)\(step)", request: message(""),
                status: 200, response: message(""), startedAt: .epoch, delay: .zero))
          }
        recorder.record(Event(realTime: .zero, scenario: name, kind: kind))
      }
      try recorder.finish()
      return sink.text.split(separator: "https://a.test/").dropFirst().map { $0.prefix(2) }
    }
    let mixed = try text([
      (1, "("), (0, "("), (1, "a"), (2, "("), (0, "a"), (2, "a"), (2, ")"), (1, "b"), (0, "b"),
      (0, ")"),
      (1, "c"), (1, ")"), (3, "("), (3, "a"),
    ])
    let ordered = try text([
      (0, "("), (0, "a"), (0, "b"), (0, ")"), (1, "("), (1, "a"), (1, "b"), (1, "c"), (1, ")"),
      (2, "("),
      (2, "a"), (2, ")"), (3, "("), (3, "a"),
    ])

    #expect(mixed == ["0a", "0b", "1a", "1b", "1c", "2a", "3a"])
    #expect(mixed == ordered)
  }

  @Test("What the sink does not take is reported at the end")
  func brokenSink() {
    let recorder = ArchiveRecorder(sink: BrokenSink())

    #expect(throws: ReportError.self) { try recorder.finish() }
  }

  private final class BrokenSink: ReportSink {
    func write(_ text: String) throws(ReportError) { throw ReportError("full") }
    func finish() throws(ReportError) {}
  }
}
