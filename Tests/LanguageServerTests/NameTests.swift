import Foundations
@testable import LanguageServer
import OrderedCollections
@testable import ScenarioSyntax
import Testing

@Suite("Names: where they are given, and where things are called by them")
struct NameTests {
  private static let text = """
    version: 1
    target: { command: [x] }
    factories:
      user:
        aliases: [person]
        fields: { name: Ada }
        traits:
          admin: { fields: { role: admin } }
      order:
        fields:
          buyer: { $build: person, traits: admin }
        traits:
          admin: { fields: { by: staff } }
    build:
      me: { $build: user, traits: [admin] }
      it: { $build: order, traits: [admin] }
    chaos:
      - { name: full, call: write, provide: { error: ENOSPC }, apply: false }
    matrix: { who: [a, b] }
    steps:
      - apply: full
      - run: ["${{ build.me.name }}", "x ${{ matrix.who }} ${{ lower('build.me') }}"]
      - capture: { token: { stdout: "(.*)" } }
      - send: "${{ capture.token }}"
    expect: { chaos: { full: { fired: 1 } } }
    vars: { port: { type: integer, default: 1 } }
    sequences: { ids: 1 }
    blocks:
      login: { params: [user_name], steps: [{ send: "${{ with.user_name }} ${{ vars.port }}" }] }
    cleanup:
      - block: login
        with: { user_name: Ada }
      - build: { last: { ids: { $seq: ids }, other: { $seq: [ids, 1] } } }

    """

  /// A name, with how many words of that name stand in front of the one that is asked about, and the lines where the
  /// same thing is named, from 1.
  struct Sample: Sendable {
    var word: String
    var count: Int
    var lines: [Int]
  }

  static let samples = [
    Sample(word: "user", count: 0, lines: [4, 15]), Sample(word: "user", count: 1, lines: [4, 15]),
    Sample(word: "person", count: 1, lines: [5, 11]),
    // Two factories have a trait of that name.
    Sample(word: "admin", count: 0, lines: [8, 11, 15]),
    Sample(word: "admin", count: 4, lines: [8, 11, 15]),
    Sample(word: "admin", count: 5, lines: [13, 16]),
    Sample(word: "full", count: 1, lines: [18, 21, 25]),
    Sample(word: "me", count: 1, lines: [15, 22]),
    Sample(word: "who", count: 1, lines: [19, 22]),
    Sample(word: "token", count: 0, lines: [23, 24]),
    Sample(word: "port", count: 0, lines: [26, 29]),
    Sample(word: "ids", count: 2, lines: [27, 33]),
    Sample(word: "login", count: 1, lines: [29, 31]),
  ]

  /// The text with a cursor in a whole word.
  private func marked(_ sample: Sample) throws -> String {
    let pattern = try Regex("\\b\(sample.word)\\b").wordBoundaryKind(.simple)
    let ranges = Self.text.ranges(of: pattern)
    try #require(ranges.indices.contains(sample.count))
    var text = Self.text
    text.insert(EditorSession.cursor, at: text.index(after: ranges[sample.count].lowerBound))
    return text
  }

  private func lines(_ value: Value) -> [Int] {
    value.listValue?.compactMap { $0.at("range", "start", "line")?.intValue.map { $0 + 1 } } ?? []
  }

  @Test("A name is found wherever the same thing is called", arguments: samples)
  func references(sample: Sample) throws {
    var session = try EditorSession()
    let all = try session.ask("references", in: try marked(sample))
    let definition = try session.ask("definition", in: try marked(sample))

    #expect(lines(all) == sample.lines)
    #expect(lines(.list([definition])) == [sample.lines[0]])
  }

  @Test(
    "A name is changed wherever the same thing is called, and the rest stays", arguments: samples)
  func renames(sample: Sample) throws {
    var session = try EditorSession()
    let edits = try session.ask(
      "rename", in: try marked(sample), and: ["newName": .string("changed")]
    ).at("changes", EditorSession.address("a.yaml"))
    var text = DocumentText(Self.text)
    for edit in (edits?.listValue ?? []).reversed() {
      let range = try #require(EditorRange(edit.member("range")))
      text.replace(range, with: "changed", .utf16)
    }

    let changed = zip(text.text.split(separator: "\n"), Self.text.split(separator: "\n"))
      .enumerated().filter { $0.element.0 != $0.element.1 }.map { $0.offset + 1 }
    #expect(changed == sample.lines)
    #expect(text.text.replacing("changed", with: sample.word) == Self.text)
  }

  @Test(
    "A name that cannot be, or that is taken, is refused",
    arguments: [
      ("a b", "cannot be the name of a factory"), ("", "cannot be the name"),
      ("order", "the factory \"order\" exists already"),
    ])
  func refuses(name: String, message: String) throws {
    var session = try EditorSession()
    let error = try session.ask(
      "rename", in: try marked(Self.samples[0]), and: ["newName": .string(name)])

    #expect(error.member("code") == .integer(-32803))
    #expect(error.member("message")?.stringValue?.contains(message) == true, "\(error)")
  }

  @Test(
    "What is no name cannot be renamed", arguments: ["ver‸sion: 1\n", "version: 1\nname: ‸x\n", ""])
  func noName(text: String) throws {
    var session = try EditorSession()

    #expect(try session.ask("prepareRename", in: text) == .null)
    #expect(try session.ask("definition", in: text) == .null)
    #expect(
      try session.ask("rename", in: text, and: ["newName": .string("a")]).member("code")
        == .integer(-32803))
  }

  private static let shared = [
    "base.yaml": "version: 1\nfactories: { user: { fields: { a: 1 } } }\n",
    "other.yaml": "version: 1\ninclude: [base.yaml]\nbuild: { b: { $build: user } }\n",
    "stranger.yaml":
      "version: 1\nfactories: { user: { fields: {} } }\nbuild: { b: { $build: user } }\n",
  ]

  @Test("Files that use a file call what it defines, open or not; a namesake stays")
  func files() throws {
    var session = try EditorSession(disk: Self.shared)
    let text = "version: 1\ninclude: [base.yaml]\nbuild: { b: { $build: us‸er } }\n"
    let definition = try session.ask("definition", in: text)
    let rename = try session.ask("rename", in: text, and: ["newName": .string("person")])

    #expect(definition.member("uri") == .string(EditorSession.address("base.yaml")))
    guard case .map(let changes)? = rename.member("changes") else {
      Issue.record("\(rename)")
      return
    }
    #expect(
      changes.keys.sorted() == ["a", "base", "other"].map { EditorSession.address("\($0).yaml") })
  }

  @Test("The name of a file leads to it")
  func leads() throws {
    var session = try EditorSession(disk: Self.shared)
    let found = try session.ask("definition", in: "version: 1\ninclude: [ba‸se.yaml]\n")
    let lost = try session.ask("definition", in: "version: 1\ninclude: [lo‸st.yaml]\n")

    #expect(found.member("uri") == .string(EditorSession.address("base.yaml")))
    #expect(lost == .null)
  }

  @Test("Names of version 1 lead where those of today lead")
  func formerNames() throws {
    var session = try EditorSession(disk: Self.shared)
    let file = try session.ask("definition", in: "version: 1\nuse: [ba‸se.yaml]\n")
    let factory = try session.ask(
      "definition", in: "version: 1\nuse: [base.yaml]\nbuild: { b: { $build: us‸er } }\n")
    let trait = try session.ask(
      "definition",
      in: "version: 1\nfactories: { user: { fields: {}, traits: { old: { fields: {} } } } }\n"
        + "build: { b: { $build: user, trait: o‸ld } }\n")

    #expect(file.member("uri") == .string(EditorSession.address("base.yaml")))
    #expect(factory.member("uri") == .string(EditorSession.address("base.yaml")))
    #expect(trait.at("range", "start", "line") == .integer(1))
  }

  @Test("Circles end: files that use each other, factories that extend each other")
  func circles() throws {
    var session = try EditorSession(disk: [
      "one.yaml": "version: 1\ninclude: [two.yaml]\n",
      "two.yaml": "version: 1\ninclude: [one.yaml]\n",
    ])
    let text = """
      version: 1
      include: [one.yaml]
      factories:
        a: { extends: b, fields: {} }
        b: { extends: a, fields: {} }
      build: { x: { $build: a, traits: no‸ne } }

      """

    #expect(try session.ask("definition", in: text) == .null)
    #expect(!(try session.completions(text)).contains { $0.member("label") == .string("none") })
  }

  @Test("Every key at which names are looked for is one of the language")
  func places() {
    #expect(NameRole.places.count > 10)
    for (definition, key) in NameRole.places {
      let found = LanguageDescription.definitions.first { $0.name == definition }
      guard case .map(let keys, _)? = found?.content else {
        Issue.record("there is no map \"\(definition)\"")
        continue
      }
      #expect(keys.contains { $0.name == key }, "\(definition) has no \"\(key)\"")
    }
  }
}
