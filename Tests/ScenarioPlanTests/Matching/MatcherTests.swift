import Foundations
import Patterns
@testable import ScenarioPlan
import Testing

@Suite("Matchers")
struct MatcherTests {
  private let scope = CaseScope(directory: "/case")

  private func matcher(_ condition: PlannedMatcher.Condition) -> PlannedMatcher {
    PlannedMatcher(condition, at: Samples.range)
  }

  private func check(_ condition: PlannedMatcher.Condition, _ subject: MatchSubject) -> Mismatch? {
    matcher(condition).check(subject, scope: scope)
  }

  private func text(_ text: String) -> PlannedData { .value(.string(text)) }

  // MARK: - Equality

  @Test(
    "Text equality ignores one final newline and nothing else",
    arguments: [
      ("a", "a", true), ("a", "a\n", true), ("a\n", "a", true), ("a", "a\r\n", false),
      ("a\r\n", "a\n", false),
      ("a\r\n", "a\r", true),
      ("a", "a\n\n", false), ("a", " a", false), ("", "\n", true), ("é", "e\u{301}", false),
      ("a", "A", false),
    ])
  func textEquality(expected: String, actual: String, isEqual: Bool) {
    #expect((check(.equals(text(expected)), .text(actual)) == nil) == isEqual)
  }

  @Test(
    "The end of an expression is in front of a final newline as well",
    arguments: [
      ("a$", "a\n", true), ("^a$", "a", true), ("a$", "a\n\n", false), ("a$", "ab\n", false),
      ("a\\n$", "a\n", true), ("a\\z", "a\n", false), ("a$", "a\r\n", false),
      ("(?=a$)a", "a\n", true),
    ])
  func expressionEnds(expression: String, actual: String, isFound: Bool) throws {
    let condition = PlannedMatcher.Condition.matches(RegularExpression(expression))

    #expect((check(condition, .text(actual)) == nil) == isFound)
    #expect((check(.not(matcher(condition)), .text(actual)) == nil) != isFound)
    let long = try matcher(condition).check(long: TextInMemory(actual), scope: scope)
    #expect((long == nil) == isFound)
  }

  @Test("Lines end with a line feed, or with a carriage return before it, and nowhere else")
  func lineEnds() {
    func lines(_ texts: [String]) -> PlannedMatcher.Condition {
      .lines(texts.map { matcher(.equals(text($0))) })
    }
    let expected = lines(["a", "b", "", "c"])

    #expect(check(expected, .text("a\nb\n\nc\n")) == nil)
    #expect(check(expected, .text("a\r\nb\r\n\r\nc\r\n")) == nil)
    #expect(check(expected, .text("a\r\nb\n\r\nc")) == nil)
    #expect(check(expected, .text("a\rb\r\rc\r\n")) != nil)
    #expect(check(expected, .text("a\r\nb\r\nc\r\n"))?.message == "line 3: expected \"\"")
  }

  @Test("A number is equal to text that spells it, and to an integer")
  func numbers() {
    #expect(check(.equals(.value(.integer(42))), .text("42\n")) == nil)
    #expect(check(.equals(.value(.integer(0))), .integer(0)) == nil)
    #expect(check(.equals(.value(.number(0))), .integer(0)) == nil)
    #expect(check(.equals(.value(.integer(0))), .integer(1))?.actual == "1")
    #expect(check(.equals(text("0")), .integer(0)) != nil)
  }

  @Test("A mismatch of several lines has a diff")
  func diff() {
    let mismatch = check(.equals(text("a\nb\nc\n")), .text("a\nx\nc\n"))

    #expect(mismatch?.diff == [" a", "-b", "+x", " c"])
    #expect(mismatch?.range == Samples.range)
  }

  @Test("A short mismatch has no diff, but the actual value")
  func short() {
    let mismatch = check(.equals(text("welcome")), .text("goodbye\n"))

    #expect(mismatch?.message == "expected \"welcome\"")
    #expect(mismatch?.actual == "\"goodbye\\n\"")
    #expect(mismatch?.diff == [])
  }

  @Test("Nothing is equal to nothing but what is not there")
  func absent() {
    #expect(check(.equals(.value(.null)), .absent)?.actual == "nothing")
    #expect(check(.empty(true), .absent) == nil)
    #expect(check(.not(matcher(.equals(text("x")))), .absent) == nil)
  }

  // MARK: - Text

  @Test(
    "Contains finds bytes",
    arguments: [
      ("welcome", true), ("come b", true), ("", true), ("back!", false), ("Welcome", false),
    ])
  func contains(part: String, isFound: Bool) {
    #expect((check(.contains(text(part)), .text("welcome back")) == nil) == isFound)
  }

  @Test("A regular expression is found anywhere")
  func regularExpression() {
    #expect(check(.matches(RegularExpression(#"port (?<n>\d+)"#)), .text("on port 80")) == nil)
    #expect(check(.matches(RegularExpression("^port")), .text("on port")) != nil)
    #expect(check(.matches(RegularExpression("(")), .text("(")) != nil)
  }

  @Test(
    "Empty looks at text, lists and maps",
    arguments: [
      ("\"\"", true), ("[]", true), ("{}", true), ("null", true), ("\"x\"", false), ("[0]", false),
      ("0", false), ("false", false),
    ])
  func empty(json: String, isEmpty: Bool) throws {
    let subject = MatchSubject.value(try Samples.json(json))

    #expect((check(.empty(true), subject) == nil) == isEmpty)
    #expect((check(.empty(false), subject) == nil) == !isEmpty)
  }

  @Test("Lines are checked one by one, and counted")
  func lines() {
    let two = PlannedMatcher.Condition.lines([
      matcher(.equals(text("a"))), matcher(.contains(text("b"))),
    ])

    #expect(check(two, .text("a\nxbx\n")) == nil)
    #expect(check(two, .text("a\nxbx")) == nil)
    #expect(check(two, .text("a\nx\n"))?.message.hasPrefix("line 2: ") == true)
    #expect(check(two, .text("a\n"))?.actual == "1 line")
    #expect(check(two, .text("a\nb\nc\n"))?.actual == "3 lines")
    // As in HTTP's headers.
    #expect(check(two, .text("a\r\nb\r\n")) == nil)
    #expect(check(two, .text("a\r\nb\r\nc")) != nil)
    #expect(check(two, .text("a\rb\r\n")) != nil)
    #expect(check(.lines([]), .text("")) == nil)
    #expect(check(.lines([]), .text("a")) != nil)
  }

  // MARK: - JSON

  @Test("JSON is compared as values, and a diff shows both")
  func json() throws {
    let expected = PlannedData.value(try Samples.json(#"{"a":1,"b":[true,null]}"#))

    #expect(check(.json(expected), .text(#" {"b":[true,null],"a":1.0} "#)) == nil)
    let mismatch = check(.json(expected), .text(#"{"a":2,"b":[true,null]}"#))
    #expect(mismatch?.diff.contains(#"-  "a": 1,"#) == true)
    #expect(mismatch?.diff.contains(#"+  "a": 2,"#) == true)
  }

  @Test("Text that is no JSON is reported with the place where it breaks")
  func brokenJSON() {
    let mismatch = check(.json(.value(.integer(1))), .text("{\n  x"))

    #expect(mismatch?.message.hasPrefix("expected JSON, but line 2, column 3: ") == true)
  }

  @Test(
    "A subset may lack keys and elements, not values",
    arguments: [
      (#"{"a":1}"#, true), (#"{"l":[3]}"#, true), (#"{"l":[{"x":1}]}"#, true), ("{}", true),
      (#"{"l":[3,3]}"#, false), (#"{"a":2}"#, false), (#"{"c":null}"#, false),
      (#"{"l":{"x":1}}"#, false), ("[]", false),
    ])
  func subset(json: String, isSubset: Bool) throws {
    let actual = try Samples.json(#"{"a":1,"b":2,"l":[{"x":1,"y":2},3]}"#)
    let wanted = PlannedData.value(try Samples.json(json))

    #expect((check(.contains(wanted), .value(actual)) == nil) == isSubset)
    #expect((check(.jsonSubset(wanted), .text(actual.jsonText())) == nil) == isSubset)
  }

  @Test("A missing part of a subset is reported with its path")
  func subsetPath() throws {
    let wanted = PlannedData.value(try Samples.json(#"{"user":{"name":"Ada"}}"#))
    let mismatch = check(.jsonSubset(wanted), .text(#"{"user":{"name":"Bob"}}"#))

    #expect(mismatch?.message == "expected \"Ada\" at $.user.name")
    #expect(mismatch?.actual == "\"Bob\"")
  }

  @Test("A lone element is found in a list")
  func element() throws {
    let list = MatchSubject.value(try Samples.json(#"["red","blue"]"#))

    #expect(check(.contains(text("red")), list) == nil)
    #expect(check(.contains(text("re")), list) != nil)
  }

  @Test("Paths are looked up, and a missing one is reported with what is there")
  func paths() {
    func paths(_ path: String, _ value: Value) -> PlannedMatcher.Condition {
      .jsonPaths([
        PlannedFieldMatcher(name: path, matcher: matcher(.equals(.value(value))))
      ])
    }
    let text = MatchSubject.text(#"{"a":[{"b.c":3}],"n":null}"#)

    #expect(check(paths(#"$.a[0]["b.c"]"#, .integer(3)), text) == nil)
    #expect(check(paths("$.n", .null), text) == nil)
    let missing = check(paths("$.a[1].x", .integer(3)), text)
    #expect(missing?.message.hasPrefix("$.a[1].x: ") == true)
    #expect(missing?.actual == "nothing: \"$.a\" has no element 1")
  }

  // MARK: - Order and combination

  @Test(
    "Numbers and durations are ordered",
    arguments: [
      ("3", "4", true), ("4", "4", false), ("3.5", "4", true), ("-1", "0", true),
      ("10", "9", false), ("9007199254740993", "9007199254740992", false),
      ("\"250ms\"", "\"1s\"", true), ("\"2m\"", "\"90s\"", false), ("\"3\"", "4", true),
      ("\"3s\"", "4", false), ("null", "4", false), ("\"x\"", "4", false),
    ])
  func less(actual: String, bound: String, isLess: Bool) throws {
    let condition = PlannedMatcher.Condition.lessThan(.value(try Samples.json(bound)))

    #expect((check(condition, .value(try Samples.json(actual))) == nil) == isLess)
  }

  @Test(
    "Both ends of between are included",
    arguments: [
      (1, false), (2, true), (3, true), (4, true), (5, false),
    ])
  func between(actual: Int64, isInside: Bool) {
    let condition = PlannedMatcher.Condition.between(.value(.integer(2)), .value(.integer(4)))

    #expect((check(condition, .integer(actual)) == nil) == isInside)
  }

  @Test("Conditions combine")
  func combinations() {
    let a = matcher(.contains(text("a")))
    let b = matcher(.contains(text("b")))

    #expect(check(.allOf([a, b]), .text("ab")) == nil)
    #expect(check(.allOf([a, b]), .text("a")) != nil)
    #expect(check(.anyOf([a, b]), .text("b")) == nil)
    #expect(check(.anyOf([a, b]), .text("c")) != nil)
    #expect(check(.not(a), .text("b")) == nil)
    #expect(check(.not(a), .text("a"))?.message.contains("does not contain \"a\"") == true)
    #expect(check(.oneOf([text("x"), text("y")]), .text("y\n")) == nil)
    #expect(
      check(.oneOf([text("x"), text("y")]), .text("z"))?.message == "expected one of \"x\", \"y\"")
  }

  @Test("What only the run knows is filled in")
  func runValue() {
    let question = RunExpression(root: "dir", steps: [], range: Samples.range)
    let data = PlannedData.text(PlannedText(segments: [.run(question), .literal("/x")]))

    #expect(check(.equals(data), .text("/case/x")) == nil)
    #expect(check(.equals(data), .text("/other/x")) != nil)
  }

  @Test("What the run does not know is a mismatch, not a crash")
  func unknownRunValue() {
    let question = RunExpression(root: "request", steps: [], range: Samples.range)

    let mismatch = check(.equals(.text(PlannedText(segments: [.run(question)]))), .text("x"))
    #expect(mismatch?.message.contains("\"request\" is not known here") == true)
  }

  @Test("Bytes that are no UTF-8 are repaired")
  func bytes() {
    #expect(check(.contains(text("\u{FFFD}b")), .bytes([0x61, 0xFF, 0x62])) == nil)
  }
}
