import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("Runs from streams of events")
struct EventHistoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func stream(_ sample: SampleRun) throws -> String {
    let sink = CollectingSink()
    try sample.play(to: JSONLinesRecorder(sink: sink))
    return sink.text
  }

  private func runs(_ text: String) throws -> [ReportedRun] {
    let path = "\(folder.path)/r.jsonl"
    try TextFile.write(text, to: path)
    return try EventHistory.runs(at: path, version: "1.0.0")
  }

  private func problem(_ text: String) throws -> HistoryProblem {
    try #require(#expect(throws: HistoryProblem.self) { try runs(text) })
  }

  private func sample(ends: Bool = true) -> SampleRun {
    var sample = SampleRun(caseCount: 2)
    sample.addCase("one", virtual: .seconds(86_400), output: "noise")
    sample.addCase("two", outcome: ends ? .passed : nil)
    if ends { sample.end() }
    return sample
  }

  @Test("A run with its times, one that was cut off, and several in one file")
  func kinds() throws {
    let whole = try stream(sample())
    let run = try #require(try runs(whole).first)
    #expect(run.begin == WallInstant(seconds: 1_767_323_045) && run.planDigest == "ab12")
    #expect(!run.isCutOff && run.cases[0].virtualDuration == .seconds(86_400))

    let cut = try #require(try runs(try stream(sample(ends: false)) + "{\"event\":\"case").first)
    #expect(cut.isCutOff && cut.cases.map(\.outcome) == [.passed, .errored])
    #expect(cut.cases[1].message == "it did not finish")
    #expect(cut.cases.map(\.isCutOff) == [false, true])

    #expect(try runs(whole + whole).map(\.source).map { $0.suffix(8) } == [" (run 1)", " (run 2)"])
  }

  @Test("A broken line is told with its number")
  func broken() throws {
    var lines = try stream(sample()).split(separator: "\n").map(String.init)
    lines[2] = "{\"event\":"
    let text = lines.map { "\($0)\n" }.joined()
    #expect(try problem(text).line == 3)
    // Lines of which a history needs nothing count as well.
    lines[2] = "{\"data\":{},\"event\":\"unheardOf\",\"realTime\":0}"
    #expect(try problem(lines.map { "\($0)\n" }.joined()).line == 3)
    #expect(try problem("{}\n").line == 1)
    #expect(try problem("").message.contains("empty"))
    let second = lines.dropFirst().prefix(1).map { "\($0)\n" }.joined()
    #expect(try problem(second).message.contains("does not begin a run"))
  }

  @Test(
    "Another version's events are read as far as they are known, and its name is told where they are not"
  )
  func versions() throws {
    let text = try stream(sample()).replacing(
      "\"version\":\"1.0.0\"", with: "\"version\":\"0.9.0\"")
    var lines = text.split(separator: "\n").map(String.init)
    lines.insert("{\"data\":{},\"event\":\"unheardOf\",\"realTime\":0}", at: 1)
    #expect(try runs(lines.map { "\($0)\n" }.joined()).first?.cases.count == 2)
    lines[2] = "{\"data\":{},\"event\":\"caseStarted\",\"realTime\":0}"
    let problem = try problem(lines.map { "\($0)\n" }.joined())
    #expect(problem.line == 3 && problem.message.contains("scenario 0.9.0 wrote this"))
  }
}
