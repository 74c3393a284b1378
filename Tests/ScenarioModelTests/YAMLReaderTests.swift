@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite struct YAMLReaderTests {
  private func read(_ text: String, limits: YAMLLimits = YAMLLimits()) -> YAMLReader.Result {
    YAMLReader.read(SourceText(path: "f", text: text), limits: limits)
  }

  private func firstMessage(_ text: String, limits: YAMLLimits = YAMLLimits()) -> String? {
    read(text, limits: limits).diagnostics.first.map {
      "\($0.range?.line ?? 0):\($0.range?.column ?? 0): \($0.message)"
    }
  }

  /// A tree as text, for comparing.
  private func shape(_ node: YAMLNode?) -> String {
    switch node?.content {
    case .scalar(let scalar): scalar.text
    case .sequence(let nodes): "[" + nodes.map { shape($0) }.joined(separator: " ") + "]"
    case .mapping(let members):
      "{" + members.map { "\($0.key.value)=\(shape($0.value))" }.joined(separator: " ") + "}"
    case nil: "nothing"
    }
  }

  @Test("Nodes know their places and last lines")
  func placesNodes() throws {
    let root = try #require(read("a: 1\nbé: [x,\n  yy]\nc: |\n  text\n  more\nd: e\n").root)
    guard case .mapping(let members) = root.content else {
      Issue.record("not a map")
      return
    }

    #expect(members.map(\.key.range.line) == [1, 2, 4, 7])
    #expect(members[1].key.range.length == 2)
    #expect(members[1].value.range == SourceRange(file: "f", line: 2, column: 5, length: 3))
    #expect(members.map(\.value.lastLine) == [1, 3, 6, 7])
    #expect(root.lastLine == 7)
  }

  @Test("An alias stands for its anchor, at its own place")
  func expandsAliases() throws {
    let root = try #require(read("a: &x [1, 2]\nb: *x\n").root)

    #expect(shape(root) == "{a=[1 2] b=[1 2]}")
    guard case .mapping(let members) = root.content else {
      Issue.record("no mapping")
      return
    }
    #expect(members[1].value.range == SourceRange(file: "f", line: 2, column: 4, length: 2))
  }

  @Test("Merge keys fill in what is missing; own keys win, then the first merged ones")
  func merges() {
    let text = """
      a: &a { x: 1, y: 2 }
      b: &b { y: 3, z: 4 }
      c: { <<: [*a, *b], x: 0 }
      d: { "<<": 1 }
      """
    #expect(
      shape(read(text).root) == "{a={x=1 y=2} b={y=3 z=4} c={x=0 y=2 z=4} d={<<=1}}")
    #expect(
      firstMessage("a: { <<: 3 }")
        == "1:10: the merge key \"<<\" needs a map or a list of maps")
  }

  @Test("Aliases of aliases cannot blow up")
  func budgetsAliases() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...8 {
      let alias = "*a\(level - 1)"
      let list = Array(repeating: alias, count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(list)]\n"
    }
    #expect(
      firstMessage(text)?.contains("the aliases of this file stand for more than 100000 nodes")
        == true)
  }

  @Test("Nesting is limited, also by way of aliases")
  func limitsDepth() {
    let limits = YAMLLimits(depth: 3)
    #expect(read("[[[1]]]", limits: limits).diagnostics.isEmpty)
    #expect(firstMessage("[[[[1]]]]", limits: limits) == "1:4: lists and maps nest deeper than 3")
    #expect(read("[&a [1], [*a]]", limits: limits).diagnostics.isEmpty)
    #expect(
      firstMessage("[&a [[1]], [*a]]", limits: limits) == "1:13: lists and maps nest deeper than 3")
    let deep = String(repeating: "[", count: 200_000)
    #expect(firstMessage(deep) == "1:101: lists and maps nest deeper than 100")
  }

  @Test("The size of a file is limited")
  func limitsSize() {
    let limits = YAMLLimits(fileSize: 1 << 20)
    let text = "a: " + String(repeating: "x", count: 1 << 20)
    #expect(firstMessage(text, limits: limits) == "1:1: the file is larger than 1 MiB")
  }

  @Test("A byte order mark is no part of the text")
  func skipsByteOrderMark() {
    #expect(shape(read("\u{FEFF}a: 1").root) == "{a=1}")
    #expect(firstMessage("\u{FEFF}a: *x") == "1:4: unknown alias \"*x\"")
  }

  @Test("A file without a document is empty", arguments: ["", "\n\n", "# only this\n", "---\n"])
  func refusesEmpty(text: String) {
    #expect(firstMessage(text) == "1:1: the file is empty")
  }

  @Test(
    "libyaml's errors come in plain words",
    arguments: [
      ("a: b: c", "1:5: a \":\" stands where no key can be"),
      ("a: [1, 2\nb: 3", "2:2: a list in brackets is missing \",\" or \"]\""),
      ("a: {b: 1", "1:9: a map in braces is missing \",\" or \"}\""),
      ("a: \"b\nc: d\n", "1:4: the text has no closing quote"),
      ("a: @b", "1:4: a text without quotes cannot begin with \"@\""),
      ("a: \"\\q\"", "1:5: unknown escape in a text in double quotes"),
      ("a: \"\\ud83d\"", "1:7: an escape names no Unicode character"),
      ("a:\n  - b\n - c\n", "3:2: this line fits no key or list above it"),
      ("a: *b", "1:4: unknown alias \"*b\""),
      ("a: &b [*b]", "1:8: the alias \"*b\" stands inside its own anchor"),
      ("a: !env B", "1:4: unknown tag \"!env\""),
      ("a: !!map B", "1:4: the tag \"!!map\" does not fit what follows it"),
      ("a: !!int B", "1:4: the tag \"!!int\" does not fit what follows it"),
      ("a: !!int 1.5", "1:4: the tag \"!!int\" does not fit what follows it"),
      ("a: !!bool yes", "1:4: the tag \"!!bool\" does not fit what follows it"),
      ("a: !!null 0", "1:4: the tag \"!!null\" does not fit what follows it"),
      ("a: !!float B", "1:4: the tag \"!!float\" does not fit what follows it"),
      ("a: !x!y B", "1:4: unknown tag"),
      ("? [a]\n: b", "1:3: a key must be a text"),
      ("a: 1\n---\nb: 2", "2:1: a second document begins here"),
      ("%YAML 1.3\n---\na: 1", "1:1: this version of YAML is not known"),
      ("a: b\u{7}", "1:5: a control character cannot stand in a file"),
      ("a:\n  b: 1\n\tc: 2\n", "3:1: a tab cannot indent a line"),
      ("a: [${{ b }}]", "1:5: an expression inside {…} or […] must be in quotes"),
    ])
  func explains(text: String, message: String) {
    #expect(firstMessage(text) == message)
  }

  @Test(
    "Plain scalars mean what YAML 1.2 says, and what JSON cannot hold is told apart",
    arguments: [
      ("", .null), ("~", .null), ("Null", .null), ("true", .bool(true)), ("FALSE", .bool(false)),
      ("no", .text), ("on", .text), ("yes", .text), ("1:30", .text), ("0123", .text),
      ("1_000", .text), ("0b11", .text), ("12e", .text), (".", .text), ("-", .text), ("+", .text),
      ("1.2.3", .text), ("0", .integer(0)), ("-17", .integer(-17)), ("+5", .integer(5)),
      ("0o17", .integer(15)), ("0x1F", .integer(31)), ("0o8", .text), ("1.5", .number(1.5)),
      (".5", .number(0.5)), ("5.", .number(5)), ("1e3", .number(1000)), ("-1.5E-1", .number(-0.15)),
      ("9223372036854775808", .tooLarge), ("1e400", .tooLarge), (".nan", .notFinite),
      ("-.INF", .notFinite), ("2026-01-01", .text),
    ] as [(String, YAMLScalar.Meaning)])
  func means(text: String, meaning: YAMLScalar.Meaning) {
    #expect(YAMLScalar(text: text, style: .plain).meaning == meaning)
    #expect(YAMLScalar(text: text, style: .doubleQuoted).meaning == .text)
    #expect(YAMLScalar(text: text, style: .plain, tag: .str).meaning == .text)
  }

  @Test("Bytes that are not UTF-8 are refused at their place")
  func validatesUTF8() {
    let bytes = Array("a: é\nb: ".utf8) + [0xC3, 0x28]
    let result = ScenarioFile.parse(bytes: bytes, path: "f")

    #expect(result.file == nil)
    #expect(result.diagnostics.map(\.message) == ["the file is not valid UTF-8"])
    #expect(result.diagnostics.first?.range == SourceRange(file: "f", line: 2, column: 4))
    let wide = ScenarioFile.parse(bytes: [0xFF, 0xFE, 0x61, 0x00], path: "f")
    #expect(wide.diagnostics.map(\.message) == ["the file is UTF-16"])
  }

  @Test(
    "A tag that fits, and one on an expression, is no mistake",
    arguments: [
      "!!int 5", "!!int '5'", "!!float 5", "!!float .5", "!!bool true", "!!null ~", "!!str 5",
      "!!int ${{ n }}",
    ])
  func fittingTags(value: String) {
    let tagged = ScenarioFile.parse(text: "version: 2\nbuild:\n  a: \(value)\n", path: "f")
    #expect(tagged.diagnostics.isEmpty)
  }
}
