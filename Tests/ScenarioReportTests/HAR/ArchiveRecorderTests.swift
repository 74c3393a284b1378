import ScenarioEvents
import ScenarioModel
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
      bodyLength: body.utf8.count)
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

  @Test("What the sink does not take is told at the end")
  func brokenSink() {
    let recorder = ArchiveRecorder(sink: BrokenSink())

    #expect(throws: ReportError.self) { try recorder.finish() }
  }

  private final class BrokenSink: ReportSink {
    func write(_ text: String) throws(ReportError) { throw ReportError("full") }
    func finish() throws(ReportError) {}
  }
}
