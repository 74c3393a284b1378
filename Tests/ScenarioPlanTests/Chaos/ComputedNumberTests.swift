@testable import FaultEngine
import Foundations
@testable import Patterns
import ScenarioModel
@testable import ScenarioPlan
import Testing

@Suite("Computed numbers")
struct ComputedNumberTests {
  private struct Scope: ComputationScope {
    var result: Int64 = 100
    var occurrence: Int64 = 3
    func argument(_ index: Int) -> Int64 { Int64(index) * 10 }
    var size: Int64 { 64 }
    var current: Int64 { 70 }
    var index: Int64 { 5 }
    func byte(at address: UInt64) -> Int64 { Int64(address % 256) }
  }

  @Test(
    "An expression has its value",
    arguments: [
      ("args[2] / 2", 10), ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("-args[1] + 1", -9),
      ("result - occurrence", 97), ("7 % 0", 0), ("7 / 0", 0), ("1 << 4 | 1", 17),
      ("~0 & 0xff", 255), ("!0 + !5", 1), ("2 < 3 && 3 <= 3", 1), ("2 > 3 || 3 >= 4", 0),
      ("1 == 1 ? 5 : 6", 5), ("1 != 1 ? 5 : 0 ? 7 : 8", 8), ("min(result, 10)", 10),
      ("max(args[5], 10)", 50), ("byte(args[1] + 5)", 15), ("6 ^ 3", 5), ("size - 1", 63),
      ("byte + index", 75),
      ("int(1)", 0x0403_0201), ("int(250)", -33752070), ("long(1) >> 56", 8), ("1 << 99 >> 99", 0),
      ("9223372036854775807 + 1", .min), ("0x8000000000000000 / -1", .min),
    ])
  func values(text: String, value: Int64) throws {
    #expect(try ComputedNumberParser.parse(text).value(in: Scope()) == value)
  }

  @Test(
    "What is no expression is refused",
    arguments: [
      ("", "ends too early"), ("1 +", "ends too early"),
      ("args[6]", "not the index of an argument"),
      ("arg[1]", "unknown name \"arg\""), ("1 2", "unexpected \"2\""), ("(1", "ends too early"),
      ("min(1)", "unexpected \")\""), ("99999999999999999999", "is not a number"),
      ("1 = 2", "unexpected \"=\""), (String(repeating: "(", count: 100) + "1", "nests deeper"),
    ])
  func mistakes(text: String, message: String) throws {
    let error = #expect(throws: PatternError.self) { try ComputedNumberParser.parse(text) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test("Whether the call must be made shows in the expression")
  func needs() throws {
    #expect(try ComputedNumberParser.parse("min(1, result)").needsResult)
    #expect(try !ComputedNumberParser.parse("args[0] + occurrence").needsResult)
  }
}

@Suite("Answers of programs that decide")
struct ChaosAnswerTests {
  private func action(_ line: String) throws -> ChaosAction {
    try ChaosAnswer(line, at: .before, random: SplitMix64(seed: 0)).action
  }

  @Test("An answer says what becomes of the call")
  func answers() throws {
    #expect(try action("{}").changesNothing)
    #expect(try action(#"{"provide": "original"}"#).changesNothing)
    #expect(try action(#"{"provide": "nil"}"#).deed == .result(0))
    #expect(try action(#"{"error": "EIO"}"#).deed == .fail(ErrorNumber(name: "EIO", code: 5)))
    #expect(try action(#"{"short": 3}"#).deed == .short(.bytes(3)))
    #expect(try action(#"{"exit": 3}"#).deed == .exit(3))
    let both = try action(#"{"delay": "2s", "signal": "TERM", "constant": 7}"#)
    #expect(both.delay == .seconds(2))
    #expect(both.signalsBefore == [15])
    #expect(both.deed == .result(7))
  }

  @Test(
    "What is no answer is refused",
    arguments: [
      "", "7", "{", #"{"error": "EEE"}"#, #"{"eror": "EIO"}"#, #"{"exit": 300}"#,
      #"{"args": {"6": 1}}"#, #"{"args": {"0": "x"}}"#, #"{"base64": "?"}"#, #"{"text": 7}"#,
      #"{"text": "x", "error": "EIO"}"#, #"{"args": {"0": 1}, "delay": "1s"}"#,
      #"{"delay": "soon"}"#, #"{"delay": "-1s"}"#, #"{"provide": "chaos"}"#, #"{"short": 0}"#,
    ])
  func mistakes(line: String) {
    #expect(throws: PatternError.self) { try action(line) }
  }

  @Test("An answer gives other arguments and other bytes")
  func replacements() throws {
    let random = SplitMix64(seed: 0)
    let answer = try ChaosAnswer(
      #"{"args": {"2": 16, "0": -1}, "text": "\u00e4"}"#, at: .before, random: random)

    #expect(answer.arguments == [0: .max, 2: 16])
    #expect(answer.bytes == [0xc3, 0xa4])
    #expect(answer.action.changesNothing)
    #expect(try ChaosAnswer(#"{"base64": "AP8="}"#, at: .after, random: random).bytes == [0, 255])
  }

  @Test("What must come before a call is refused behind it")
  func late() throws {
    let random = SplitMix64(seed: 0)
    for line in [
      #"{"args": {"0": 1}}"#, #"{"delay": "1s"}"#, #"{"short": 1}"#, #"{"provide": "lie"}"#,
    ] {
      #expect(throws: PatternError.self) { try ChaosAnswer(line, at: .after, random: random) }
      #expect(throws: Never.self) { try ChaosAnswer(line, at: .before, random: random) }
    }
    let signal = try ChaosAnswer(#"{"signal": "TERM"}"#, at: .after, random: random)
    #expect(signal.action.signalsAfter == [15])
    #expect(signal.action.signalsBefore == [])
  }

  @Test("A question is a line of JSON")
  func question() {
    var question = ChaosQuestion(
      entry: "a\nb", occurrence: 2, call: "write", moment: .before, arguments: [3, .max],
      process: 1, thread: 4)
    question.paths = ["/x"]
    question.bytes = Array("hi".utf8)

    let head =
      #"{"entry":"a\nb","occurrence":2,"call":"write","at":"before","args":[3,-1],"process":1,"thread":4,"path":"/x","#
    #expect(question.line == head + #""text":"hi"}"#)
    question.bytes = [0xff, 0]
    question.result = -28
    #expect(question.line == head + #""base64":"/wA=","result":-28,"error":"ENOSPC"}"#)
  }

  @Test("A question shows so many bytes and no more")
  func bounded() {
    var question = ChaosQuestion(
      entry: "e", occurrence: 1, call: "write", moment: .before, arguments: [], process: 1,
      thread: 1)
    question.bytes = [UInt8](repeating: 0x61, count: 1 << 20)

    #expect((1 << 14..<1 << 15).contains(question.line.utf8.count))
  }
}
