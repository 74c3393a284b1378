@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite struct ChaosMistakeDecodingTests {
  private func mistakes(_ text: String) -> [Diagnostic] {
    ScenarioFile.parse(text: "version: 2\ntarget: { command: [x]\(text)", path: "test.yaml")
      .diagnostics
  }

  @Test("A misspelt key is reported once, and not missed as well")
  func once() {
    let told = mistakes(" }\nchaos: [ { functon: malloc, provide: nil } ]")
    #expect(told.map(\.message) == ["unknown key \"functon\" in an entry of \"chaos\""])
    #expect(
      mistakes(" }\nchaos: [ { provide: nil } ]").map(\.message)
        == ["missing required key \"call\" in an entry of \"chaos\""])
    #expect(
      mistakes(", limits: { cpu: 3 } }").map(\.message) == ["unknown key \"cpu\" in \"limits\""])
    #expect(mistakes(", limits: { } }").map(\.message) == ["\"limits\" is empty"])
  }

  @Test("Who loses what is not synced is told where it cannot be said")
  func losses() {
    let beside = mistakes(" }\nchaos: [ { disk: ., provide: { free: 1MiB, lose: unsynced } } ]")
    #expect(beside.map(\.message) == ["\"lose\" does not belong to \"free\""])
    #expect(beside.first?.help?.contains("or only { lose: unsynced }") ?? false)
    let restart = mistakes(
      " }\nchaos: [ { process: 1, provide: { restart: 2s, lose: unsynced } } ]")
    #expect(restart.map(\.message) == ["\"lose\" does not belong to \"restart\""])
    #expect(restart.first?.help?.contains("restart the target with a step") ?? false)
  }

  @Test("An entry knows whether its author has named it")
  func names() throws {
    let file = parse(
      "version: 2\nchaos: [ { name: a, call: x, provide: nil }, { call: y, provide: nil } ]"
    ).file
    #expect(try #require(file).defaults.chaos.map(\.isNamed) == [true, false])
  }
}
