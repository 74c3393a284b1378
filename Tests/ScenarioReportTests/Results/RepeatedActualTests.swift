import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("What was there instead is reported once")
struct RepeatedActualTests {
  private static let long = "\"a text that is longer than a few words\""

  private func failure(
    _ message: String, type: String = "expect.stdout", _ actual: String
  ) -> Failure {
    Failure(
      category: .expectation, type: type, message: message,
      range: SourceRange(file: "scenarios/login.yaml", line: 14, column: 15, length: 7),
      actual: actual)
  }

  private func reports(_ failures: [Failure]) throws -> [String: String] {
    var run = SampleRun()
    run.addCase("n", outcome: .failed, failures: failures)
    run.end()
    var texts: [String: String] = [:]
    for (name, make) in [
      ("terminal", { TerminalRecorder(sink: $0, usesColour: false) }),
      ("junit", { JUnitRecorder(sink: $0) }), ("html", { PageRecorder(sink: $0) }),
      ("jsonl", { JSONLinesRecorder(sink: $0) }), ("tap", { CaseListRecorder(.tap, sink: $0) }),
      ("ctrf", { CaseListRecorder(.ctrf, sink: $0) }),
    ] as [(String, (any ReportSink) -> any EventRecorder)] {
      let sink = CollectingSink()
      try run.play(to: make(sink))
      texts[name] = sink.text
    }
    return texts
  }

  @Test("Every failure of a case is in every report, the text that they share once")
  func shared() throws {
    let texts = try reports(
      ["first", "second", "third"].map { failure("stdout: \($0)", Self.long) })

    for (name, text) in texts {
      for message in ["stdout: first", "stdout: second", "stdout: third"] {
        #expect(text.contains(message), "\(name)")
      }
      let count = text.components(of: "a text that is longer")
      #expect(count == (name == "jsonl" ? 3 : 1), "\(name): \(text)")
      // The page has a program of its own, in which words stand as well.
      guard name != "html" else { continue }
      #expect(text.contains("the same") == (name != "jsonl"), "\(name)")
    }
  }

  @Test("Short ones, and those of other things, are reported each time")
  func twin() throws {
    let texts = try reports([
      failure("one", "\"b\""), failure("two", "\"b\""), failure("three", Self.long),
      failure("four", type: "expect.stderr", Self.long),
    ])

    for (name, text) in texts where name != "html" {
      #expect(!text.contains("the same"), "\(name)")
    }
  }
}
