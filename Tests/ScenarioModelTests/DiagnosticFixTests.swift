@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("Fixes for machines")
struct DiagnosticFixTests {
  /// The text with all of its fixes.
  private func mended(_ text: String) -> String {
    let source = SourceText(path: "f", text: text)
    let found = ScenarioFile.parse(text: text, path: "f").diagnostics
    let list = DiagnosticList(found) { _ in source }
    let fixed = FixedText(Array(text.utf8), path: "f", fixes: list.certainFixes)
    return String(decoding: fixed.bytes, as: UTF8.self)
  }

  @Test(
    "What leaves nothing to decide is mended",
    arguments: [
      ("version: 2\ntimout: 5s\n", "version: 2\ntimeout: 5s\n"),
      ("version: 2\n\"timout\": 5s\n", "version: 2\n\"timeout\": 5s\n"),
      ("name: a\n", "version: 2\nname: a\n"),
      ("# first\nname: a\n", "# first\nversion: 2\nname: a\n"),
      (
        "version: 2\nTags: [a]\nallow-readonly: true\n",
        "version: 2\ntags: [a]\nallow_readonly: true\n"
      ),
      (
        "version: 2\ntarget: { cmd: [date], environment: { A: b } }\n",
        "version: 2\ntarget: { command: [date], env: { A: b } }\n"
      ),
      (
        "version: 2\nexpect: { exit_code: 3, stdout: { regex: a } }\n",
        "version: 2\nexpect: { exit: 3, stdout: { matches: a } }\n"
      ),
      ("version: 2\nbuild: { 日本: { $UUID: 1 } }\n", "version: 2\nbuild: { 日本: { $uuid: 1 } }\n"),
      // What stands behind a key that is mended is mended as well.
      (
        "version: 2\nscenarois:\n  - name: a\n    timout: 5s\n",
        "version: 2\nscenarios:\n  - name: a\n    timeout: 5s\n"
      ),
      ("version: 2\nseed: \"3\"\n", "version: 2\nseed: 3\n"),
      ("version: 2\nname: a: b # c\n", "version: 2\nname: a: b # c\n"),
      ("version: 2\nname: a: b\n", "version: 2\nname: a: b\n"),
      ("version: 2\nname: @home\n", "version: 2\nname: \"@home\"\n"),
      ("version: 2\ntags: [a, ${{ b }}]\n", "version: 2\ntags: [a, \"${{ b }}\"]\n"),
      (
        "version: 2\nbuild: { a: x-${{ b['c'] }}/y, d: 1 }\n",
        "version: 2\nbuild: { a: \"x-${{ b['c'] }}/y\", d: 1 }\n"
      ),
      (
        "version: 2\nclock:\n  at: 2026-03-01\n   flow: held\n",
        "version: 2\nclock:\n  at: 2026-03-01\n  flow: held\n"
      ),
      ("version: 2\nsteps: [run]\n", "version: 2\nsteps: [{ run: }]\n"),
      (
        "version: 2\nsteps: [start,\n  freeze]\n",
        "version: 2\nsteps: [{ start: },\n  { freeze: }]\n"
      ),
      ("version: 2\nsteps:\n  - run\n  -  stop\n", "version: 2\nsteps:\n  - run:\n  -  stop:\n"),
      ("version: 2\nexpect: { exit: '1' }\n", "version: 2\nexpect: { exit: 1 }\n"),
      ("version: 2\nsteps: [{ signal: term }]\n", "version: 2\nsteps: [{ signal: TERM }]\n"),
      (
        "version: 2\nexpect: { stdout: { empty: yes } }\n",
        "version: 2\nexpect: { stdout: { empty: true } }\n"
      ),
    ])
  func mends(wrong: String, right: String) {
    #expect(mended(wrong) == right)
  }

  @Test(
    "What could be meant in several ways is left alone",
    arguments: [
      "version: 2\nwat: 1\n", "version: 2\ntimeout: 5\n", "version: 2\nname: a\nname: b\n",
      "version: 2\ntags: [a, b\n", "version: 2\nseed: soon\n", "version: 7\n",
      "{ name: a }\n", "version: 2\nname: \"x\n",
      // A name that is merely near may be any.
      "version: 2\nneeds: 1\n", "version: 2\nvars: [smoke]\n", "version: 2\nmock: 1s\n",
      "version: 2\nsteps: [{ repeat: all }]\n", "version: 2\nsteps: [{ restart: [] }]\n",
      "version: 2\nsteps: [{ retry: }]\n", "version: 2\nsteps: [{ set: hello }]\n",
      "version: 2\nsteps: [{ mock: 3s }]\n", "version: 2\ntag: [a]\n",
      // A list of lines is no program with its arguments.
      "version: 2\ntarget: { commands: [echo a, echo b] }\n",
      // A word that the language has in another place, or that other tools have, is no slip of a near one.
      "version: 2\nresponses: [{ request: GET https://a.b/, replay: { status: 200 } }]\n",
      "version: 2\nexpect: { request: [{ url: https://a.b/ }] }\n",
      "version: 2\nbuild: { a: { $uid: 1 } }\n", "version: 2\nbuild: { a: { $build: usr } }\n",
      // The key is near, and what stands behind it fits no such key.
      "version: 2\nentropy: 'sedeed'\n", "version: 2\ntimout: [5s]\n", "version: 2\ntimout: soon\n",
      "version: 2\nenvironment: 3\n",
      // The map has such a key already, or two keys are near.
      "version: 2\ntimeout: 5s\ntimout: 5s\n", "version: 2\ntargt: { command: [date] }\n",
      "version: 2\nbuild: &user { a: 1 }\nfactories: *User\n",
      "version: 2\ntarget: command: [date]\n",
      "version: 2\nexpect: { stdout: { json: { $.a: { contians: b } } } }\n",
      "version: 2\nname: issue #12 is\n", "version: 2\nmatrix: { a: [3.10] }\n",
      // Without the quotes it would be no number either.
      "version: 2\nexpect: { exit: '01' }\n",
      "version: 2\nexpect: { stdout: { length: { at_least: '01' } } }\n",
      "version: 2\nexpect: { stdout: { length: { at_least: 'inf' } } }\n",
      // A map, a truth value or a number may be meant as well as a text.
      "version: 2\nexpect: { exit: 0 }\nbuild:\n  obj:\n    not: a: 1\n",
      "version: 2\nbuild: { a: no, b: 0777, c: 1_000, d: 12:30:00 }\n",
    ])
  func leaves(text: String) {
    #expect(mended(text) == text)
  }

  @Test(
    "A suggestion says how sure it is",
    arguments: [
      ("timout: 5s", "timeout", .certain), ("timout: soon", "timeout", .likely),
      ("Tags: [a]", "tags", .certain), ("mocks: []", "responses", .likely),
      ("needs: 1", "exclusive", .likely), ("let: [a]", "build", .likely),
      ("entropy: sedeed", "seeded", .likely), ("entropy: relai", "real", .guess),
      ("steps: [{ suspned: 1s }]", "suspend", .certain),
      ("expect: { stdout: { contian: a } }", "contains", .guess),
      ("target: { cmd: [date] }", "command", .certain),
      // A slip of a key, and a value that fits it; and a value that does not.
      ("target: { cmmand: [date] }", "command", .certain),
      ("target: { cmmand: { a: b } }", "command", .likely),
      // A word of other tools, for the same there; and one that means something else there.
      (
        "responses: [{ request: GET https://a.b/, reply: { status_code: 404 } }]", "status",
        .certain
      ),
      ("expect: { status_code: 3 }", "exit", .likely),
      ("expect: { stdout: { match: a } }", "matches", .likely),
      // A word that the language has elsewhere.
      ("expect: { request: [{ url: https://a.b/ }] }", "requests", .likely),
      (
        "responses: [{ request: GET https://a.b/, replay: { status: 200 } }]", "reply", .likely
      ),
      // Former names: certain unless they mean something else today.
      ("expect: { elapsed: 1s }", "duration", .certain),
      ("always: [{ exec: [ls] }]", "cleanup", .likely),
      (
        "chaos: [{ call: read, when: { after: 3 }, provide: { error: EIO } }]", "skip", .likely
      ),
      // A filter of templates.
      ("build: { a: \"é ${{ x | default('b') }}\" }", "default(x, 'b')", .likely),
      ("build:\n  a: |\n    ${{  x |upper  }}", "upper(x)", .likely),
    ] as [(String, String, DiagnosticFix.Confidence)])
  func confidence(line: String, name: String, confidence: DiagnosticFix.Confidence) {
    let text = "version: 2\n\(line)\n"
    let source = SourceText(path: "f", text: text)
    let list = DiagnosticList(ScenarioFile.parse(text: text, path: "f").diagnostics) { _ in source }
    let fixes = list.shown.compactMap(\.fix)

    #expect(fixes.map(\.text) == [name])
    #expect(fixes.map(\.confidence) == [confidence])
  }

  @Test(
    "What is wrong behind a key that is nearly right is reported, unless the value fits no such key"
  )
  func adopted() {
    #expect(
      brief("version: 2\nscenarois:\n  - name: a\n    sed: 1\n") == [
        "2:1: unknown key \"scenarois\" in the file", "4:5: unknown key \"sed\" in a scenario",
      ])
    #expect(
      brief("version: 2\nscenarois: { nme: a }\n") == [
        "2:1: unknown key \"scenarois\" in the file"
      ])
  }

  @Test("Of two changes that overlap one is made; a byte order mark and line ends stay")
  func overlaps() {
    let text = "\u{FEFF}ab cd\r\nefg\r\n"
    func fix(_ line: Int, _ column: Int, _ length: Int, _ with: String) -> DiagnosticFix {
      var fix = DiagnosticFix(
        inserting: with, at: SourceRange(file: "f", line: line, column: column))
      fix.length = length
      return fix
    }
    let mended = FixedText(
      Array(text.utf8), path: "f",
      fixes: [
        fix(2, 1, 1, "E"), fix(1, 2, 3, "x"), fix(1, 4, 2, "y"), fix(9, 1, 1, "z"),
        fix(2, 3, 1, "G"), fix(2, 3, 5, "far"),
      ])

    #expect(String(decoding: mended.bytes, as: UTF8.self) == "\u{FEFF}axd\r\nEfG\r\n")
    #expect(mended.count == 3)
  }

  @Test("More than a hundred mistakes are counted, warnings last")
  func cap() {
    let warning = Diagnostic("w", code: .unused, at: nil)
    let error = Diagnostic("e", code: .unknownKey, at: nil)
    let many = [warning] + Array(repeating: error, count: 150)
    let few = DiagnosticList([warning, error, warning]) { _ in nil }
    let list = DiagnosticList(many) { _ in nil }

    #expect(list.shown.count == 100)
    #expect(list.shown.allSatisfy { $0.severity == .error })
    #expect(list.errors == 150 && list.warnings == 1 && list.omitted == 51)
    #expect(few.shown.map(\.message) == ["w", "e", "w"])
    #expect(few.omitted == 0)
  }

  @Test("Columns in UTF-16 count what lies beyond 16 bits twice")
  func units() {
    let source = SourceText(path: "f", text: "a😀é b\n")

    #expect((1...6).map { source.utf16Column(line: 1, column: $0) } == [1, 2, 4, 5, 6, 7])
    #expect(source.utf16Column(line: 1, column: 9) == 10)
    #expect(source.utf16Column(line: 7, column: 3) == 3)
  }
}
