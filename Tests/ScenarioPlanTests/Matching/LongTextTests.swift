import Foundations
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("Long text, read piece by piece")
struct LongTextTests {
  /// Bytes that are given out as they are asked for, with a note of the longest read.
  private struct Bytes: LongText {
    var bytes: [UInt8]
    var longer: Int?
    var count: Int { longer ?? bytes.count }
    func read(_ range: Range<Int>) throws(LongTextError) -> [UInt8] {
      #expect(range.count <= TextPieces<Bytes>.size, "more is read at once than a piece")
      return Array(bytes[range.clamped(to: 0..<bytes.count)])
    }
  }

  private let scope = CaseScope(directory: "/case")

  private func matcher(_ condition: PlannedMatcher.Condition) -> PlannedMatcher {
    PlannedMatcher(condition, at: Samples.range)
  }

  private func text(_ text: String) -> PlannedData { .value(.string(text)) }

  @Test(
    "Pieces of any length put together are the text, however it is broken",
    arguments: [
      Array("añb😀c\u{fffd}d".utf8), [0xf0, 0x9f, 0x98], [0xf0, 0x9f, 0x98, 0x61, 0xff, 0x80, 0xc3],
      [0x61, 0xe2, 0x82, 0xe2, 0x82, 0xac, 0x80, 0x80, 0x80, 0x80, 0x80], [],
    ] as [[UInt8]])
  func pieces(bytes: [UInt8]) throws {
    for size in 4...9 {
      var pieces = TextPieces(Bytes(bytes: bytes), size: size)
      var whole = ""
      while let piece = try pieces.next() { whole += piece }
      #expect(Array(whole.utf8) == Array(String(decoding: bytes, as: UTF8.self).utf8))
    }
  }

  @Test("A long text has the verdict that it has when it is read at once")
  func verdicts() throws {
    let line = "line of a log, quite ordinary\n"
    let long = String(repeating: line, count: 20_000)
    let texts = [
      long, long + "END", long + "END\r\n", "\r\n", "", "short", "a\nb\r\n", "\r\r\n", "x\n\n",
      String(repeating: "y", count: 600_000), String(repeating: "y", count: 600_000) + "\nz\r",
    ]
    var conditions: [PlannedMatcher.Condition] = [
      .empty(true), .empty(false), .lines([]),
      .lines([matcher(.equals(text("a"))), matcher(.equals(text("b")))]),
      .lines([matcher(.contains(text("yyy"))), matcher(.equals(text("z")))]),
      .lines([matcher(.matches(RegularExpression("^y+$")))]),
      .lines([matcher(.equals(text(""))), matcher(.empty(true))]),
      .contains(text("END")), .contains(text("ordinary\nline")), .contains(text("")),
      .contains(text("yz")), .contains(text(String(line.dropFirst(3)) + "EN")),
      .equals(.value(.integer(5))), .oneOf([text("a"), text("short")]),
      .allOf([matcher(.contains(text("line"))), matcher(.contains(text("END")))]),
      .anyOf([matcher(.equals(text("short"))), matcher(.contains(text("END")))]),
      .matches(RegularExpression("END$")), .matches(RegularExpression("^END")),
      .matches(RegularExpression("(?m)^END")), .matches(RegularExpression("\\AEND")),
      .matches(RegularExpression("ordinary\\nline.*END\\z")),
      .matches(RegularExpression("\\bEND\\b")), .matches(RegularExpression("^short$")),
    ]
    conditions += texts.map { .equals(text($0)) }
    conditions += conditions.map { .not(matcher($0)) }
    for content in texts {
      for condition in conditions {
        let matcher = matcher(condition)
        let whole = matcher.check(.text(content), scope: scope)
        let pieces = try matcher.check(long: Bytes(bytes: Array(content.utf8)), scope: scope)
        #expect(
          (whole == nil) == (pieces == nil),
          "\(matcher.summary.prefix(60)) of \(content.utf8.count) bytes")
        if let whole, let pieces {
          #expect(whole.message == pieces.message)
          #expect(whole.actual == pieces.actual)
        }
      }
    }
  }

  @Test("A text that differs at its last byte differs, and the line is named")
  func lastByte() throws {
    let long = String(repeating: "0123456789abcde\n", count: 80_000)
    let bytes = Bytes(bytes: Array((long + "last X\n").utf8))

    #expect(try matcher(.equals(text(long + "last X"))).check(long: bytes, scope: scope) == nil)
    let mismatch = try matcher(.equals(text(long + "last Y"))).check(long: bytes, scope: scope)
    #expect(
      mismatch?.diff == ["the first difference is in line 80001:", "-last Y", "+last X"])
  }

  @Test("A search goes on where it was, whatever the pieces, and knows the end of now")
  func growing() throws {
    let text = "one\ntwo 22 é three\nREADY on 8080\n"
    let expressions = [
      "READY on (\\d+)", "^one", "^READY", "(?m)^READY", "three$", "8080\\n?\\z", "\\btwo\\b",
      "é t",
      "(?m)two$", "e\\s+t", "[^\\x00-\\x7f]", "nothing", "", "$", "\\d\\d\\d\\d\\d", "on 8080$",
    ]
    let bytes = Array(text.utf8)
    for expression in expressions.map(RegularExpression.init) {
      for step in [1, 2, 5, bytes.count] {
        var search = GrowingSearch(expression)
        var grown = Bytes(bytes: [])
        var isFound = false
        while grown.count < bytes.count, !isFound {
          grown.bytes = Array(bytes.prefix(grown.count + step))
          isFound = try search.isFound(in: grown)
          let whole = String(decoding: grown.bytes, as: UTF8.self)
          #expect(
            isFound == expression.isFound(in: whole), "/\(expression.text)/ in \(grown.count) bytes"
          )
        }
      }
    }
  }

  @Test("Where a search ends does not depend on the pieces, and the next one goes on from there")
  func ends() throws {
    let text = Array("tick 10\nétick \u{fffd}20\n".utf8) + [0xff, 0xc3] + Array("tick 3".utf8)
    let cases: [(expression: String, ends: [Int])] = [
      ("tick", [4, 14, 27]), ("tick \\S?\\d+", [6, 19, 29]), ("é", [10]), ("(t)ick", [4, 14, 27]),
      ("(?=t)tick", [4, 14, 27]), ("^tick", [4]), ("nothing", []),
    ]
    for (expression, ends) in cases {
      for step in [1, 2, 3, 7, text.count] {
        var found: [Int] = []
        var search = GrowingSearch(RegularExpression(expression))
        var count = 0
        while true {
          if try search.isFound(in: Bytes(bytes: Array(text.prefix(count)))), let end = search.end {
            found.append(end)
            search = GrowingSearch(RegularExpression(expression), from: end)
          } else if count == text.count {
            break
          } else {
            count = min(text.count, count + step)
          }
        }
        #expect(found == ends, "/\(expression)/ in steps of \(step)")
      }
    }
  }

  @Test("What needs all of a text at once is refused for one that is too long, not done in part")
  func tooLong() throws {
    let text = Bytes(bytes: Array("{}".utf8), longer: Bytes.wholeLimit + 1)
    let look = RegularExpression("(?=b)b")

    for condition in [PlannedMatcher.Condition.matches(look), .lessThan(.value(.integer(4)))] {
      #expect(throws: LongTextError.self) {
        try matcher(condition).check(long: text, scope: scope)
      }
    }
    let short = Bytes(bytes: Array("ab".utf8))
    #expect(try matcher(.matches(look)).check(long: short, scope: scope) == nil)
  }
}
