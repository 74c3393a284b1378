import Testing

@testable import ScenarioModel

@Suite("Fixes for machines")
struct DiagnosticFixTests {
  /// The text with all of its fixes.
  private func mended(_ text: String) -> String {
    let source = SourceText(path: "f", text: text)
    let found = ScenarioFile.parse(text: text, path: "f").diagnostics
    let list = DiagnosticList(found) { _ in source }
    let fixed = MendedText(Array(text.utf8), path: "f", fixes: list.shown.compactMap(\.fix))
    return String(decoding: fixed.bytes, as: UTF8.self)
  }

  @Test(
    "What leaves nothing to decide is mended",
    arguments: [
      ("version: 1\ntimout: 5s\n", "version: 1\ntimeout: 5s\n"),
      ("version: 1\n\"timout\": 5s\n", "version: 1\n\"timeout\": 5s\n"),
      ("version: 1\nentropy: 'sedeed'\n", "version: 1\nentropy: 'seeded'\n"),
      ("name: a\n", "version: 1\nname: a\n"),
      ("# first\nname: a\n", "# first\nversion: 1\nname: a\n"),
      ("version: 1\nbuild: { 日本: { $uid: 1 } }\n", "version: 1\nbuild: { 日本: { $uuid: 1 } }\n"),
      ("version: 1\nbuild: { a: no, b: 010 }\n", "version: 1\nbuild: { a: \"no\", b: \"010\" }\n"),
      ("version: 1\nseed: \"3\"\n", "version: 1\nseed: 3\n"),
      ("version: 1\nname: a: b # c\n", "version: 1\nname: a: b # c\n"),
      ("version: 1\nname: a: b\n", "version: 1\nname: \"a: b\"\n"),
      ("version: 1\nname: @home\n", "version: 1\nname: \"@home\"\n"),
      ("version: 1\ntags: [a, ${{ b }}]\n", "version: 1\ntags: [a, \"${{ b }}\"]\n"),
      (
        "version: 1\nbuild: { a: x-${{ b['c'] }}/y, d: 1 }\n",
        "version: 1\nbuild: { a: \"x-${{ b['c'] }}/y\", d: 1 }\n"
      ),
      (
        "version: 1\nclock:\n  at: 2026-03-01\n   flow: held\n",
        "version: 1\nclock:\n  at: 2026-03-01\n  flow: held\n"
      ),
      ("version: 1\nsteps: [{ signal: term }]\n", "version: 1\nsteps: [{ signal: TERM }]\n"),
      (
        "version: 1\nexpect: { stdout: { empty: yes } }\n",
        "version: 1\nexpect: { stdout: { empty: true } }\n"
      ),
    ])
  func mends(wrong: String, right: String) {
    #expect(mended(wrong) == right)
  }

  @Test(
    "What could be meant in several ways is left alone",
    arguments: [
      "version: 1\nwat: 1\n", "version: 1\ntimeout: 5\n", "version: 1\nname: a\nname: b\n",
      "version: 1\ntags: [a, b\n", "version: 1\nseed: soon\n", "version: 7\n",
      "{ name: a }\n", "version: 1\nname: \"x\n",
    ])
  func leaves(text: String) {
    #expect(mended(text) == text)
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
    let mended = MendedText(
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
