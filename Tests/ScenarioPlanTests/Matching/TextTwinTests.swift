import Foundations
import OrderedCollections
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("Texts that only look the same are told apart")
struct TextTwinTests {
  private static let (one, two) = ("caf\u{e9}", "cafe\u{301}")
  private let scope = CaseScope(directory: "/case")

  private func check(_ condition: PlannedMatcher.Condition, _ subject: MatchSubject) -> Mismatch? {
    PlannedMatcher(condition, at: Samples.range).check(subject, scope: scope)
  }

  @Test("A line that looks the same is a difference, and its letters are spelled out")
  func lines() {
    #expect(
      LineDiff.lines(expected: "a\n\(Self.one)\nb", actual: "a\n\(Self.two)\nb") == [
        " a", "-caf\\x{E9}", "+cafe\\x{301}", " b",
      ])
  }

  @Test("Lines that are the same, or have only moved, are shown as they are")
  func moved() {
    #expect(LineDiff.lines(expected: Self.one, actual: Self.one) == [])
    #expect(
      LineDiff.lines(expected: "\(Self.one)\nx\ny", actual: "x\ny\n\(Self.one)") == [
        "-\(Self.one)", " x", " y", "+\(Self.one)",
      ])
  }

  @Test("Text, parts of text and documents say how they are spelled")
  func messages() {
    let equal = check(.equals(.value(.string(Self.one))), .text(Self.two))
    #expect(equal?.message == #"expected "caf\x{E9}""#)
    #expect(equal?.actual == #""cafe\x{301}""#)
    let part = check(.contains(.value(.string(Self.one))), .text("a \(Self.two)"))
    #expect(part?.help?.contains(#""caf\x{E9}""#) == true)
    #expect(check(.contains(.value(.string(Self.one))), .text("a tea"))?.help == nil)
    let subset = check(
      .jsonSubset(.value(.map(["k": .string(Self.one)]))), .text("{\"k\": \"\(Self.two)\"}"))
    #expect(subset?.message == #"expected "caf\x{E9}" at $.k"#)
    #expect(subset?.actual == #""cafe\x{301}""#)
  }

  @Test("Keys are the same only with the same bytes")
  func keys() throws {
    let document = "{\"\(Self.two)\": 1}"
    func path(_ key: String) -> PlannedMatcher.Condition {
      .jsonPaths([
        PlannedFieldMatcher(
          name: "$['\(key)']",
          matcher: PlannedMatcher(.equals(.value(.integer(1))), at: Samples.range))
      ])
    }

    #expect(check(path(Self.two), .text(document)) == nil)
    #expect(
      check(path(Self.one), .text(document))?.actual == #"nothing: "$" has no key "caf\x{E9}""#)
    for condition in [
      PlannedMatcher.Condition.json(.value(.map([Self.one: .integer(1)]))),
      .jsonSubset(.value(.map([Self.one: .integer(1)]))),
    ] {
      #expect(check(condition, .text(document)) != nil)
    }
    #expect(check(.json(.value(.map([Self.two: .integer(1)]))), .text(document)) == nil)
    let place = check(.jsonSubset(.value(.map([Self.one: .integer(1)]))), .text(document))
    #expect(place?.message.contains(#"\x{E9}"#) == true)
  }
}
