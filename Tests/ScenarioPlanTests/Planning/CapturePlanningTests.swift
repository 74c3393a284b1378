import Foundations
import OrderedCollections
@testable import Patterns
import ScenarioModel
@testable import ScenarioPlan
import Testing

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
        - capture: { token: { stdout: 'token=(\\S+)' } }
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
    scope.captures.keep(.string("abc"), as: "token")
    #expect(try text.resolve(in: scope) == "ABC")
    #expect(matcher.check(.text("got abc"), scope: scope) == nil)
    #expect(matcher.check(.text("got abd"), scope: scope) != nil)
  }

  @Test(
    "A name that is not captured before is refused with those that are",
    arguments: [
      (
        "  - send: \"${{ capture.token }}\"\n  - capture: { token: { stdout: x } }\n",
        "\"capture\" has no \"token\""
      ),
      (
        "  - capture: { token: { stdout: x } }\n  - send: \"${{ capture.tokn }}\"\n",
        "\"capture\" has no \"tokn\""
      ),
      (
        "  - capture: { token: { stdout: x } }\n  - send: \"${{ capture }}\"\n",
        "\"capture\" needs a name after it"
      ),
      (
        "  - capture: { t: { stdout: x } }\n  - send: \"${{ capture.t.a }}\"\n",
        "\"capture.t\" is text, which has no \".a\""
      ),
    ])
  func unknown(_ steps: String, _ message: String) throws {
    let errors = try Samples.errors(Self.start + steps)
    #expect(errors.map(\.message) == [message])
  }

  @Test("Objects and the target are made before anything is captured")
  func tooEarly() throws {
    let steps = "  - capture: { token: { stdout: x } }\n"
    let build = try Samples.errors(Self.start + steps + "build: { a: \"${{ capture.token }}\" }")
    #expect(build.count == 1)
    let target = try Samples.errors(
      "target: { command: [x, \"${{ capture.token }}\"] }\nsteps:\n  - start:\n" + steps)
    #expect(target.map(\.message) == ["\"capture\" has no \"token\""])
    #expect(target[0].help?.contains("capture it in an earlier step") == true)
  }

  @Test("A malformed expression, and a capture before the target, are refused")
  func mistakes() throws {
    let broken = try Samples.errors(Self.start + "  - capture: { t: { stdout: '(' } }\n")
    #expect(broken.first?.message.contains("is not a regular expression") == true)
    let early = try Samples.errors(
      "target: { command: [x] }\nsteps:\n  - capture: { t: { stdout: x } }\n  - run:\n")
    #expect(early.count == 1)
  }

  @Test("The first group counts, or the whole match")
  func groups() {
    #expect(RegularExpression("token=(\\S+) (\\S+)").firstGroup(in: "a token=b c d") == "b")
    #expect(RegularExpression("token=\\S+").firstGroup(in: "a token=b c d") == "token=b")
    #expect(RegularExpression("(?<name>b)|c").firstGroup(in: "c") == nil)
    #expect(RegularExpression("z").firstGroup(in: "c") == nil)
  }

  private static func captured(_ pattern: PlannedCapture.Pattern, in text: String) -> String {
    let capture = PlannedCapture(
      name: "a", source: .output, pattern: pattern, range: Samples.range)
    return switch capture.find(in: text) {
    case .found(let value): value.jsonText()
    case .missing(let why): why
    }
  }

  @Test(
    "A path takes a value out of JSON, of the whole output or of its last line",
    arguments: [
      ("$.id", "{\"id\": 7}\n", "7"), ("$.a[-1].b", "{\"a\":[{\"b\":1},{\"b\":\"x\"}]}", "\"x\""),
      ("$.id", "ready\n{\"id\": 1}\n{\"id\": 2}\r\n\n", "2"), ("$", "null", "null"),
      ("$.no", "{\"id\": 7}", "has nothing at $.no: it is {\"id\":7}"),
      ("$.id", "ready\n", "is not JSON: line 1, column 1:"), ("$.id", "", "is not JSON: line 1"),
    ])
  func json(path: String, text: String, wanted: String) {
    #expect(Self.captured(.json(path: path), in: text).hasPrefix(wanted))
  }

  @Test("What is captured by a path keeps its type, and may have parts")
  func typed() throws {
    let steps =
      "  - capture: { user: { stdout: { json: $.user } }, n: { stderr: { json: \"$[0]\" } } }\n"
    let planned = try Samples.onlyCase(
      Self.start + steps + "  - send: \"${{ capture.user.id + capture.n }}\"\n")
    guard case .send(let text) = planned.steps[2].action,
      case .capture(let captures) = planned.steps[1].action
    else {
      Issue.record("no step")
      return
    }
    let scope = CaseScope(directory: "/case")
    scope.captures.keep(.map(["id": .integer(40)]), as: "user")
    scope.captures.keep(.integer(2), as: "n")
    #expect(try text.resolve(in: scope) == "42")
    #expect(captures.map(\.source) == [.output, .errorOutput])

    let textual = steps.replacing("{ stdout: { json: $.user } }", with: "{ stdout: x }")
    let refused = try Samples.errors(
      Self.start + textual + "  - send: \"${{ capture.user.id + capture.n }}\"\n")
    #expect(!refused.isEmpty)
  }

  @Test(
    "A path that is malformed or may lead to several places is refused",
    arguments: [
      ("$.a[*]", "\"$.a[*]\" can match several values"), ("$..a", "\"$..a\" can match several"),
      ("id", ""), ("$.a[", ""),
    ])
  func badPaths(path: String, message: String) throws {
    let errors = try Samples.errors(
      Self.start + "  - capture: { a: { stdout: { json: '\(path)' } } }\n")
    #expect(errors.count == 1)
    #expect(errors.first?.code == .badPattern)
    #expect(errors.first?.message.hasPrefix(message) == true)
  }

  @Test(
    "What is captured when nobody can ask any more is refused in replies, and nothing else is",
    arguments: [
      ("  - run:\n  - capture: { t: { stdout: x } }\n", true),
      (
        "  - start:\n  - wait: exit\n  - capture: { t: { stdout: x } }\n  - expect: { exit: 0 }\n",
        true
      ),
      ("  - start:\n  - capture: { t: { stdout: x } }\n", false),
      ("  - run:\n  - capture: { t: { stdout: x } }\n  - run:\n", false),
      ("  - run:\n  - capture: { t: { stdout: x } }\n  - tick: 5s\n", false),
      (
        "  - start:\n  - capture: { t: { stdout: x } }\n  - stop:\n"
          + "  - capture: { t: { stdout: y } }\n", false
      ),
    ])
  func tooLate(steps: String, isRefused: Bool) throws {
    let (plan, diagnostics) = try Samples.plan(
      "target: { command: [x] }\nresponses: [{ GET https://h/x: { text: \"${{ capture.t }}\" } }]\n"
        + "steps:\n" + steps)
    #expect((plan == nil) == isRefused)
    #expect(
      diagnostics.map(\.message)
        == (isRefused
          ? ["\"capture.t\" is captured after the last request that a reply can answer"] : []))
  }

  @Test("Each target knows what was captured and built before its own first start")
  func beforeEachStart() throws {
    let file = """
      target: { command: [a] }
      targets:
        b: { command: [b, "${{ capture.one }}", "${{ build.two }}"] }
        c: { command: [c, "${{ capture.one }}", "${{ capture.three }}"] }
        d: { command: [d, "${{ capture.three }}"] }
      steps:
        - start:
        - capture: { one: { stdout: 'a(.)' } }
        - build: { two: 2 }
        - start: b
        - start: c
        - capture: { three: { stdout: 'a(.)' } }
        - start: d
        - stop: c
        - start: c
      """

    #expect(
      try Samples.errors(file).map { "\($0.range?.line ?? 0): \($0.message)" } == [
        "4: \"capture\" has no \"three\""
      ])
  }
}
