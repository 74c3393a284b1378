@testable import Foundations
import OrderedCollections
@testable import ScenarioModel
import Testing

@Suite("Matrix, use, skip, only and capture as they are written")
struct CasesDecodingTests {
  private static let start = "version: 2\ntarget: { command: [x] }\n"

  private func mistakes(_ text: String) -> [String] { brief(Self.start + text) }

  private func body(_ text: String) throws -> ScenarioBody {
    let result = parse(Self.start + text)
    #expect(result.messages == "")
    return try #require(result.file).defaults
  }

  @Test("A matrix holds lists by name, with values of any kind")
  func axes() throws {
    let matrix = try #require(
      try body(
        "matrix: { plan: [basic, 2, null, { a: [1] }], include: [{ plan: 3 }], exclude: [{ plan: 2 }] }"
      ).matrix)

    #expect(matrix.axes.map(\.name.value) == ["plan"])
    #expect(
      matrix.axes[0].values.map(\.value) == [
        .string("basic"), .integer(2), .null, .map(["a": .list([.integer(1)])]),
      ])
    #expect(matrix.include.map { $0.cells.map(\.value) } == [[.integer(3)]])
    #expect(matrix.exclude.map(\.range.line) == [3])
  }

  @Test("A key of a matrix that makes nothing is data")
  func dollars() throws {
    let matrix = try #require(try body("matrix: { a: [{ $ref: '#/x' }, $build] }").matrix)
    #expect(
      matrix.axes[0].values.map(\.value) == [.map(["$ref": .string("#/x")]), .string("$build")])
  }

  @Test("A matrix of maps holds rows, each with its lines")
  func rows() throws {
    let matrix = try #require(
      try body("matrix:\n  - plan: basic\n    price: 1\n  - { plan: pro }\n").matrix)

    #expect(matrix.rows.map(\.range.line) == [4, 6])
    #expect(matrix.rows.map(\.lastLine) == [5, 6])
    #expect(matrix.rows[0].cells.map(\.name.value) == ["plan", "price"])
  }

  @Test(
    "What gives no rows is refused where it stands",
    arguments: [
      ("matrix: {}", "3:9: \"matrix\" is empty"),
      ("matrix: []", "3:9: \"matrix\" is empty"),
      ("matrix: { plan: [] }", "3:17: \"matrix.plan\" is empty"),
      ("matrix: { plan: basic }", "3:17: \"matrix.plan\" must be a list, not the text \"basic\""),
      (
        "matrix: all",
        "3:9: \"matrix\" must be a map of lists, or a list of maps, not the text \"all\""
      ),
      ("matrix: { exclude: [{ a: 1 }] }", "3:9: \"matrix\" has no lists to combine"),
      (
        "matrix: { a: [{ b: [{ $build: user }] }] }",
        "3:23: a matrix cannot contain a generator, but \"$build\" is one"
      ),
      (
        "matrix: [{ a: { $int: [1, 2] } }]",
        "3:17: a matrix cannot contain a generator, but \"$int\" is one"
      ),
      ("matrix: [{}]", "3:10: an entry of \"matrix\" is empty"),
      ("matrix: { a: [1, 2, 1] }", "3:21: \"matrix.a\" has the value 1 twice"),
      ("matrix: { inclde: [{ a: 1 }] }", "3:11: unknown key \"inclde\" in \"matrix\""),
      ("matrix: { a-b: [1] }", "3:11: \"a-b\" cannot be a name in a matrix"),
      ("matrix: { 1a: [1] }", "3:11: \"1a\" cannot be a name in a matrix"),
      (
        "matrix: { a: [\"${{ seed }}\"] }",
        "3:15: a value of \"matrix\" cannot contain an expression or a generator"
      ),
    ])
  func refusedMatrix(_ text: String, _ message: String) {
    #expect(mistakes(text) == [message])
  }

  @Test("A reason to skip is a text, alone or with a condition")
  func skip() throws {
    #expect(try body("skip: waits for the API").skip?.reason.value == "waits for the API")
    let rule = try body("skip: { if: \"${{ seed == 0 }}\", reason: no seed }").skip
    #expect(rule?.reason.value == "no seed")
    #expect(rule?.condition != nil)
    #expect(try body("skip: \"true\"").skip?.reason.value == "true")
  }

  @Test(
    "A skip that says no reason is refused, with help",
    arguments: [
      ("skip: true", "3:7: \"skip\" must be a reason, not true"),
      ("skip: false", "3:7: \"skip\" must be a reason, not false"),
      ("skip: yes", "3:7: \"skip\" must be a reason, not the text \"yes\""),
      ("skip:", "3:6: \"skip\" must be a reason, not nothing"),
      ("skip: \"\"", "3:7: \"skip\" is empty"),
      ("skip: [a]", "3:7: \"skip\" must be a reason, not a list"),
      ("skip: { reason: x }", "3:7: missing required key \"if\" in \"skip\""),
      ("skip: { if: true }", "3:7: missing required key \"reason\" in \"skip\""),
      ("skip: { if: true, reason: true }", "3:27: \"skip\" must be a reason, not true"),
    ])
  func refusedSkip(_ text: String, _ message: String) {
    #expect(mistakes(text) == [message])
    #expect(messages(Self.start + text).contains("help:"))
  }

  @Test("Only is true or false")
  func only() throws {
    #expect(try body("only: true").only?.value == true)
    #expect(mistakes("only: yes") == ["3:7: \"only\" must be true or false, not the text \"yes\""])
  }

  @Test("Files that are used stand at the top, as a list of paths")
  func use() throws {
    let file = try #require(parse(Self.start + "include: [a.yaml, b/c.yaml]").file)
    #expect(file.uses.map(\.value) == ["a.yaml", "b/c.yaml"])
    #expect(
      mistakes("include: a.yaml") == ["3:10: \"include\" must be a list, not the text \"a.yaml\""])
    #expect(mistakes("include: []") == ["3:10: \"include\" is empty"])
    #expect(mistakes("include: ['']") == ["3:11: an entry of \"include\" is empty"])
    #expect(
      mistakes("include: [\"${{ dir }}/a\"]") == [
        "3:11: an entry of \"include\" cannot contain an expression"
      ])
    let inside = Self.start + "scenarios:\n  - name: a\n    include: [a.yaml]\n"
    #expect(brief(inside) == ["5:5: unknown key \"include\" in a scenario"])
    #expect(messages(inside).contains("at the top of the file"))
  }

  @Test("A capture names texts of the target's output")
  func capture() throws {
    let steps = try body(
      "steps:\n  - capture: { a: { stdout: 'x=(.)' }, b: { stderr: y } }\n")
    guard case .capture(let rules)? = steps.allSteps.first?.action else {
      Issue.record("no capture")
      return
    }
    #expect(rules.map(\.name.value) == ["a", "b"])
    #expect(rules.map(\.source) == [.output, .errorOutput])
  }

  @Test(
    "A capture that says too little or too much is refused",
    arguments: [
      ("{}", "4:14: \"capture\" is empty"),
      ("token", "4:14: \"capture\" must be a map, not the text \"token\""),
      ("{ a: x }", "4:19: \"capture.a\" must be a map, not the text \"x\""),
      ("{ a: {} }", "4:19: \"capture.a\" does not say where to find the value"),
      ("{ a-b: { stdout: x } }", "4:16: \"a-b\" cannot be a name of \"capture\""),
      ("{ a: { stdin: x } }", "4:21: unknown key \"stdin\" in \"capture.a\""),
    ])
  func refusedCapture(_ text: String, _ message: String) {
    #expect(mistakes("steps:\n  - capture: \(text)\n") == [message])
  }
}
