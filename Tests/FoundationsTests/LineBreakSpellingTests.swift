@testable import Foundations
import Testing

/// U+0085, U+2028 and U+2029, which end a line in YAML 1.1 and are letters like any others in YAML 1.2.
@Suite("Line breaks of YAML 1.1 are letters")
struct LineBreakSpellingTests {
  static let letters = ["\u{85}", "\u{2028}", "\u{2029}"]

  private func read(_ text: String) -> YAMLReader.Result {
    YAMLReader.read(SourceText(path: "f", text: text))
  }

  private func said(_ text: String) -> [String] {
    read(text).diagnostics.map {
      "\($0.range?.line ?? 0):\($0.range?.column ?? 0) \($0.code.rawValue) \($0.message)"
    }
  }

  private func text(of node: YAMLNode?) -> String? {
    guard case .scalar(let scalar)? = node?.content else { return nil }
    return scalar.text
  }

  /// The text of the value of `a`, which is the only key.
  private func value(_ written: String) -> String? {
    let result = read("a: \(written)")
    guard result.diagnostics.isEmpty, case .mapping(let members)? = result.root?.content,
      members.count == 1
    else { return nil }
    return text(of: members.first?.value)
  }

  @Test("A scalar of any style holds them", arguments: letters)
  func styles(letter: String) {
    #expect(value("b\(letter)c") == "b\(letter)c")
    #expect(value("\(letter)b \(letter)") == "\(letter)b \(letter)")
    #expect(value("b\(letter)#c") == "b\(letter)#c")
    #expect(value("'b\(letter)c'") == "b\(letter)c")
    #expect(value("'\(letter)'") == letter)
    #expect(value("\"b \(letter) c\"") == "b \(letter) c")
    #expect(value("|\n  b\(letter)c\n") == "b\(letter)c\n")
    #expect(value("|\n  \(letter)\n   c\n") == "\(letter)\n c\n")
    #expect(value(">\n  b\(letter)c\n  d\n") == "b\(letter)c d\n")
    #expect(value("[b]\(letter)") == nil)
  }

  @Test("A line's end is one as ever", arguments: ["\n", "\r", "\r\n"])
  func realBreaks(end: String) {
    #expect(value("b\(end)  c") == "b c")
    #expect(value("'b\(end)  c'") == "b c")
    #expect(value("\"b\(end)  c\"") == "b c")
    #expect(value("|\(end)  b\(end)  c\(end)") == "b\nc\n")
    #expect(value(">\(end)  b\(end)  c\(end)") == "b c\n")
    #expect(value("|\(end)  b\u{85}\(end)  c\(end)") == "b\u{85}\nc\n")
    #expect(said("a\u{2028}b: 1\(end)c: *x") == ["2:4 E011 unknown alias \"*x\""])
  }

  @Test("A key holds them, and a comment goes on behind them", arguments: letters)
  func keysAndComments(letter: String) throws {
    let root = try #require(read("b\(letter)c: 1 # d\(letter)e: 2\n'\(letter)f': 3\n").root)
    guard case .mapping(let members) = root.content else {
      Issue.record("not a map")
      return
    }

    #expect(members.map(\.key.value) == ["b\(letter)c", "\(letter)f"])
    #expect(members.map { text(of: $0.value) } == ["1", "3"])
    #expect(members[0].key.range == SourceRange(file: "f", line: 1, column: 1, length: 3))
    #expect(members[1].key.range == SourceRange(file: "f", line: 2, column: 1, length: 4))
  }

  @Test("A mistake behind one is told at its place", arguments: letters)
  func places(letter: String) {
    #expect(said("a\(letter)b: *x") == ["1:6 E011 unknown alias \"*x\""])
    #expect(said("a: '\(letter)'\nb: [c\n").map { $0.prefix(5) } == ["3:1 E"])
    #expect(
      said("a: \(letter)\u{7}") == ["1:5 E008 a control character cannot stand in a file"])
    #expect(
      said("\"\\ud83d\\ude00\(letter)\": \u{7}")
        == ["1:18 E008 a control character cannot stand in a file"])
    #expect(
      said("a: \"b\\\(letter)c\"") == ["1:6 E009 unknown escape in a text in double quotes"])
  }

  @Test(
    "Around names, tags, markers and headers of blocks they are letters, too", arguments: letters)
  func otherPlaces(letter: String) {
    #expect(
      said("a: &x\(letter)y 1")
        == ["1:6 E011 the name of an anchor or alias cannot hold this sign"])
    #expect(
      said("a: *x\(letter)")
        == ["1:6 E011 the name of an anchor or alias cannot hold this sign"])
    #expect(said("a: !!str\(letter) x").map { $0.prefix(8) } == ["1:9 E004"])
    #expect(said("%YAML 1.2\(letter)\n---\na: 1").map { $0.prefix(9) } == ["1:10 E004"])
    #expect(said("a: |\(letter)\n  x\n").map { $0.prefix(8) } == ["1:5 E004"])
    #expect(text(of: read("---\(letter)a").root) == "---\(letter)a")
    #expect(text(of: read("a:\(letter)b").root) == "a:\(letter)b")
  }

  @Test("Escapes go on meaning them, and what else stands beside them stays", arguments: letters)
  func escapes(letter: String) {
    #expect(value("\"\\N\\L\\P\"") == "\u{85}\u{2028}\u{2029}")
    #expect(
      value("\"\(letter)\\N\\L\\P\\u0085\"") == "\(letter)\u{85}\u{2028}\u{2029}\u{85}")
    #expect(value("\"\(letter)\\ud83d\\ude00\"") == "\(letter)😀")
    #expect(value("'\(letter)\\ud83d\\ude00'") == "\(letter)\\ud83d\\ude00")
    guard case .sequence(let nodes)? = read("[?b\(letter), &c:d e\(letter), *c:d]").root?.content
    else {
      Issue.record("not a list")
      return
    }
    #expect(nodes.map { text(of: $0) } == ["?b\(letter)", "e\(letter)", "e\(letter)"])
  }

  @Test("Private letters of the file stay what they are, also those that escapes name")
  func privateLetters() {
    let numbers: ClosedRange<UInt32> = 0xE000...0xF8FF
    var all = String.UnicodeScalarView()
    for number in numbers { if let scalar = Unicode.Scalar(number) { all.append(scalar) } }
    let text = "\u{85}\(String(all))\u{2028}\u{F0000}"

    #expect(value("'\(text)'") == text)
    #expect(
      value("\"\u{2029}\\ue000\\uE001\\U0000E002\\udb80\\udc00\"")
        == "\u{2029}\u{E000}\u{E001}\u{E002}\u{F0000}")
  }

  @Test("Where no private letter is left, the file is refused; without these letters it is read")
  func noLetterLeft() {
    var all = String.UnicodeScalarView()
    let ranges: [ClosedRange<UInt32>] = [0xE000...0xF8FF, 0xF0000...0x10FFFF]
    for range in ranges {
      for number in range { if let scalar = Unicode.Scalar(number) { all.append(scalar) } }
    }
    let text = String(all)

    #expect(value("'\(text)'") == text)
    #expect(said("a: '\(text)\u{85}'").map { $0.prefix(8) } == ["1:1 E004"])
  }

  @Test("A text is cut into lines at LF, CR LF and CR alone")
  func lines() {
    let first = "a\u{85}b\u{2028}c\u{2029}d"
    let source = SourceText(path: "f", text: "\(first)\re\r\n\r\nf\n")

    #expect(source.lineCount == 5)
    #expect((1...6).map { source.line($0) } == [first, "e", "", "f", "", nil])
    #expect(UTF8Validation.firstInvalid(in: Array("a\rb\r\n".utf8) + [0xFF])?.line == 3)
  }

  @Test("A place within a text is found behind any of them", arguments: ["\n", "\r", "\r\n"])
  func places(end: String) {
    let text = "é\(end)\(end)fg"
    let places = TextPlaces(text, at: SourceRange(file: "f", line: 7, column: 10))

    let found = places.range(line: 3, column: 2, of: text)
    #expect(found?.line == 7)
    #expect(found?.column == 10 + text.unicodeScalars.count - 1)
  }
}
