import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

/// What is right elsewhere, or in another tool, and what to write for it here: each help shows the author's own value.
@Suite("Right words at wrong places")
struct PlaceMessageTests {
  /// Lines behind the version, and the helps that they give, all of them, in file order.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var text: String
    var helps: [String]

    init(_ text: String, _ helps: String...) {
      self.text = text
      self.helps = helps
    }

    var testDescription: String { text }
  }

  private func helps(_ text: String) -> [String] {
    ScenarioFile.parse(text: "version: 2\n\(text)\n", path: "f").diagnostics
      .filter { $0.severity == .error }.map { $0.help ?? "" }
  }

  static let conditionsOfText = [
    Mistake(
      "expect: { stdout: { count: 1 } }", "write \"line_count: 1\" or \"length: 1\""),
    Mistake("expect: { stdout: { size: 1 } }", "write \"length: 1\""),
    Mistake("expect: { stdout: { exist: true } }", "write \"empty: false\""),
    Mistake("expect: { stderr: { exists: false } }", "write \"empty: true\""),
    Mistake("expect: { files: { a: { exist: true } } }", "write \"exists: true\""),
    Mistake("expect: { files: { a: { present: false } } }", "write \"absent: true\""),
    Mistake("expect: { files: { a: { missing: true } } }", "write \"absent: true\""),
    Mistake("expect: { stderr: { absent: true } }", "write \"empty: true\""),
  ]

  @Test("A condition on data has another name for a text", arguments: conditionsOfText)
  func conditions(mistake: Mistake) { #expect(helps(mistake.text) == mistake.helps) }

  @Test("The same word in another number is nearer than any other word")
  func number() {
    #expect(helps("clocks: { flow: auto }").first?.hasPrefix("did you mean \"clock\"?") == true)
  }

  static let keysBelow = [
    Mistake(
      "chaos: [{ call: write, error: EIO }]",
      "\"error\" belongs to \"provide\"; write \"provide: { error: EIO }\""),
    Mistake(
      "chaos: [{ call: write, path: a, provide: { error: EIO } }]",
      "\"path\" belongs to \"where\"; write \"where: { path: a }\""),
    Mistake(
      "chaos: [{ call: write, where: { fd: tcp }, path: a, provide: { error: EIO } }]",
      "\"path\" belongs to \"where\"; write \"where: { fd: tcp, path: a }\""),
    Mistake(
      "steps: [{ exec: [ls], in: world }]",
      "\"in\" belongs to \"exec\"; write \"exec: { command: [ls], in: world }\""),
    Mistake(
      "steps: [{ eventually: { within: 5s, exit: 0 } }]",
      "write \"expect: { eventually: { within: 5s, exit: 0 } }\""
    ),
    Mistake(
      "factories: { user: { name: Ada } }",
      "fields belong below \"fields\"; write \"fields: { name: Ada }\""),
    Mistake(
      "factories: { u: { fields: { a: 1 }, traits: { x: { a: 2 } } } }",
      "fields belong below \"fields\"; write \"fields: { a: 2 }\""),
  ]

  @Test("Of many fields at a wrong place each help shows its own")
  func manyFields() {
    let fields = (0..<1_000).map { "f\($0): 1" }.joined(separator: ", ")
    let helps = helps("factories: { user: { \(fields) } }")

    #expect(helps.count == 1_000)
    #expect(helps.last == "fields belong below \"fields\"; write \"fields: { f999: 1 }\"")
  }

  @Test("A key of a map below one of the keys at hand", arguments: keysBelow)
  func below(mistake: Mistake) { #expect(helps(mistake.text) == mistake.helps) }

  static let foreignWords = [
    Mistake(
      "chaos: [{ call: write, provide: { errno: EIO } }]",
      "write \"provide: { error: EIO }\"; \"errno\" goes with \"constant\""),
    Mistake(
      "chaos: [{ call: write, when: { after: 5s }, provide: { error: EIO } }]",
      "write \"from: +5s\""),
    Mistake("responses: [{ GET https://a.test/: { body: x } }]", "write \"text: x\""),
    Mistake(
      "responses: [{ GET https://a.test/: { body: { a: 1 } } }]", "write \"json: { a: 1 }\""),
    Mistake(
      "expect: { requests: [{ request: GET https://a.test/, times: 2 }] }", "write \"count: 2\""),
    Mistake(
      "steps: [{ run: [], retry: { times: 3, delay: 1s } }]", "write \"attempts: 3\"",
      "write \"every: 1s\""),
    Mistake("expect: { files: { a: { text: x } } }", "write \"equals: x\""),
    Mistake("matrix: { file: rows.csv }", "write \"matrix: { $file: rows.csv }\""),
    Mistake(
      "responses: [{ graphql: GetUser, reply: { data: { a: 1 } } }]", "write \"query: GetUser\""),
    Mistake(
      "steps: [{ travel: { to: +5d } }]",
      "write \"travel: +5d\" for a permanent change, or add the steps after which it is undone, as in \"steps: [ … ]\""
    ),
    Mistake(
      "expect: { stdout: { json: { $items: 1 } } }",
      "for a path write \"$.items\", for plain data wrap it in $raw; known generators: $int, $list, $mutate, $omit, $time and 17 more"
    ),
    Mistake(
      "expect: { stdout: { lines: [[hi]] } }",
      "write \"hi\", without the brackets, as a separate entry"),
    Mistake("target: { command: [a], cwd: x }", "write \"working_directory: x\""),
    Mistake(
      "target: { command: [a], timezone: Europe/Berlin }",
      "write \"env: { TZ: Europe/Berlin }\""),
    Mistake("clock: { freeze: 2026-03-01 }", "write \"at: 2026-03-01, flow: held\""),
    Mistake("clock: { skew: 5s }", "write \"target: { clock: { skew: 5s } }\""),
    Mistake("build: { a: { $sequence: 1 } }", "did you mean \"$seq\"? wrap plain data in $raw"),
    Mistake("steps: [{ send: { key: return } }]", "write \"key: enter\""),
    Mistake(
      "chaos: [{ link: a.test, provide: { packet_loss: 0.1 } }]", "write \"loss: 0.1\""),
    Mistake(
      "responses: [{ \"* https://a.test/\": { status: 200 } }]",
      "write \"request: { url: URL }\" and \"reply:\" for any method"),
    Mistake("expect: { duration: \"< 5s\" }", "write { less_than: 5s }"),
    Mistake("expect: { exit: nonzero }", "write { not: 0 }"),
    Mistake(
      "chaos: [{ call: write, provide: { error: EIO, delay: 1s } }]",
      "write \"provide: { delay: 1s, then: { error: EIO } }\" to apply both in turn, or keep one of them"
    ),
    Mistake(
      "steps: [{ run: [\"${{ vars.a if vars.b else 1 }}\"] }]",
      "write case(CONDITION, VALUE, OTHERWISE) for \"VALUE if CONDITION else OTHERWISE\""),
    Mistake(
      "expect: { stdout: { json: $.a } }",
      "write \"json: { $.a: … }\", or \"$.a\" in quotes for a document that consists of this text"),
  ]

  @Test("A word of another tool", arguments: foreignWords)
  func word(mistake: Mistake) { #expect(helps(mistake.text) == mistake.helps) }

  static let wholeForms = [
    Mistake("target: [echo, hi]", "write \"target: { command: [echo, hi] }\""),
    Mistake("target: { command: [a], env: [A=b] }", "write \"env: { A: b }\""),
    Mistake("clock: 2026-03-01", "write \"clock: { at: 2026-03-01 }\""),
    Mistake(
      "target: { command: [a], ready: listening }", "write \"ready: { stdout: listening }\""),
    Mistake(
      "expect: { requests: [GET https://a.test/] }", "write \"{ request: GET https://a.test/ }\""),
    Mistake(
      "expect: { requests: [{ GET https://a.test/: 2 }] }",
      "write \"{ request: GET https://a.test/, count: 2 }\""),
    Mistake("responses: [{ GET https://a.test/: 404 }]", "write \"{ status: 404 }\""),
    Mistake(
      "responses: [{ request: GET https://a.test/, reply: 200 }]", "write \"{ status: 200 }\""),
    Mistake(
      "responses: [GET https://a.test/]", "write \"{ GET https://a.test/: { status: 200 } }\""),
    Mistake("secrets: [TOKEN]", "write \"secrets: { env: [TOKEN] }\""),
    Mistake("explore: { budget: 60s }", "write \"budget: { timeout: 60s }\""),
    Mistake("expect: { processes: 0 }", "write \"processes: { left: 0 }\""),
    Mistake(
      "blocks: { ok: { clock: { flow: held } } }\nclock: ok", "write \"clock: { block: ok }\""),
    Mistake("expect: [{ exit: 0 }, { stdout: a }]", "write \"expect: { exit: 0, stdout: a }\""),
    Mistake("network: { unmatched: 404 }", "write \"unmatched: { status: 404 }\""),
    Mistake(
      "scenarios: { a: { tags: [b] } }",
      "write \"- \" before each entry, as in \"scenarios: [{ name: a, tags: [b] }]\""),
    Mistake(
      "expect: { requests: { GET https://a.test/: 1 } }",
      "write \"- \" before each entry, as in \"requests: [{ request: GET https://a.test/, count: 1 }]\""
    ),
  ]

  @Test("The form of a map or a list, with what stands there in its place", arguments: wholeForms)
  func form(mistake: Mistake) { #expect(helps(mistake.text) == mistake.helps) }

  @Test("A list of scenarios at the top")
  func entries() {
    let found = ScenarioFile.parse(text: "- name: a\n- name: b\n", path: "f").diagnostics

    #expect(
      found.map(\.help) == [
        "write \"version: \(LanguageVersion.current)\" and \"scenarios:\" before the list"
      ])
  }

  @Test("What is too long for a help is left out")
  func long() {
    let list = (1...80).map(String.init).joined(separator: ", ")

    #expect(helps("target: [\(list)]") == ["write \"target: { command: … }\""])
  }

  static let lateExpressions = [
    ("timeout: \"${{ capture.n }}\"", "\"timeout\" cannot contain an expression that uses capture"),
    (
      "steps: [{ tick: \"${{ capture.n }}\" }]",
      "\"tick\" cannot contain an expression that uses capture"
    ),
    (
      "steps: [{ run: [], repeat: \"${{ capture.n }}\" }]",
      "\"repeat\" must be a whole number, not the text \"${{ capture.n }}\""
    ),
  ]

  @Test("An expression whose value comes too late", arguments: lateExpressions)
  func late(text: String, message: String) {
    let found = ScenarioFile.parse(text: "version: 2\n\(text)\n", path: "f").diagnostics

    #expect(found.map(\.message) == [message])
    #expect(found[0].help?.hasSuffix("an expression can use only vars and matrix here") == true)
    let early = text.replacing("capture.n", with: "vars.n")
    #expect(
      !ScenarioFile.parse(text: "version: 2\nvars: { n: 3 }\n\(early)\n", path: "f").diagnostics
        .contains { $0.severity == .error })
  }
}
