@testable import Foundations
import Glibc
@testable import ScenarioSyntax
import Testing

/// `scenario fmt`: one style, the same values, every comment.
@Suite struct FormatterTests {
  private func formatted(_ text: String) -> String {
    switch ScenarioFormatter.format(bytes: Array(text.utf8), path: "f.yaml") {
    case .formatted(let text): return text
    case .refused(let diagnostics): return "refused: \(diagnostics.map(\.message))"
    }
  }

  private func expect(
    _ text: String, gives expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let once = formatted(text)
    #expect(once == expected, sourceLocation: sourceLocation)
    #expect(formatted(once) == once, "formatted twice", sourceLocation: sourceLocation)
  }

  @Test("Comments stay with what they are about")
  func comments() {
    expect(
      """
      # first

      version: 2   # eol
      scenarios:      # of the key
      # of the entry, not indented
      - name: a
        # inner
        steps:
        - run:      # one
          expect:   # two
              exit: 0 # three
        # behind the steps
      # between
      -   # of the dash
        name: b
        steps: [
          {run: [a]}, # first

          # second
          {run: [b]},
          # last
        ]
        text: | # of the text
          x
        # behind all
      # end

      """,
      gives: """
        # first

        version: 2  # eol
        scenarios:  # of the key
          # of the entry, not indented
          - name: a
            # inner
            steps:
              - run:     # one
                expect:  # two
                  exit: 0  # three
            # behind the steps
          # between
          # of the dash
          - name: b
            steps:
              - { run: [a] }  # first

              # second
              - { run: [b] }
              # last
            text: |  # of the text
              x
            # behind all
        # end

        """)
  }

  @Test("Comments in one column stay in one, and go on below")
  func columns() {
    expect(
      "a: 1      # one\nbb: 'x'   # two\n          # more of two\nc: 3 # three\n",
      gives: "a: 1   # one\nbb: x  # two\n       # more of two\nc: 3  # three\n")
  }

  @Test("Letters that nobody sees stay escapes, and those that turn others around become some")
  func unseen() {
    expect(
      """
      a: "x\\u200by"
      b: "\\u00a0"
      c: "\\u202e abc"
      d: '\u{202e} abc'
      e: "\u{1f469}\u{200d}\u{1f467}"
      f: "\\u00e9"

      """,
      gives: """
        a: "x\\u200by"
        b: "\\u00a0"
        c: "\\u202e abc"
        d: "\\u202e abc"
        e: '\u{1f469}\u{200d}\u{1f467}'
        f: é

        """)
  }

  @Test("Quotes stay where the text would be something else without them")
  func quotes() {
    expect(
      """
      a: "word"
      b: "two words"
      c: "no"
      d: "12"
      e: "it's"
      f: "a \\"b\\""
      g: "tab\\t"
      h: 'a: b'
      i: ''
      j: "null"
      k: "a\\\\d"
      "l": !!str "x"
      m: "1:30"

      """,
      gives: """
        a: word
        b: two words
        c: 'no'
        d: '12'
        e: "it's"
        f: 'a "b"'
        g: "tab\\t"
        h: 'a: b'
        i: ''
        j: 'null'
        k: 'a\\d'
        l: !!str "x"
        m: '1:30'

        """)
  }

  @Test("Flow stays where it fits, and is opened up where not")
  func flow() {
    let long = String(repeating: "x", count: 60)
    expect(
      "a: {b: [1,2 ,3], c: {}, d: [ ]}\ne: [\n  1,\n  2\n]\nf: {g: \(long), h: \(long), i: [a]}\n",
      gives: """
        a: { b: [1, 2, 3], c: {}, d: [] }
        e: [1, 2]
        f:
          g: \(long)
          h: \(long)
          i: [a]

        """)
    let exact = String(repeating: "x", count: 100 - "a: [1, ]".count)
    expect("a: [1,\(exact)]\n", gives: "a: [1, \(exact)]\n")
    expect("a: [1,\(exact)x]\n", gives: "a:\n  - 1\n  - \(exact)x\n")
  }

  @Test("Blocks, long texts, anchors, tags and markers stay as they are")
  func blocks() {
    expect(
      """
      ---
      a: &x |-
            one
              two

            three
      b: >2
          four
        five

      c: "six
         seven \\
           eight"
      d: *x
      v: [!<tag:yaml.org,2002:str>   12]
      e: &y
          - ! z
          - |+
            kept


      f: <<
      ...

      """,
      gives: """
        ---
        a: &x |-
          one
            two

          three
        b: >2
            four
          five

        c: "six
          seven \\
          eight"
        d: *x
        v: [!<tag:yaml.org,2002:str> 12]
        e: &y
          - ! z
          - |+
            kept


        f: <<
        ...

        """)
  }

  @Test("Line ends, a byte order mark and empty lines")
  func whitespace() {
    expect(
      "\u{FEFF}\r\na: 1   \r\n\r\n\r\n\r\nb:\r\n\r\n  c: 2\r\n\r\n",
      gives: "a: 1\n\nb:\n  c: 2\n")
    expect("a: 1", gives: "a: 1\n")
    expect("a: |\n  x", gives: "a: |-\n  x\n")
  }

  @Test(
    "Letters that end a line in YAML 1.1 alone stay as they are",
    arguments: ["\u{85}", "\u{2028}", "\u{2029}"])
  func formerBreaks(letter: String) {
    let texts = [
      "a: x\(letter)y\n", "a: 'x\(letter)y'\n", "a: 'it''s\(letter)'\n", "a: \"x\(letter)y\"\n",
      "a: |  # c\n  x\(letter)  y\n\n  z\n", "a: >-\n  x\(letter)y\n  z\n", "x\(letter)y: 1\n",
      "'\(letter)': 1  # x\(letter)y: 2\n", "# \(letter)\na: { b: 'x\(letter)' }\n",
      "a: \(letter)\n", "a: \"\\N\\L\\P\"\n", "a: x\(letter)y\n  z\n",
    ]
    for text in texts { expect(text, gives: text) }
    expect("a: [ x\(letter)y\n  z ]\n", gives: "a: ['x\(letter)y z']\n")
  }

  @Test(
    "A file that cannot be read is refused",
    arguments: ["a: [1\n", "a: 1\na: 2\n", "", "a: *b\n", "a: 1\n---\nb: 2\n", "a: \"\\q\"\n"])
  func refuses(_ text: String) {
    guard
      case .refused(let diagnostics) = ScenarioFormatter.format(
        bytes: Array(text.utf8), path: "f")
    else {
      Issue.record("formatted")
      return
    }
    #expect(!diagnostics.isEmpty)
    #expect(!diagnostics.contains { $0.help?.contains("bug") == true })
  }

  @Test("Every file of the tree means the same afterwards, with every comment")
  func tree() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folders = ["scenarios", "Tests/RealPrograms", "Tests/EndToEndTests/Failing"]
    let paths = folders.flatMap { folder in
      Self.names("\(root)/\(folder)").map { "\(root)/\(folder)/\($0)" }
    }
    try #require(paths.count > 100)
    for path in paths {
      let bytes = Self.bytes(path)
      let text = formatted(String(decoding: bytes, as: UTF8.self))
      #expect(!text.hasPrefix("refused"), "\(path): \(text)")
      #expect(formatted(text) == text, "\(path)")
      let comments = bytes.count { $0 == UInt8(ascii: "#") }
      #expect(text.utf8.count { $0 == UInt8(ascii: "#") } == comments, "\(path)")
    }
  }

  @Test("Random files mean the same afterwards, with every comment", arguments: 0..<8)
  func random(_ part: UInt64) {
    for seed in part * 250..<(part + 1) * 250 {
      var generator = RandomYAML(seed: seed)
      let text = generator.text()
      let once = formatted(text)
      #expect(!once.hasPrefix("refused"), "seed \(seed): \(once)\n\(text)")
      #expect(formatted(once) == once, "seed \(seed)\n\(text)")
    }
  }

  @Test("The guard knows another value, kind, key and order, and a comment that is lost")
  func guardsMeaning() throws {
    func root(_ text: String) throws -> YAMLNode {
      try #require(YAMLReader.read(SourceText(path: "f", text: text)).root)
    }
    let own = try root("a: [1, 'b']")
    for same in ["a:\n- 1\n- b\n", "{ 'a': [1, \"b\"] }"] {
      #expect(own.isSame(as: try root(same)), "\(same)")
    }
    for other in ["a: ['1', b]", "a: [1]", "a: [1, c]", "b: [1, b]", "a: [b, 1]", "a: { 1: b }"] {
      #expect(!own.isSame(as: try root(other)), "\(other)")
    }
    let comments = try FormatReader.comments(
      in: FormatSource(bytes: Array("a: '# no' # yes\nb: | # head\n  # no\n# end".utf8)))
    #expect(comments == ["# yes", "# head", "# end"])
  }

  private static func names(_ folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = String(decoding: entry.name, as: UTF8.self)
      if name.hasSuffix(".yaml") { names.append(name) }
    }
    return names.sorted()
  }

  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}
