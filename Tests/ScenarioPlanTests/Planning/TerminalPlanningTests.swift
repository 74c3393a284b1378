import Foundations
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Planning terminals")
struct TerminalPlanningTests {
  private func errors(_ target: String, _ rest: String) throws -> [String] {
    try Samples.plan("target: { command: [x]\(target) }\n" + rest).diagnostics.map(\.message)
  }

  @Test("A terminal is planned with its size, and ends with HUP unless the file says otherwise")
  func plan() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [x], terminal: 80x24 }
      steps: [{ start: }, { send: { key: [up, ctrl-c] } }, { resize: 9x8 }, { close: stdin }, { send: a }]
      """)
    #expect(planned.target.terminal == TerminalSize(columns: 80, rows: 24))
    #expect(planned.target.stop == .hangUp)
    let keys = ["up", "ctrl-c"].compactMap { TerminalKey(name: $0) }
    #expect(planned.steps[1].action == .press(keys))
    #expect(planned.steps[2].action == .resize(TerminalSize(columns: 9, rows: 8)))
  }

  @Test(
    "What a terminal cannot have is refused, and is fine without one",
    arguments: [
      (", stdin: a", "steps: [{ run: }]", "a target with a terminal has no \"stdin\""),
      (
        "", "steps: [{ start: }, { wait: { stderr: a } }]",
        "a terminal shows standard output and standard error as one stream"
      ),
      (
        "", "expect: { stderr: a }",
        "a terminal shows standard output and standard error as one stream"
      ),
      (
        "", "steps: [{ start: }, { close: stdout }]",
        "a terminal shows standard output and standard error as one stream"
      ),
    ])
  func refused(target: String, rest: String, message: String) throws {
    #expect(try errors(target + ", terminal: 80x24", rest) == [message])
    #expect(try errors(target, rest) == [])
  }

  @Test("Keys and sizes need a terminal", arguments: ["send: { key: enter }", "resize: 80x24"])
  func needed(step: String) throws {
    let steps = "steps: [{ start: }, { \(step) }]"
    #expect(try errors("", steps) == ["the target has no terminal"])
    #expect(try errors(", terminal: 80x24", steps) == [])
  }
}
