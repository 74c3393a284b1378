import FoundationEssentials
import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("The HTML report is one page with everything in it")
struct PageRecorderTests {
  /// A page, taken apart.
  struct Page {
    struct Head: Codable {
      var interrupted: Bool
      var failures: [Failure]
      var cases: [Summary]
    }
    struct Summary: Codable {
      var id: String
      var n: String
      var s: String
      var a: Int
      var c: Int
      var o: Int
    }
    struct Failure: Codable {
      var message: String
      var frame: [String]
      var help: String?
      var file: String?
      var line: Int?
      var comparison: TextComparison?
    }
    struct Case: Codable {
      var reproduce: String?
      var attempts: [Attempt]
    }
    struct Attempt: Codable {
      var outcome: String
      var failures: [Failure]
      var stdout: String
      var warnings: [String]
    }

    let text: String
    let head: Head

    init(_ text: String) throws {
      self.text = text
      head = try JSONDecoder().decode(Head.self, from: Data(Page.element("run", of: text).utf8))
    }

    static func element(_ identifier: String, of text: String) throws -> Substring {
      let mark = try #require(text.firstRange(of: "id=\"\(identifier)\">"))
      let rest = text[mark.upperBound...]
      let end = try #require(rest.firstRange(of: "</script>"))
      return rest[..<end.lowerBound]
    }

    /// A case by its place in the list, read as the page reads it.
    func whole(_ place: Int) throws -> Case {
      let chunk = try Page.element("chunk-\(head.cases[place].c)", of: text)
      let lines = chunk.split(separator: "\n", omittingEmptySubsequences: false)
      return try JSONDecoder().decode(
        Case.self, from: Data(lines[head.cases[place].o].utf8))
    }
  }

  private func page(
    _ run: SampleRun, sources: @escaping @Sendable (String) -> String? = { _ in nil }
  ) throws -> Page {
    let sink = CollectingSink()
    try run.play(to: PageRecorder(sink: sink, sources: sources))
    #expect(sink.isFinished)
    return try Page(sink.text)
  }

  @Test("Cases stand in the plan's order, and each is found where the list says")
  func order() throws {
    var run = SampleRun(caseCount: 3)
    run.addCase("third", index: 2)
    run.addCase("first", outcome: .failed, failures: [.wrongOutput], index: 0)
    run.addCase("second", outcome: .skipped, index: 1)
    run.end()

    let page = try page(run)

    #expect(page.head.cases.map(\.n) == ["first", "second", "third"])
    #expect(page.head.cases.map(\.s) == ["failed", "skipped", "passed"])
    #expect(try page.whole(0).attempts.last?.outcome == "failed")
    #expect(try page.whole(1).attempts.last?.outcome == "skipped")
    #expect(!page.head.interrupted)
  }

  @Test("A failure comes with its source line, its caret, and the way to make it again")
  func failure() throws {
    var run = SampleRun()
    run.addCase("logs in", outcome: .failed, failures: [.wrongOutput])
    run.end()

    let page = try page(run) { _ in String(repeating: "\n", count: 13) + "      stdout: ada\n" }
    let whole = try page.whole(0)
    let failure = try #require(whole.attempts.first?.failures.first)

    #expect(failure.message == "stdout: expected to contain \"welcome, ada\"")
    #expect(failure.frame.contains { $0.contains("14 |       stdout: ada") })
    #expect(failure.frame.contains { $0.contains("^^^") && $0.contains("welcome, bob") })
    #expect(failure.help == "correct the greeting")
    #expect(whole.reproduce == "scenario run scenarios/login.yaml:3 --seed 42")
  }

  @Test(
    "A failure says which line of which file it is about, and what was expected beside what came")
  func place() throws {
    var run = SampleRun()
    var failure = Failure.wrongOutput
    failure.comparison = TextComparison(expected: "a</script>", actual: "b")
    run.addCase("logs in", outcome: .failed, failures: [failure])
    run.end()

    let reported = try #require(try page(run).whole(0).attempts.first?.failures.first)

    #expect(reported.file == "scenarios/login.yaml")
    #expect(reported.line == 14)
    #expect(reported.comparison == failure.comparison)
  }

  @Test("Every file stands on the page once, those of failures first, as long as there is room")
  func sources() throws {
    var run = SampleRun(caseCount: 4)
    run.addCase("a", file: "a.yaml", index: 0)
    run.addCase("b", file: "b.yaml", index: 1)
    run.addCase("c", file: "a.yaml", index: 2)
    run.addCase("d", file: "d.yaml", outcome: .failed, failures: [.wrongOutput], index: 3)
    run.end()
    let large = String(repeating: "#", count: 600 << 10)

    let page = try page(run) { path in
      switch path {
      case "b.yaml": large
      case "d.yaml": nil
      default: "version: 2 # </script> of \(path)"
      }
    }
    let json = try Page.element("sources", of: page.text)
    let texts = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))

    #expect(texts.keys.sorted() == ["a.yaml", "scenarios/login.yaml"])
    #expect(texts["a.yaml"] == "version: 2 # </script> of a.yaml")
    #expect(
      json.firstRange(of: "login.yaml")?.lowerBound ?? json.endIndex < json.firstRange(
        of: "a.yaml")?.lowerBound ?? json.startIndex)
  }

  @Test("No secret reaches the page by a request, an expected text or its answer")
  func secrets() throws {
    let secret = "hunter2-hunter2"
    var run = SampleRun()
    var failure = Failure.wrongOutput
    failure.comparison = TextComparison(expected: "want \(secret)", actual: "got \(secret)")
    run.append(.caseStarted(.sample), scenario: "c")
    run.append(.exchanged(.sample(body: "{\"token\":\"\(secret)\"}")), scenario: "c")
    run.append(.failed(failure), scenario: "c")
    run.append(.caseFinished(.sample(.failed)), scenario: "c")
    run.end()
    func text(_ redactor: SecretRedactor) -> String {
      let sink = CollectingSink()
      let group = RecorderGroup([PageRecorder(sink: sink)], redactor: redactor)
      for event in run.events { group.record(event) }
      _ = group.finish()
      return sink.text
    }

    #expect(!text(SecretRedactor(values: [secret])).contains("hunter2"))
    // The twin: without the redactor it is there, three times.
    #expect(text(SecretRedactor()).ranges(of: secret).count == 3)
  }

  @Test(
    "Nothing that a target writes ends the element in which it stands",
    arguments: [
      "</script><script>alert(1)</script>", "<!--<script>", "\u{0}\u{202E}\u{FFFD}\u{1B}[",
    ])
  func hostile(text: String) throws {
    var run = SampleRun()
    run.addCase(
      text, file: "a\(text)b.yaml", outcome: .failed,
      failures: [Failure(category: .expectation, type: text, message: text, details: [text])],
      warnings: [text], output: text, errorOutput: text)
    run.end()
    var plain = SampleRun()
    plain.addCase("a", outcome: .failed, failures: [.wrongOutput], warnings: ["a"])
    plain.end()

    let page = try page(run)

    #expect(
      page.text.ranges(of: "</script").count
        == (try self.page(plain)).text.ranges(of: "</script").count)
    #expect(!page.text.contains("<!--"))
    #expect(!page.text.utf8.contains(0))
    #expect(page.head.cases.first?.n == text)
    #expect(try page.whole(0).attempts.first?.stdout == text)
  }

  @Test("A long output is cut in the middle, and says so; a short one is whole")
  func bounded() throws {
    var run = SampleRun()
    let long = "begin" + String(repeating: "x", count: 10 << 20) + "end"
    run.addCase("long", outcome: .failed, failures: [.wrongOutput], output: long)
    run.addCase("short", output: "all", index: 1)
    run.end()

    let page = try page(run)
    let output = try #require(try page.whole(0).attempts.first?.stdout)

    #expect(page.text.utf8.count < 1 << 20)
    #expect(output.hasPrefix("begin") && output.hasSuffix("end"))
    #expect(output.contains("bytes omitted"))
    #expect(try page.whole(1).attempts.first?.stdout == "all")
  }

  @Test("A case is written as soon as it has ended, not at the end of the run")
  func streamed() throws {
    let sink = CollectingSink()
    let recorder = PageRecorder(sink: sink)
    var run = SampleRun(caseCount: 2)
    run.addCase("first", output: "the very first")
    for event in run.events { recorder.record(event) }

    #expect(sink.text.contains("the very first"))
    let before = sink.text.utf8.count
    recorder.record(Event(realTime: .zero, scenario: "other", kind: .warning("w", range: nil)))
    #expect(sink.text.utf8.count == before)
  }

  @Test("Many cases share few elements")
  func chunks() throws {
    var run = SampleRun(caseCount: 3_000)
    for index in 0..<3_000 { run.addCase("case \(index)", output: "\(index)", index: index) }
    run.end()

    let page = try page(run)

    #expect(page.head.cases.count == 3_000)
    #expect(page.text.ranges(of: "<script").count < 20)
    #expect((page.head.cases.last?.c ?? 0) > 0)
    #expect(try page.whole(2_999).attempts.first?.stdout == "2999")
  }

  @Test("A case that passed at its second attempt is flaky, and both are kept")
  func flaky() throws {
    var run = SampleRun()
    run.append(.caseStarted(.sample), scenario: "c")
    run.append(.failed(.wrongOutput), scenario: "c")
    run.append(.caseFinished(.sample(.failed, isRetried: true)), scenario: "c")
    run.append(.caseStarted(.sample), scenario: "c")
    run.append(.caseFinished(.sample(.passed)), scenario: "c")
    run.end()

    let page = try page(run)

    #expect(page.head.cases.map(\.s) == ["flaky"])
    #expect(page.head.cases.first?.a == 2)
    #expect(try page.whole(0).attempts.map(\.outcome) == ["failed", "passed"])
    #expect(try page.whole(0).attempts[1].failures.isEmpty)
  }

  @Test("A run that was cut off tells which case went on")
  func interrupted() throws {
    var run = SampleRun(caseCount: 2)
    run.addCase("done")
    run.addCase("under way", outcome: nil, index: 1)

    let page = try page(run)

    #expect(page.head.interrupted)
    #expect(page.head.cases.map(\.s) == ["passed", "errored"])
    #expect(
      try page.whole(1).attempts.first?.failures.first?.message
        == "the scenario was interrupted before it finished")
  }

  @Test("A case that still runs is shown as far as it has come, and is neither failed nor compared")
  func underWay() throws {
    var run = SampleRun(caseCount: 2)
    run.addCase("fine", outcome: nil, index: 1)
    let fine = try #require(run.events.last?.scenario)
    run.addCase("lost", outcome: nil, index: 2)
    run.append(.caseStarted(.sample), scenario: "again")
    run.append(.failed(.wrongOutput), scenario: "again")
    run.append(.caseFinished(.sample(.failed, isRetried: true)), scenario: "again")
    let sink = CollectingSink()
    try run.play(
      to: PageRecorder(
        sink: sink, running: [fine, "again"], passed: { $0 == fine ? "{}" : nil }))

    let page = try Page(sink.text)

    #expect(page.head.cases.map(\.s) == ["running", "running", "errored"])
    #expect(try page.whole(0).attempts.map(\.outcome) == ["failed"])
    #expect(try page.whole(1).attempts.map(\.outcome) == ["running"])
    #expect(try page.whole(1).attempts.first?.failures.isEmpty == true)
    #expect(!sink.text.contains("id=\"baseline\""))
  }

  @Test("Bad news of the run itself is on the page")
  func runFailure() throws {
    var run = SampleRun()
    run.append(.failed(.notReady))
    run.end()

    #expect(try page(run).head.failures.map(\.message) == ["the scenario took longer than 10s"])
  }

  @Test("The events give the same page when they were written down and read again")
  func recorded() throws {
    var run = SampleRun(caseCount: 2)
    run.addCase("a", outcome: .failed, failures: [.wrongOutput], warnings: ["w"], output: "o\u{0}")
    run.addCase("b", virtual: .seconds(60), index: 1)
    run.end()
    let sink = CollectingSink()
    let recorder = PageRecorder(sink: sink)
    for event in run.events {
      recorder.record(try JSONDecoder().decode(Event.self, from: try JSONEncoder().encode(event)))
    }
    try recorder.finish()

    #expect(sink.text == (try page(run)).text)
  }

  @Test("A disk that is full is reported at the end")
  func fullDisk() {
    var run = SampleRun()
    run.addCase("a")
    let sink = FailingSink(after: 2)
    let recorder = PageRecorder(sink: sink)
    for event in run.events { recorder.record(event) }

    #expect(throws: sink.error) { try recorder.finish() }
  }
}

extension CaseDescription {
  fileprivate static let sample = CaseDescription(
    file: "a.yaml", name: "n", range: SourceRange(file: "a.yaml", line: 1, column: 1), tags: [],
    seed: 1)
}

extension CaseResult {
  fileprivate static func sample(_ outcome: Outcome, isRetried: Bool = false) -> CaseResult {
    var result = CaseResult(
      outcome: outcome, duration: .seconds(1), virtualDuration: nil, standardOutput: "",
      standardError: "", directory: nil)
    result.isRetried = isRetried
    return result
  }
}
