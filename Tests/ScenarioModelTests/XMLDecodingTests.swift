import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

@Suite("Reading of conditions on XML")
struct XMLDecodingTests {
  private func diagnostics(_ stdout: String) -> [Diagnostic] {
    ScenarioFile.parse(
      text: "version: 2\ntarget: { command: [x] }\nexpect: { stdout: { xml: \(stdout) } }\n",
      path: "test.yaml"
    ).diagnostics
  }

  @Test(
    "Forms that mean something",
    arguments: [
      "<a/>", "'<a x=\"1\"/>'", "{ equals: <a/> }", "{ //a: 1 }", "{ /: { contains: x } }",
      "{ .//a: 1 }",
      "{ 'a/b': 1 }", "{ '*': 1 }", "{ '@x': 1 }", "{ child::a: 1 }", "{ count(a): 1 }",
      "{ '(//a)[1]': 1 }",
      "{ namespaces: { s: urn:s }, //s:a: { exists: true } }", "'${{ env.DOCUMENT }}'",
    ])
  func forms(text: String) {
    #expect(diagnostics(text).filter { $0.severity == .error }.map(\.message) == [])
  }

  @Test(
    "What means nothing is refused with the way to write it",
    arguments: [
      ("{ contains: x }", "unknown key \"contains\" in \"xml\"", "a condition stands below a path"),
      ("{ eqals: <a/> }", "unknown key \"eqals\" in \"xml\"", "did you mean \"equals\"?"),
      ("{ order: 1 }", "unknown key \"order\" in \"xml\"", "write a path, as in { //order: 1 }"),
      (
        "{ namespace: { s: u }, //s:a: 1 }", "unknown key \"namespace\"",
        "did you mean \"namespaces\"?"
      ),
      (
        "{ //a: { contain: 1 } }", "\"contain\" is not a condition on data",
        "did you mean \"contains\"?"
      ),
      ("{ //a: { greater_tan: 1 } }", "\"greater_tan\"", "did you mean \"greater_than\"?"),
      ("//a", "\"//a\" is a path without a condition", "write \"xml: { //a: { exists: true } }\""),
      ("[<a/>]", "must be a document of XML", "xml: { //order/@id: 7 }"),
      ("{ namespaces: { s: u } }", "\"xml\" has no condition", "xml: { //order/@id: 7 }"),
      (
        "{ equals: <a/>, //a: 1 }", "\"//a\" cannot be combined with \"equals\" in \"xml\"",
        "keep one"
      ),
      ("{ //a: null }", "must be a value or conditions", "{ empty: true }"),
      ("{ '//${{ x }}': 1 }", "a key cannot contain an expression", "fixed key"),
    ])
  func refusals(text: String, message: String, help: String) {
    let found = diagnostics(text)
    #expect(found.contains { $0.message.contains(message) }, "\(text): \(found.map(\.message))")
    #expect(found.contains { $0.help?.contains(help) == true }, "\(text): \(found.map(\.help))")
  }

  @Test("A body has one form")
  func oneForm() {
    let found = ScenarioFile.parse(
      text: """
        version: 2
        target: { command: [x] }
        responses:
          - { request: { url: http://a.test/, json: 1, xml: <a/> }, reply: { status: 200 } }

        """, path: "test.yaml"
    ).diagnostics
    #expect(
      found.map(\.message) == ["\"xml\" cannot be combined with \"json\" in \"request\""])
  }
}
