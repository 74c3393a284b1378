import Foundations
@testable import ScenarioCompiler
import Testing

@Suite("Expressions over tags")
struct TagExpressionTests {
  @Test(
    "not binds tighter than and, and that tighter than or; parentheses come first",
    arguments: [
      ("smoke", ["smoke"], true), ("smoke", ["slow"], false), ("smoke", [], false),
      ("not smoke", [], true), ("not smoke", ["smoke"], false), ("not not a", ["a"], true),
      ("a and b", ["a"], false), ("a and b", ["a", "b"], true), ("a or b", ["b"], true),
      ("a or b and c", ["a"], true), ("(a or b) and c", ["a"], false),
      ("not a and b", ["b"], true), ("not (a and b)", ["a", "b"], false),
      ("not (a and b)", ["a"], true), ("smoke and not slow or (a and b)", ["a", "b"], true),
      ("smoke and not slow or (a and b)", ["smoke", "slow"], false),
      ("'two words' and \"and\"", ["two words", "and"], true), ("@web", ["@web"], true),
      ("über", ["über"], true), ("a\tor\nb", ["b"], true), ("v1.2-rc", ["v1.2-rc"], true),
    ] as [(String, [String], Bool)])
  func meaning(text: String, tags: [String], isMet: Bool) throws {
    #expect(try TagExpression(text).isMet(by: tags) == isMet)
  }

  @Test(
    "A mistake is reported with its place",
    arguments: [
      ("", 1, "empty"), ("  ", 3, "empty"), ("a b", 3, "without \"and\" or \"or\""),
      ("a and", 6, "missing at the end"), ("and a", 1, "missing before \"and\""),
      ("(a or b", 1, "not closed"), ("a)", 2, "without \"(\""), ("()", 2, "missing before \")\""),
      ("a && b", 3, "not an operator"), ("!a", 1, "not an operator"), ("a, b", 4, "without"),
      ("a AND b", 3, "without"), ("a not b", 3, "without"), ("'a", 1, "quote is not closed"),
      ("a or 'ü' b", 10, "without"),
    ] as [(String, Int, String)])
  func mistakes(text: String, column: Int, part: String) {
    do throws(Diagnostic) {
      _ = try TagExpression(text)
      Issue.record("\"\(text)\" was read")
    } catch {
      #expect(error.message.contains(part), "\(error.message)")
      #expect(error.range?.column == column, "\(error)")
      #expect(error.range?.file == "--tags")
    }
  }

  @Test("The help names the exact word")
  func help() {
    func help(_ text: String) -> String? {
      do throws(Diagnostic) {
        _ = try TagExpression(text)
        return nil
      } catch {
        return error.help
      }
    }
    #expect(help("a AND b") == "did you mean \"and\"?")
    #expect(help("a && b") == "write \"and\"")
    #expect(help("!slow") == "write \"not slow\"")
    #expect(help("a not b") == "write \"and not\" or \"or not\"")
    #expect(help("a and b") == nil)
  }

  @Test("Nothing makes the parser trap, however deep or long it is")
  func depth() {
    for text in [
      String(repeating: "(", count: 4_000), String(repeating: "not ", count: 1_000) + "a",
      String(repeating: "a or ", count: 2_000) + "a",
    ] {
      #expect(throws: Diagnostic.self) { try TagExpression(text) }
    }
    #expect(throws: Never.self) {
      try TagExpression(String(repeating: "(", count: 60) + "a" + String(repeating: ")", count: 60))
    }
  }

  @Test(
    "A tag that nothing carries is reported with what was meant; one that is left out only if it is near"
  )
  func unknown() throws {
    let known: Set<String> = ["smoke", "slow"]
    let near = try TagExpression("smok and not flaky").warnings(whereKnown: known)
    #expect(near.map(\.message) == ["unknown tag \"smok\": no scenario has it"])
    #expect(near.first?.help?.hasPrefix("did you mean \"smoke\"?") == true)
    #expect(near.first?.severity == .warning)
    let left = try TagExpression("smoke and not slwo").warnings(whereKnown: known)
    #expect(left.count == 1 && left.first?.range?.column == 15)
    #expect(try TagExpression("smoke and not slow").warnings(whereKnown: known).isEmpty)
  }
}
