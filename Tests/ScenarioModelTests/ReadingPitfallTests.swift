@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

/// The public pitfalls of YAML one by one, each to the letter and to the column.
@Suite("Pitfalls of YAML")
struct ReadingPitfallTests {
  private static let head = "version: 2\ntarget: { command: [date] }\n"

  /// A file with a mistake, and what is said about it.
  struct Pitfall: CustomTestStringConvertible {
    let text: String
    let said: [String]
    var testDescription: String { said.joined(separator: " / ") }

    init(_ text: String, _ said: String...) {
      self.text = text
      self.said = said
    }
  }

  private func said(_ bytes: [UInt8]) -> [String] {
    ScenarioFile.parse(bytes: bytes, path: "f").diagnostics.map {
      "\($0.range?.line ?? 0):\($0.range?.column ?? 0) \($0.code.rawValue) \($0.message)"
    }
  }

  @Test(
    "Each is reported at its place",
    arguments: [
      // Norway
      Pitfall(
        "build: { a: no }", "3:13 W001 \"no\" is text here, but false in YAML 1.1"),
      Pitfall(
        "build: { a: [NO, Off, on, Yes] }",
        "3:14 W001 \"NO\" is text here, but false in YAML 1.1",
        "3:18 W001 \"Off\" is text here, but false in YAML 1.1",
        "3:23 W001 \"on\" is text here, but true in YAML 1.1",
        "3:27 W001 \"Yes\" is text here, but true in YAML 1.1"),
      Pitfall("seed: no", "3:7 E023 \"seed\" must be a whole number, not the text \"no\""),
      Pitfall(
        "expect: { stdout: { empty: yes } }",
        "3:28 E023 \"empty\" must be true or false, not the text \"yes\""),
      // Octal
      Pitfall(
        "build: { a: 010 }",
        "3:13 W002 \"010\" is text here, but the number 8 in YAML 1.1"),
      Pitfall(
        "build: { a: 08 }", "3:13 W002 \"08\" is text here, but a number in YAML 1.1"),
      Pitfall("seed: 010", "3:7 E023 \"seed\" must be a whole number, not the text \"010\""),
      // Sexagesimal
      Pitfall(
        "build: { a: 1:30 }",
        "3:13 W003 \"1:30\" is text here, but the number 90 in YAML 1.1"),
      Pitfall("timeout: 1:30", "3:10 E040 \"1:30\" is not a duration"),
      // Numbers that are none
      Pitfall(
        "build: { a: 1_000, b: 0b11 }",
        "3:13 W004 \"1_000\" is text here, but the number 1000 in YAML 1.1",
        "3:23 W004 \"0b11\" is text here, but the number 3 in YAML 1.1"),
      // Tabs
      Pitfall("clock:\n\tat: 2026-03-01", "4:1 E005 a tab cannot indent a line"),
      Pitfall("steps:\n  - run: []\n\t- wait: idle", "5:1 E005 a tab cannot indent a line"),
      // Lines that are not lined up
      Pitfall(
        "clock:\n  at: 2026-03-01\n   flow: held",
        "5:4 E005 \"flow\" is indented deeper than \"at\" above it, which has a value already"),
      Pitfall(
        "clock:\n    at: 2026-03-01\n  flow: held",
        "5:3 E005 this line fits no key or list above it"),
      // Unclosed
      Pitfall("tags: [a, b\ntimeout: 5s", "4:8 E006 a list in brackets is missing \",\" or \"]\""),
      Pitfall("tags: [a, b", "4:1 E006 a list in brackets is missing \",\" or \"]\""),
      Pitfall(
        "clock: { at: 2026-03-01\ntimeout: 5s", "4:8 E006 a map in braces is missing \",\" or \"}\""
      ),
      Pitfall("name: \"abc\ntimeout: 5s", "3:7 E006 the text has no closing quote"),
      Pitfall("name: 'abc\ntimeout: 5s", "3:7 E006 the text has no closing quote"),
      Pitfall("name: \"a\" b", "3:11 E004 text stands behind the closing quote"),
      // Signs without quotes
      Pitfall("name: a: b: c", "3:8 E007 a \":\" stands where no key can be"),
      Pitfall("name: {{ x }}", "3:8 E014 a map in braces cannot be a key"),
      Pitfall("build: { a: {{ x }} }", "3:14 E014 a map in braces cannot be a key"),
      Pitfall(
        "build: { a: ${{ x }} }", "3:13 E007 an expression inside {…} or […] must be in quotes"),
      Pitfall(
        "tags: [a, ${{ x }}]", "3:11 E007 an expression inside {…} or […] must be in quotes"),
      Pitfall(
        "tags: [\"${{ x }}\", ${{ y }}]",
        "3:20 E007 an expression inside {…} or […] must be in quotes"),
      Pitfall("tags: [\"${{ x }}\" b]", "3:19 E006 a list in brackets is missing \",\" or \"]\""),
      Pitfall("name: @home", "3:7 E007 a text without quotes cannot begin with \"@\""),
      Pitfall("name: `home`", "3:7 E007 a text without quotes cannot begin with \"`\""),
      Pitfall("name: %home", "3:7 E007 a text without quotes cannot begin with \"%\""),
      // Bytes
      Pitfall("name: a\0b", "3:8 E008 a control character cannot stand in a file"),
      Pitfall("name: a\u{7}b", "3:8 E008 a control character cannot stand in a file"),
      Pitfall("name: \"a\\0b\"", "3:7 E008 \"name\" contains a NUL character"),
      Pitfall("name: \"\\d\"", "3:8 E009 unknown escape in a text in double quotes"),
      // Keys and aliases
      Pitfall("name: a\ntimeout: 5s\nname: b", "5:1 E010 duplicate key \"name\""),
      Pitfall("build: { 1: a, \"1\": b }", "3:16 E010 duplicate key \"1\""),
      Pitfall("tags: *nope", "3:7 E011 unknown alias \"*nope\""),
      Pitfall("build: &a { x: *a }", "3:16 E011 the alias \"*a\" stands inside its own anchor"),
      Pitfall("name: !x y", "3:7 E012 unknown tag \"!x\""),
      Pitfall(
        "build:\n  \(String(repeating: "k", count: 1100)): 1",
        "4:3 E003 a key has more than 1024 characters"),
      Pitfall(
        "build: { \(String(repeating: "k", count: 1100)): 1 }",
        "3:10 E003 a key has more than 1024 characters"),
      // Documents
      Pitfall("---\nname: x", "3:1 E013 a second document begins here"),
    ])
  func told(pitfall: Pitfall) {
    #expect(said(Array((Self.head + pitfall.text + "\n").utf8)) == pitfall.said)
  }

  @Test("What is text for everybody is not warned of")
  func quiet() {
    let text =
      "build: { a: \"no\", b: y, c: none, d: 1:75, e: 8080:80, f: 0, g: -1, h: 0o10, i: 1.5 }\n"

    #expect(said(Array((Self.head + text).utf8)) == [])
    #expect(said(Array((Self.head + "target: { command: [x, no, 010, 1:30] }\n").utf8)).count == 1)
  }

  @Test("Arguments and variables are text as written")
  func arguments() {
    let text = "version: 2\ntarget: { command: [x, no, 010, 1:30], env: { A: off, B: 0b1 } }\n"

    #expect(said(Array(text.utf8)) == [])
  }

  @Test("A directive of another version is named")
  func directive() {
    #expect(
      said(Array("%YAML 1.3\n---\nversion: 2\n".utf8)) == [
        "1:1 E013 this version of YAML is not known"
      ])
    #expect(said(Array("%YAML 1.2\n---\nversion: 2\n".utf8)) == [])
  }

  @Test("Other encodings are named, and a byte order mark of UTF-8 does not count")
  func encodings() {
    func units(_ text: String, bigEndian: Bool) -> [UInt8] {
      text.utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return bigEndian ? [high, low] : [low, high]
      }
    }
    let utf16 = ["1:1 E002 the file is UTF-16"]
    #expect(said([0xFF, 0xFE] + units(Self.head, bigEndian: false)) == utf16)
    #expect(said([0xFE, 0xFF] + units(Self.head, bigEndian: true)) == utf16)
    #expect(said(units(Self.head, bigEndian: false)) == utf16)
    #expect(said(units(Self.head, bigEndian: true)) == utf16)
    func words(_ text: String, bigEndian: Bool) -> [UInt8] {
      text.utf8.flatMap { bigEndian ? [0, 0, 0, $0] : [$0, 0, 0, 0] }
    }
    let utf32 = ["1:1 E002 the file is UTF-32"]
    #expect(said([0xFF, 0xFE, 0, 0] + words(Self.head, bigEndian: false)) == utf32)
    #expect(said([0, 0, 0xFE, 0xFF] + words(Self.head, bigEndian: true)) == utf32)
    #expect(said(words(Self.head, bigEndian: false)) == utf32)
    #expect(said(words(Self.head, bigEndian: true)) == utf32)
    #expect(
      said(Array((Self.head + "name: caf").utf8) + [0xE9, 0x0A])
        == ["3:10 E002 the file is not valid UTF-8"])
    #expect(
      said([0xEF, 0xBB, 0xBF] + Array((Self.head + "timout: 5s\n").utf8))
        == ["3:1 E021 unknown key \"timout\" in the file"])
  }

  @Test("Lines may end as on Windows")
  func lineEnds() {
    let text = (Self.head + "name: x\ntimout: 5s\n").split(separator: "\n").joined(
      separator: "\r\n")

    #expect(said(Array(text.utf8)) == ["4:1 E021 unknown key \"timout\" in the file"])
  }

  @Test("Both places of a key that stands twice are reported, and of a list that has no end")
  func notes() {
    func notes(_ text: String) -> [String] {
      ScenarioFile.parse(text: Self.head + text, path: "f").diagnostics.flatMap(\.notes).map {
        "\($0.range?.line ?? 0):\($0.range?.column ?? 0) \($0.message)"
      }
    }
    #expect(notes("name: a\nname: b\n") == ["3:1 the key stands here first"])
    #expect(notes("build: &a { x: *a }\n") == ["3:8 the anchor is here"])
    #expect(notes("tags: [a\nname: b\n") == ["3:7 the list begins here"])
  }

  @Test(
    "What nests without end is an error at the limit",
    arguments: ["[", "{a: ", "- ", "? "])
  func nesting(opener: String) {
    let text =
      Self.head + "build: \(opener == "- " || opener == "? " ? "\n  " : "")"
      + String(repeating: opener, count: 20_000)
    let found = said(Array(text.utf8))

    #expect(found.count == 1)
    #expect(found.first?.contains("E003 lists and maps nest deeper than 100") == true, "\(found)")
  }

  @Test("A bomb of aliases is defused")
  func bomb() {
    var text = "a: &a [x,x,x,x,x,x,x,x,x]\n"
    for (name, inner) in zip("bcdefghi", "abcdefgh") {
      text +=
        "\(name): &\(name) [\(Array(repeating: "*\(inner)", count: 9).joined(separator: ","))]\n"
    }

    #expect(text.utf8.count < 400)
    #expect(
      said(Array(text.utf8)) == [
        "6:8 E003 the aliases of this file stand for more than 100000 nodes"
      ])
  }

  @Test("Mistakes in front of what cannot be read are reported as well")
  func parts() {
    #expect(
      said(Array((Self.head + "timout: 5s\nseed: soon\nname: \"x\n").utf8)) == [
        "3:1 E021 unknown key \"timout\" in the file",
        "4:7 E023 \"seed\" must be a whole number, not the text \"soon\"",
        "5:7 E006 the text has no closing quote",
      ])
    // What may stand further down is not missed.
    #expect(said(Array("name: \"x\n".utf8)) == ["1:7 E006 the text has no closing quote"])
  }
}
