import ScenarioReport
import Testing

@Suite("Colours are used where they are wanted")
struct ColourModeTests {
  @Test(
    "auto looks at the terminal and the usual names",
    arguments: [
      (true, ["TERM": "xterm"], true), (true, [:], false), (true, ["TERM": ""], false),
      (false, ["TERM": "xterm"], false), (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      (true, ["TERM": "xterm", "NO_COLOR": ""], true), (false, ["FORCE_COLOR": "1"], true),
      (true, ["FORCE_COLOR": "0"], false), (true, ["TERM": "dumb"], false),
      (true, ["NO_COLOR": "1", "FORCE_COLOR": "1"], false),
    ] as [(Bool, [String: String], Bool)])
  func auto(isTerminal: Bool, environment: [String: String], expected: Bool) {
    let isUsed = ColourMode.auto.usesColour(isTerminal: isTerminal, environment: environment)
    #expect(isUsed == expected)
  }

  @Test("always and never look at nothing")
  func fixed() {
    #expect(ColourMode.always.usesColour(isTerminal: false, environment: ["NO_COLOR": "1"]))
    #expect(!ColourMode.never.usesColour(isTerminal: true, environment: ["FORCE_COLOR": "1"]))
  }
}
