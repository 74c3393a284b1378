import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("A report for people says as much as is wished")
struct TerminalStyleTests {
  private func text(_ change: (inout TerminalStyle) -> Void) throws -> String {
    var run = SampleRun(caseCount: 3)
    run.addCase("holds", virtual: .seconds(60), output: "calm\n", index: 0)
    run.addCase(
      "fails", outcome: .failed, failures: [.wrongOutput], output: "welcome, bob\n", index: 1)
    run.addCase("later", outcome: .skipped, index: 2)
    run.end()
    var style = TerminalStyle()
    change(&style)
    let sink = CollectingSink()
    try run.play(to: TerminalRecorder(sink: sink, usesColour: false, style: style))
    return sink.text
  }

  @Test("A character per case stands on lines of its own")
  func dots() throws {
    let text = try text { $0.form = .dots }

    #expect(text.hasPrefix(".Fs\n\nFAIL  scenarios/login.yaml › fails\n"), "\(text)")
  }

  @Test("Quiet tells failures and counts, and nothing of what holds")
  func quiet() throws {
    let text = try text { $0.form = .quiet }

    #expect(text.hasPrefix("\nFAIL  scenarios/login.yaml › fails\n"), "\(text)")
    #expect(!text.contains("holds") && !text.contains("later"))
    #expect(text.hasSuffix("\n1 passed, 1 failed, 1 skipped\n"))
  }

  @Test("Failures are reported once, at the end or at once")
  func failureOutput() throws {
    let final = try text { _ in }
    let immediate = try text { $0.failureOutput = .immediate }

    let failure = "error: stdout: expected"
    for text in [final, immediate] {
      #expect(text.components(separatedBy: failure) == 2, "\(text)")
      #expect(text.contains("stdout:\n  welcome, bob\n"))
    }
    #expect(precedes(failure, "SKIP", in: immediate) && precedes("SKIP", failure, in: final))
  }

  @Test("Output is shown of those that failed, of all, or of none")
  func shownOutput() throws {
    let failed = try text { _ in }
    let all = try text { $0.shownOutput = .all }
    let none = try text { $0.shownOutput = .never }

    #expect(failed.contains("  welcome, bob") && !failed.contains("  calm"))
    #expect(all.contains("  welcome, bob") && all.contains("  calm"))
    #expect(!none.contains("  welcome, bob") && !none.contains("  calm"))
  }

  @Test("The end tells times and the slowest cases where that is wished")
  func summary() throws {
    let text = try text {
      $0.showsTime = true
      $0.slowestCount = 1
    }

    #expect(text.contains("\nslow: PASS  [   0.031s real, 1m virtual]"), "\(text)")
    #expect(text.hasSuffix("1 passed, 1 failed, 1 skipped in 0.093s real, 1m virtual\n"))
  }

  @Test("Only exit code 0 has no reason")
  func reasons() {
    #expect(ExitCode.allCases.filter { $0.reason == nil } == [.passed])
  }

  private func precedes(_ first: String, _ second: String, in text: String) -> Bool {
    guard let one = text.firstRange(of: first), let other = text.firstRange(of: second) else {
      return false
    }
    return one.lowerBound < other.lowerBound
  }
}

extension String {
  /// In how many parts a text is cut by another.
  fileprivate func components(separatedBy other: String) -> Int {
    ranges(of: other).count + 1
  }
}
