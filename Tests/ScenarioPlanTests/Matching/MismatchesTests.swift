import Foundations
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("Every condition that does not hold is reported")
struct MismatchesTests {
  private let scope = CaseScope(directory: "/case")

  private func matcher(_ condition: PlannedMatcher.Condition, column: Int = 1) -> PlannedMatcher {
    PlannedMatcher(condition, at: SourceRange(file: "test.yaml", line: 1, column: column))
  }

  private func text(_ text: String) -> PlannedData { .value(.string(text)) }

  private func number(_ number: Int64) -> PlannedMatcher {
    matcher(.equals(.value(.integer(number))))
  }

  /// A condition whose value nobody knows.
  private var unknown: PlannedMatcher {
    let range = SourceRange(file: "test.yaml", line: 9, column: 9)
    let expression = RunExpression(root: "request", steps: [], range: range)
    return matcher(.equals(.text(PlannedText(segments: [.run(expression)]))))
  }

  /// A text with `a`, without `b`, of three lines, and with `c`.
  private var several: PlannedMatcher {
    matcher(
      .allOf([
        matcher(.contains(text("a")), column: 10),
        matcher(.not(matcher(.contains(text("b")))), column: 20),
        matcher(.empty(false), column: 30), matcher(.lineCount(number(3)), column: 40),
        matcher(.allOf([matcher(.contains(text("c")), column: 50)]), column: 49),
      ]))
  }

  @Test("Of several conditions each tells of itself, with its own place and what was there")
  func conditions() throws {
    let found = several.mismatches(of: .text("b\n"), scope: scope)

    #expect(
      found.map(\.message) == [
        "expected text that contains \"a\"", "expected something that does not contain \"b\"",
        "number of lines: expected 3", "expected text that contains \"c\"",
      ])
    #expect(found.map(\.range.column) == [10, 20, 1, 50])
    #expect(found.map(\.actual) == ["\"b\\n\"", "\"b\\n\"", "1", "\"b\\n\""])
    let long = LongBytes(bytes: Array("b\n".utf8))
    #expect(try several.mismatches(ofLong: long, scope: scope) == found)
  }

  @Test("What holds is not told, and `check` tells the first of what does not")
  func twin() throws {
    #expect(several.mismatches(of: .text("a\nc\nd"), scope: scope) == [])
    #expect(several.mismatches(of: .text("a\nc"), scope: scope).count == 1)
    #expect(several.check(.text("b"), scope: scope)?.range.column == 10)
    #expect(several.mismatches(of: .text("b"), scope: scope, limit: 2).count == 2)
  }

  @Test("Of lines each that differs is reported, and that there are too many")
  func lines() throws {
    let lines = matcher(
      .lines(["a", "b", "c"].enumerated().map { matcher(.equals(text($1)), column: $0) }))
    let found = lines.mismatches(of: .text("a\nx\ny\nz\n"), scope: scope)

    #expect(
      found.map(\.message) == [
        "line 2: expected \"b\"", "line 3: expected \"c\"", "expected 3 lines",
      ])
    #expect(found.map(\.actual) == ["\"x\"", "\"y\"", "4 lines"])
    let long = LongBytes(bytes: Array("a\nx\ny\nz\n".utf8))
    #expect(try lines.mismatches(ofLong: long, scope: scope) == found)
  }

  @Test("Of JSON and YAML each path is reported", arguments: [false, true])
  func paths(isYAML: Bool) {
    let json = matcher(
      .jsonPaths([
        PlannedFieldMatcher(name: "$.total", matcher: number(3)),
        PlannedFieldMatcher(name: "$.name", matcher: matcher(.equals(text("ada")))),
        PlannedFieldMatcher(
          name: "$.user.id",
          matcher: matcher(.allOf([matcher(.empty(false)), number(7)]))),
        PlannedFieldMatcher(name: "$.tags[*]", matcher: matcher(.contains(text("red")))),
      ]))
    let found = (isYAML ? matcher(.yaml(json)) : json).mismatches(
      of: .text(#"{"total": 4, "name": "ada", "tags": []}"#), scope: scope)

    #expect(
      found.map { "\($0.message) | \($0.actual)" } == [
        "$.total: expected 3 | 4",
        "$.user.id: expected something | nothing: \"$\" has no key \"user\"",
        "$.user.id: expected 7 | nothing: \"$\" has no key \"user\"",
        "$.tags[*]: expected \"red\" | nothing: the path leads nowhere",
      ])
  }

  @Test(
    "Where a path leads to several places, a condition holds of one of them, and its opposite of none",
    arguments: [("ok", 0, 1), ("bad", 0, 1), ("other", 1, 0)])
  func severalPlaces(word: String, plain: Int, negated: Int) {
    let status = matcher(.equals(text(word)))
    func found(_ status: PlannedMatcher) -> Int {
      matcher(.jsonPaths([PlannedFieldMatcher(name: "$[*].status", matcher: status)]))
        .mismatches(of: .text(#"[{"status": "ok"}, {"status": "bad"}]"#), scope: scope).count
    }

    #expect(found(status) == plain)
    #expect(found(matcher(.not(status))) == negated)
    #expect(found(matcher(.not(matcher(.not(status))))) == plain)
    let some = matcher(.empty(false))
    #expect(found(matcher(.allOf([matcher(.not(status)), some]))) == negated)
    #expect(found(matcher(.anyOf([matcher(.not(status))]))) == negated)
    #expect(found(matcher(.allOf([matcher(.anyOf([matcher(.not(status))])), some]))) == negated)
  }

  @Test("No more is reported than can be read")
  func limit() {
    let lines = matcher(.lines((0..<100).map { matcher(.equals(text("\($0)"))) }))

    #expect(lines.mismatches(of: .text("x\n"), scope: scope).count == 2)
    let content = String(repeating: "x\n", count: 100)
    #expect(lines.mismatches(of: .text(content), scope: scope).count == Mismatch.limit)
  }

  @Test("A value that cannot be made hides no other condition, nor holds its opposite")
  func undecided() throws {
    let both = matcher(.allOf([unknown, matcher(.contains(text("a")))]))
    let found = both.mismatches(of: .text("b"), scope: scope)

    #expect(found.count == 2)
    #expect(found.first?.message.hasPrefix("expected a value that cannot be made: ") == true)
    #expect(found.first?.range.line == 9)
    for matcher in [
      matcher(.not(unknown)), matcher(.not(matcher(.lineCount(unknown)))),
      matcher(.not(matcher(.lines([unknown])))), matcher(.anyOf([unknown, number(1)])),
    ] {
      #expect(matcher.check(.text("b"), scope: scope)?.isUndecided == true)
      let long = LongBytes(bytes: Array("b".utf8))
      #expect(try matcher.check(long: long, scope: scope)?.isUndecided == true)
    }
    #expect(matcher(.not(number(1))).check(.text("b"), scope: scope) == nil)
  }

  @Test("Conditions that must all hold can be judged one by one")
  func conjuncts() {
    #expect(several.conjuncts.map(\.range.column) == [10, 20, 30, 40, 50])
    #expect(matcher(.empty(true), column: 7).conjuncts.map(\.range.column) == [7])
  }
}

/// Bytes that are given out as they are asked for.
private struct LongBytes: LongText {
  var bytes: [UInt8]
  var count: Int { bytes.count }
  func read(_ range: Range<Int>) throws(LongTextError) -> [UInt8] { Array(bytes[range]) }
}
