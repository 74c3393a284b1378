import Foundations
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

/// Entries for tests, as a scenario file would have them.
enum ChaosSamples {
  static func entries(_ list: String) throws -> [PlannedChaos] {
    let text = "version: 2\ntarget: { command: [/bin/true] }\nchaos:\n" + list
    let file = try #require(ScenarioFile.parse(text: text, path: "test.yaml").file)
    let (plan, diagnostics) = Planner.plan(
      files: [file], options: PlannerOptions(fileExists: { _ in true }))
    #expect(diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    return try #require(plan?.cases.first?.chaos)
  }
}
