import ScenarioModel
import Testing

@testable import ScenarioPlan

@Suite("Captured texts")
struct CapturePlanningTests {
  private static let start = "target: { command: [x] }\nsteps:\n  - start:\n"

  @Test("What was captured is known in later steps, at the end and in replies")
  func known() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [x] }
      responses: [{ GET https://h/x: { json: { token: "${{ capture.token }}" } } }]
      steps:
        - start:
        - capture: { token: { output: 'token=(\\S+)' } }
        - send: "${{ upper(capture.token) }}"
      expect: { stdout: "got ${{ capture.token }}" }
      """)

    guard case .send(let text) = planned.steps[2].action,
      case .standardOutput(let matcher) = planned.expect[0].subject
    else {
      Issue.record("no step")
      return
    }
    let scope = CaseScope(directory: "/case")
    #expect(throws: RunScopeError.self) { try text.resolve(in: scope) }
    scope.captures.keep("abc", as: "token")
    #expect(try text.resolve(in: scope) == "ABC")
    #expect(matcher.check(.text("got abc"), scope: scope) == nil)
    #expect(matcher.check(.text("got abd"), scope: scope) != nil)
  }

  @Test(
    "A name that is not captured before is refused with those that are",
    arguments: [
      (
        "  - send: \"${{ capture.token }}\"\n  - capture: { token: { output: x } }\n",
        "\"capture\" has no \"token\""
      ),
      (
        "  - capture: { token: { output: x } }\n  - send: \"${{ capture.tokn }}\"\n",
        "\"capture\" has no \"tokn\""
      ),
      (
        "  - capture: { token: { output: x } }\n  - send: \"${{ capture }}\"\n",
        "\"capture\" needs a name behind it"
      ),
      (
        "  - capture: { t: { output: x } }\n  - send: \"${{ capture.t.a }}\"\n",
        "\"capture.t\" is text, which has no \".a\""
      ),
    ])
  func unknown(_ steps: String, _ message: String) throws {
    let errors = try Samples.errors(Self.start + steps)
    #expect(errors.map(\.message) == [message])
  }

  @Test("Objects and the target are made before anything is captured")
  func tooEarly() throws {
    let steps = "  - capture: { token: { output: x } }\n"
    let build = try Samples.errors(Self.start + steps + "build: { a: \"${{ capture.token }}\" }")
    #expect(build.count == 1)
    let target = try Samples.errors(
      "target: { command: [x, \"${{ capture.token }}\"] }\nsteps:\n  - start:\n" + steps)
    #expect(target.map(\.message) == ["\"capture\" has no \"token\""])
    #expect(target[0].help?.contains("capture it in a step before") == true)
  }

  @Test("A malformed expression, and a capture before the target, are refused")
  func mistakes() throws {
    let broken = try Samples.errors(Self.start + "  - capture: { t: { output: '(' } }\n")
    #expect(broken.first?.message.contains("is not a regular expression") == true)
    let early = try Samples.errors(
      "target: { command: [x] }\nsteps:\n  - capture: { t: { output: x } }\n  - run:\n")
    #expect(early.count == 1)
  }

  @Test("The first group counts, or the whole match")
  func groups() {
    #expect(RegularExpression("token=(\\S+) (\\S+)").firstGroup(in: "a token=b c d") == "b")
    #expect(RegularExpression("token=\\S+").firstGroup(in: "a token=b c d") == "token=b")
    #expect(RegularExpression("(?<name>b)|c").firstGroup(in: "c") == nil)
    #expect(RegularExpression("z").firstGroup(in: "c") == nil)
  }
}
