@testable import Foundations
@testable import ScenarioSyntax
import Testing

@Suite("Texts of a scenario file that are written anew")
struct LiteralRewritingTests {
  private func rewrite(
    _ text: String, line: Int, column: Int, _ old: String, _ new: String
  ) -> (text: String, refused: [Diagnostic]) {
    let range = SourceRange(file: "a.yaml", line: line, column: column)
    return LiteralRewriting.apply(
      [LiteralEdit(range: range, old: old, new: new)], to: text, path: "a.yaml")
  }

  @Test("The manner of writing stays where the text allows it")
  func manners() {
    #expect(rewrite("a: x # c\nb: y\n", line: 1, column: 4, "x", "z\n").text == "a: z # c\nb: y\n")
    #expect(rewrite("a: 'x'\n", line: 1, column: 4, "x", "z z").text == "a: 'z z'\n")
    #expect(rewrite("a: x\n", line: 1, column: 4, "x", "# no").text == "a: \"# no\"\n")
    #expect(
      rewrite("a: {b: x}\n", line: 1, column: 8, "x", "y\nz\n").text == "a: {b: \"y\\nz\"}\n")
    #expect(
      rewrite("a: | # c\n  x\n  y\n\nb: 1\n", line: 1, column: 4, "x\ny\n", "z\n1\n").text
        == "a: | # c\n  z\n  1\n\nb: 1\n")
    #expect(rewrite("- x\n- y\n", line: 1, column: 3, "x", "1\n2\n").text == "- |\n  1\n  2\n- y\n")
  }

  @Test("What is not the text that was meant stays, and is reported")
  func refusals() {
    for (text, old) in [("a: ${{ b }}\n", "c"), ("a: &x y\nb: *x\n", "z"), ("a: [\n", "x")] {
      let result = rewrite(text, line: 1, column: 4, old, "new")
      #expect(result.text == text && result.refused.count == 1, "\(text)")
    }
  }

  @Test("Lines keep their ends, and new ones end as those in whose place they stand")
  func ends() {
    #expect(
      rewrite("a: x # c\r\nb: y\r\n", line: 1, column: 4, "x", "1\n2\n").text
        == "a: | # c\r\n  1\r\n  2\r\nb: y\r\n")
    #expect(
      rewrite("a: |\r\n  x\r\n  y\r\nb: 1\r\n", line: 1, column: 4, "x\ny\n", "z\n").text
        == "a: z\r\nb: 1\r\n")
    #expect(
      rewrite("# c\na: x\r\nb: y\n", line: 2, column: 4, "x", "1\n2\n").text
        == "# c\na: |\r\n  1\r\n  2\r\nb: y\n")
    #expect(rewrite("b: y\r\na: x", line: 2, column: 4, "x", "z").text == "b: y\r\na: z")
    #expect(rewrite("a: x\n", line: 1, column: 4, "x", "1\r\n").text == "a: \"1\\r\\n\"\n")
  }
}
