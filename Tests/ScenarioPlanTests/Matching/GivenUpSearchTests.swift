import Foundations
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("A search that is given up")
struct GivenUpSearchTests {
  /// A run that has time for a few steps only.
  private struct Impatient: RunScope {
    var searchLimit = 50

    func value(of root: String) -> Value? { nil }
    func mismatch(
      of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
    ) -> Mismatch? { nil }
  }

  private func matcher(_ condition: PlannedMatcher.Condition) -> PlannedMatcher {
    PlannedMatcher(condition, at: Samples.range)
  }

  private var search: PlannedMatcher { matcher(.matches(RegularExpression("(?:a?){9}b"))) }
  private let text = String(repeating: "a", count: 40)

  @Test("Neither the condition holds nor its opposite, and that is an error")
  func undecided() throws {
    let schema = try JSONSchema(
      try JSONText.parse(#"{"type":"string","pattern":"(?:a?){9}b"}"#))
    let members = try JSONSchema(
      try JSONText.parse(#"{"patternProperties":{"(?:a?){9}b":false}}"#))
    let none = matcher(.schema(try JSONSchema(try JSONText.parse("false"))))
    let subjects: [(PlannedMatcher, MatchSubject)] = [
      (search, .text(text)), (matcher(.not(search)), .text(text)),
      (matcher(.not(matcher(.lines([search])))), .text(text)),
      (matcher(.anyOf([search, none])), .text(text)),
      (matcher(.schema(schema)), .text("\"\(text)\"")),
      (matcher(.not(matcher(.schema(schema)))), .text("\"\(text)\"")),
      (matcher(.schema(members)), .text("{\"\(text)\":1}")),
    ]
    for (matcher, subject) in subjects {
      let found = try #require(matcher.check(subject, scope: Impatient()))
      #expect(found.isUndecided && found.isUnreadable)
      #expect(found.message.contains("was given up after 50 steps"), "\(found.message)")
      #expect(found.help?.isEmpty == false)
    }
    #expect(matcher(.not(search)).check(.text(text), scope: Impatient(searchLimit: 10_000)) == nil)
  }

  @Test("A long text is not judged either")
  func longText() throws {
    for matcher in [search, matcher(.not(search))] {
      let error = #expect(throws: LongTextError.self) {
        try matcher.check(long: TextInMemory(text), scope: Impatient())
      }
      #expect(error?.message.contains("was given up after 50 steps") == true)
    }
    #expect(
      try matcher(.not(search)).check(
        long: TextInMemory(text), scope: Impatient(searchLimit: 10_000)) == nil)
  }

  @Test("A search in what a program writes ends with the error")
  func growing() throws {
    var search = GrowingSearch(RegularExpression("(?:a?){9}b"), stepLimit: 50)

    #expect(throws: LongTextError.self) { try search.isFound(in: TextInMemory(text)) }
  }
}
