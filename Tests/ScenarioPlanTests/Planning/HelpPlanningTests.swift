import Foundations
import Testing

@Suite("What helps of a plan say to write")
struct HelpPlanningTests {
  @Test(
    "A slack beside conditions that are checked again names their key and its place",
    arguments: ["eventually", "always"])
  func slack(key: String) throws {
    func file(_ every: String) -> String {
      """
      target: { command: [x] }
      clock: { flow: held, slack: 2s }
      expect: { \(key): { within: 1m,\(every) files: { a: x } } }
      """
    }
    let found = try Samples.errors(file(""))

    #expect(
      found.map(\.message) == [
        "with a slack of 2s, the time between two checks of \"\(key)\", 100ms, may be twice as long"
      ])
    #expect(found[0].help?.hasPrefix("write \"every:\" in \"\(key)\"") == true)
    #expect(found[0].notes.map(\.range?.line) == [3])
    _ = try Samples.onlyCase(file(" every: 20s,"))
  }

  @Test("A word behind stop is no argument")
  func stop() throws {
    let found = try Samples.errors(
      "target: { command: [x] }\nsteps: [{ start: }, { stop: now }]")

    #expect(
      found.map(\.help) == [
        "write only \"stop:\" for the single target; define others in \"targets\""
      ])
  }

  @Test("A text in digits is no exit code, and int() makes one of it")
  func exitText() throws {
    let found = try Samples.errors(
      "vars: { x: '0' }\ntarget: { command: [x] }\nexpect: { exit: \"${{ vars.x }}\" }")

    #expect(found.count == 1)
    #expect(found[0].help?.contains("${{ int(vars.NAME) }}") == true)
    _ = try Samples.onlyCase(
      "vars: { x: '0' }\ntarget: { command: [x] }\nexpect: { exit: \"${{ int(vars.x) }}\" }")
  }
}
