@testable import Foundations
import Testing

@Suite("Text that a program wrote as YAML")
struct YAMLDocumentsTests {
  @Test(
    "One document is its data, several are a list of those that hold anything",
    arguments: [
      ("a: 1\n", #"{"a":1}"#), ("null\n", "null"), ("--- ~\n", "null"),
      ("%YAML 1.2\n---\na: x\n...\n", #"{"a":"x"}"#), ("--- 1\n--- 2\n", "[1,2]"),
      ("---\n# empty\n---\na: 1\n---\nb: [2]\n", #"[{"a":1},{"b":[2]}]"#),
      ("a: |\n  ---\n  b\n", #"{"a":"---\nb\n"}"#),
      ("a: 1\r\n---\r\nb: 2\r\n", #"[{"a":1},{"b":2}]"#),
    ])
  func reading(text: String, expected: String) throws {
    #expect(try YAMLDocuments.parse(text)?.jsonText() == expected)
  }

  @Test(
    "What holds nothing is no document",
    arguments: ["", "\n", "# nothing\n", "---\n", "--- # nothing\n...\n", "%YAML 1.2\n---\n"])
  func nothing(text: String) throws {
    #expect(try YAMLDocuments.parse(text) == nil)
  }

  @Test("What is no YAML is reported with its line in the whole text")
  func problems() {
    let error = #expect(throws: YAMLDocuments.Problem.self) {
      try YAMLDocuments.parse("a: 1\n---\nb: 2\nc: [\n")
    }
    #expect(error.map { $0.line > 2 } == true, "\(String(describing: error))")
  }
}
