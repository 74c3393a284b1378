import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("What runs is reported as lines of bounded number and width")
struct LiveBoardTests {
  private func board(_ names: [String], planned: Int = 340) -> (ProgressModel, SampleRun) {
    var run = SampleRun(caseCount: planned)
    for name in names { run.addCase(name, file: "a.yaml", outcome: nil) }
    var board = ProgressModel()
    for event in run.events { board.record(event) }
    return (board, run)
  }

  @Test("Each running case has a line with its times and its step, and the counts come last")
  func lines() {
    var (board, run) = board(["one"])
    run.append(
      .stepStarted(
        index: 2, name: "run",
        range: SourceRange(file: "a.yaml", line: 1, column: 1)),
      scenario: run.events.last?.scenario)
    if let event = run.events.last { board.record(event) }

    let lines = board.lines(at: .milliseconds(3_250), width: 100, height: 20) { _ in .seconds(60) }

    #expect(
      lines == [
        "RUN   [   3.250s real,        1m virtual] a.yaml › one · step 2: run",
        "0/340 · 1 running · 3.2s",
      ])
  }

  @Test("What has ended is counted and no longer listed; what will be tried again is neither")
  func counts() {
    var run = SampleRun(caseCount: 4)
    run.addCase("passes")
    run.addCase("fails", outcome: .failed, failures: [.wrongOutput])
    run.addFlakyCase("wavers", output: "")
    var board = ProgressModel()
    for event in run.events { board.record(event) }

    #expect(
      board.lines(at: .seconds(1), width: 80, height: 9)
        == ["3/4 · 0 running · 1 failed · 1 flaky · 1.0s"])
  }

  @Test("No line is wider than the terminal, whatever the letters", arguments: [40, 41, 57, 80])
  func width(_ width: Int) {
    let name = String(repeating: "世界e\u{301}🎉", count: 30)
    let lines = board([name]).0.lines(at: .zero, width: width, height: 9)

    #expect(lines.allSatisfy { TerminalText.width(of: $0) <= width })
    #expect(lines[0].hasSuffix("…"))
    #expect(TerminalText.width(of: lines[0]) >= width - 1)
  }

  @Test("More cases than there is room for are counted", arguments: [2, 3, 5, 30])
  func height(_ height: Int) {
    let lines = board((1...20).map { "case \($0)" }).0.lines(at: .zero, width: 80, height: height)

    #expect(lines.count <= height)
    #expect(lines.count <= 9)
    #expect(lines.dropLast().last?.contains("more") == true)
    #expect(lines.last?.hasPrefix("0/340 · 20 running") == true)
  }

  @Test("Names cannot steer the terminal")
  func untrusted() {
    let lines = board(["\u{1B}[2J\u{07}\nx"]).0.lines(at: .zero, width: 120, height: 9)

    #expect(lines.count == 2)
    #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 })
  }
}
