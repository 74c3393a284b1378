import Foundations
import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("What authors bring along from other tools, and other slips that deserve words of their own")
struct ForeignWordTests {
  /// A file's lines behind the version and a target, and what must be said of it.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var text: String
    var code: DiagnosticCode
    /// Line and column.
    var place: String
    var help: String
    /// What must not be said.
    var absent: String?

    init(
      _ text: String, _ code: DiagnosticCode, _ place: String, _ help: String,
      absent: String? = nil
    ) {
      self.text = text
      self.code = code
      self.place = place
      self.help = help
      self.absent = absent
    }

    /// An unknown key.
    init(_ text: String, _ place: String, _ help: String, absent: String? = nil) {
      self.init(text, .unknownKey, place, help, absent: absent)
    }

    var testDescription: String { text.split(separator: "\n").first.map(String.init) ?? "" }
  }

  static let mistakes = [
    // At the top.
    Mistake("let: { a: 1 }", "3:1", "did you mean \"build\"?", absent: "tags\"?"),
    Mistake("variables: { a: 1 }", "3:1", "did you mean \"vars\"?"),
    Mistake("needs: [a]", "3:1", "did you mean \"exclusive\"?", absent: "seed\"?"),
    Mistake("mock: {}", "3:1", "write \"responses: [{ GET https://host/", absent: "clock\"?"),
    Mistake("stubs: []", "3:1", "did you mean \"responses\"?", absent: "steps\"?"),
    Mistake("mocks: []", "3:1", "did you mean \"responses\"?"),
    Mistake("extends: base.yaml", "3:1", "did you mean \"include\"?"),
    Mistake("use: [a]", "3:1", "write \"include\""),
    Mistake("import: [a]", "3:1", "did you mean \"include\"?"),
    Mistake(
      "before: []", "3:1", "write \"steps: [{ exec: [./prepare] }]\" for \"before\" of Mocha"),
    Mistake("before_all: []", "3:1", "for \"before_all\" of Jest"),
    Mistake("setup: []", "3:1", "for \"setup\" of bats"),
    Mistake("after_each: []", "3:1", "did you mean \"cleanup\"?"),
    Mistake("teardown: []", "3:1", "did you mean \"cleanup\"?"),
    Mistake("always: [{ exec: [ls] }]", "3:1", "write \"cleanup\""),
    Mistake("finally: []", "3:1", "did you mean \"cleanup\"?"),
    Mistake("tests: []", "3:1", "did you mean \"scenarios\"?"),
    Mistake("testcases: []", "3:1", "did you mean \"scenarios\"?"),
    Mistake("jobs: {}", "3:1", "did you mean \"scenarios\"?"),
    Mistake("given: []", "3:1", "did you mean \"steps\"?"),
    Mistake("background: []", "3:1", "did you mean \"steps\"?"),
    Mistake("then: []", "3:1", "did you mean \"expect\"?"),
    Mistake("feature: a", "3:1", "did you mean \"name\"?"),
    Mistake(
      "examples: []", "3:1", "write \"matrix: { name: [a, b] }\" for \"examples\" of Gherkin"),
    Mistake("strategy: {}", "3:1", "did you mean \"matrix\"?"),
    Mistake("services: {}", "3:1", "did you mean \"targets\"?"),
    Mistake("depends_on: [db]", "3:1", "did you mean \"targets\"?"),
    Mistake("timeout-minutes: 5", "3:1", "write \"timeout: 5m\""),
    Mistake("retry: 2", "3:1", "did you mean \"retries\"?"),
    Mistake("toxics: []", "3:1", "did you mean \"chaos\"?"),
    Mistake("sleep: 3s", "3:1", "write \"tick: 3s\" in a step for \"sleep\" of bats"),
    Mistake("status_code: 3", "3:1", "for \"status_code\" of Venom and Tavern"),
    // In steps.
    Mistake("steps: [{ sleep: 3s }]", "3:11", "write \"tick: 3s\" for \"sleep\" of bats"),
    Mistake("steps: [{ advance: 3s }]", "3:11", "did you mean \"tick\"?"),
    Mistake("steps: [{ delay: 3s }]", "3:11", "did you mean \"tick\"?"),
    Mistake("steps: [{ wait_for: x }]", "3:11", "did you mean \"wait\"?"),
    Mistake("steps: [{ eventually: x }]", "3:11", "did you mean \"wait\"?"),
    Mistake("steps: [{ kill: x }]", "3:11", "write \"signal: KILL\" for \"kill\" of bats"),
    Mistake("steps: [{ shell: ls }]", "3:11", "did you mean \"exec\"?"),
    Mistake("steps: [{ script: ls }]", "3:11", "did you mean \"exec\"?"),
    Mistake("steps: [{ http: x }]", "3:11", "did you mean \"exec\"?", absent: "stop\"?"),
    Mistake("steps: [{ stub: x }]", "3:11", "did you mean \"responses\"?", absent: "stop\"?"),
    Mistake("steps: [{ mock: x }]", "3:11", "did you mean \"responses\"?", absent: "tick\"?"),
    Mistake("steps: [{ save: x }]", "3:11", "did you mean \"capture\"?", absent: "name\"?"),
    Mistake("steps: [{ register: x }]", "3:11", "did you mean \"capture\"?"),
    Mistake("steps: [{ type: x }]", "3:11", "did you mean \"send\"?"),
    Mistake("steps: [{ press: x }]", "3:11", "write \"send: { key: enter }\""),
    Mistake("steps: [{ click: x }]", "3:11", "did you mean \"send\"?"),
    Mistake("steps: [{ assert: x }]", "3:11", "did you mean \"expect\"?"),
    Mistake("steps: [{ verify: x }]", "3:11", "did you mean \"expect\"?"),
    Mistake("steps: [{ spawn: x }]", "3:11", "did you mean \"start\"?"),
    Mistake("steps: [{ command: x }]", "3:11", "did you mean \"exec\"?"),
    Mistake("steps: [{ set_time: x }]", "3:11", "did you mean \"travel\"?"),
    Mistake("steps: [{ enable: x }]", "3:11", "did you mean \"apply\"?"),
    Mistake("steps: [{ disable: x }]", "3:11", "did you mean \"revert\"?"),
    Mistake("steps: [{ input: x }]", "3:11", "did you mean \"send\"?"),
    // In expectations and conditions.
    Mistake("expect: { status: 3 }", "3:11", "did you mean \"exit\"?"),
    Mistake("expect: { status_code: 3 }", "3:11", "did you mean \"exit\"?"),
    Mistake("expect: { exit_code: 3 }", "3:11", "did you mean \"exit\"?"),
    Mistake("expect: { success: true }", "3:11", "write \"exit: 0\" for \"success\" of bats"),
    Mistake("expect: { time: 3s }", "3:11", "did you mean \"duration\"?"),
    Mistake("expect: { took: 3s }", "3:11", "did you mean \"duration\"?"),
    Mistake("expect: { output: a }", "3:11", "did you mean \"stdout\"?"),
    Mistake("expect: { lines: a }", "3:11", "did you mean \"stdout\"?"),
    Mistake("expect: { stdout: { regex: a } }", "3:21", "did you mean \"matches\"?"),
    Mistake("expect: { stdout: { contain: a } }", "3:21", "did you mean \"contains\"?"),
    Mistake("expect: { exit: { gt: 1 } }", "3:19", "did you mean \"greater_than\"?"),
    Mistake("steps: [{ wait: { output: x } }]", "3:19", "write \"stdout\""),
    // Elsewhere.
    Mistake(
      "responses: [{ request: GET https://a.b/, returns: {} }]", "3:42", "did you mean \"reply\"?"),
    Mistake(
      "responses: [{ request: GET https://a.b/, will_return: {} }]", "3:42",
      "did you mean \"reply\"?"),
    Mistake(
      "responses: [{ request: GET https://a.b/, reply: { status_code: 2 } }]", "3:51",
      "did you mean \"status\"?"),
    Mistake(
      "responses: [{ request: GET https://a.b/, reply: { delay: 2s } }]", "3:51",
      "write \"after: 3s\""),
    // Slips that are no words.
    Mistake(
      "<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> x", .badSyntax, "3:1",
      "keep one of the two sides"),
    Mistake(
      "clock:\n\u{A0}\u{A0}at: 2030-01-01", .badIndentation, "4:1",
      "replace it with normal spaces"),
    Mistake(
      "clock:\nat: 2030-01-01\nflow: held", .badIndentation, "4:1", "indent it and the lines"),
    Mistake("steps: [{ run: hello world }]", .wrongType, "3:16", "write \"run: [hello, world]\""),
    Mistake(
      "targets: { a: echo hi }", .wrongType, "3:15", "write \"target: { command: [echo, hi] }\""),
    Mistake("expect: { exit: '!= 0' }", .wrongType, "3:17", "write { not: 0 }"),
    Mistake("expect: { exit: '> 3' }", .wrongType, "3:17", "write { greater_than: 3 }"),
    Mistake("expect: { exit: '>= 3' }", .wrongType, "3:17", "write { at_least: 3 }"),
    Mistake("expect: { exit: '== 3' }", .wrongType, "3:17", "write 3"),
    Mistake(
      "name: \"C:\\Users\"", .badEscape, "3:12", "write a backslash that is meant as one twice"),
  ]

  @Test("Each is told with its code, its place and what to write", arguments: mistakes)
  func told(mistake: Mistake) throws {
    let text = "version: 2\ntarget: { command: [x] }\n\(mistake.text)\n"
    let found = ScenarioFile.parse(text: text, path: "f").diagnostics
    let places = found.map { "\($0.range?.line ?? 0):\($0.range?.column ?? 0)" }
    let index = try #require(places.firstIndex(of: mistake.place), "\(found)")
    let help = found[index].help ?? ""

    #expect(found[index].code == mistake.code)
    #expect(help.contains(mistake.help), "\(help)")
    if let absent = mistake.absent {
      #expect(!help.contains("did you mean \"\(absent)"), "\(help)")
    }
    #expect(found.count { $0.severity == .error } == 1, "\(found.map(\.message))")
    // Nobody reads a longer list.
    if let list = help.firstRange(of: "allowed keys: ") {
      #expect(help[list.upperBound...].split(separator: ",").count <= 5, "\(help)")
    }
  }

  @Test(
    "A number of bytes with a unit that says too little", arguments: ["64M", "64m", "64mb", "64K"])
  func units(text: String) {
    let found = ScenarioFile.parse(
      text: "version: 2\ntarget: { command: [x], limits: { memory: \(text) } }\n", path: "f")
    let help = found.diagnostics.first?.help ?? ""
    let letter = text.uppercased().contains("K") ? "K" : "M"

    #expect(help.hasPrefix("write \"64\(letter)iB\" for powers of 1024"), "\(help)")
    #expect(help.contains("\"64\(letter)B\""))
  }

  @Test("A target that is a command line")
  func commandLine() {
    let found = ScenarioFile.parse(text: "version: 2\ntarget: echo hi\n", path: "f").diagnostics

    #expect(found.map(\.help) == ["write \"target: { command: [echo, hi] }\""])
  }

  @Test("Each word of the table means a key that some map has, and stands there once")
  func table() {
    var keys: Set<String> = []
    for definition in LanguageDescription.definitions {
      if case .map(let own, _) = definition.content { keys.formUnion(own.map(\.name)) }
    }
    for word in ForeignWord.all {
      #expect(word.meanings.contains { keys.contains($0.key) }, "\(word.form)")
      #expect(WordForm(word.form).text == word.form)
      #expect(!word.tools.isEmpty)
    }
    #expect(Set(ForeignWord.all.map(\.form)).count == ForeignWord.all.count)
  }
}
