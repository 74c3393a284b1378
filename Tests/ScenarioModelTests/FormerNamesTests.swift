import ScenarioModel
import Testing

@testable import Foundations
@testable import ScenarioSyntax

/// Words of version 1: understood there, refused in version 2, rewritten by `upgrade`.
@Suite("Former names")
struct FormerNamesTests {
  private func diagnostics(_ text: String) -> [Diagnostic] {
    ScenarioFile.parse(text: text, path: "f").diagnostics
  }

  private func upgraded(_ text: String) -> String? {
    guard case .upgraded(let text, _) = ScenarioUpgrade.upgrade(bytes: Array(text.utf8), path: "f")
    else { return nil }
    return text
  }

  @Test("Version 1 understands an old word, and one warning names the new one with a certain fix")
  func warned() throws {
    let text = """
      version: 1
      target: { command: [x] }
      steps:
        - start:
        - wait: { output: ready }

      """
    let found = diagnostics(text)

    #expect(found.map(\.code) == [.formerName])
    let warning = try #require(found.first)
    #expect(warning.severity == .warning)
    #expect(warning.message == "\"output\" is the old name of \"stdout\"")
    #expect(warning.range.map { [$0.line, $0.column] } == [5, 13])
    #expect(warning.fix?.text == "stdout")
    #expect(warning.fix?.confidence == .certain)
  }

  @Test("An old word with another meaning today is rewritten in version 1 alone")
  func otherMeaning() {
    for version in [1, 2] {
      let found = diagnostics(
        """
        version: \(version)
        target: { command: [x] }
        chaos: [{ call: read, when: { after: 3 }, provide: { error: EIO } }]
        always: [{ exec: [ls] }]

        """)
      #expect(found.map(\.fix?.text) == ["skip", "cleanup"])
      #expect(found.allSatisfy { $0.fix?.confidence == (version == 1 ? .certain : .likely) })
    }
  }

  @Test("Version 2 refuses an old word, and names the new one")
  func refused() {
    let found = diagnostics(
      "version: 2\ntarget: { command: [x] }\nsteps: [{ run: }, { expect: { elapsed: 1s } }]\n")

    #expect(found.map(\.code) == [.unknownKey])
    #expect(found.first?.message == "\"elapsed\" is a key of version 1 of the language")
    #expect(found.first?.help == "write \"duration\"")
    #expect(found.first?.fix?.text == "duration")
  }

  @Test("Both names of one thing cannot stand together")
  func both() {
    let found = diagnostics(
      "version: 1\ntarget: { command: [x] }\nexpect: { elapsed: 1s, duration: 1s }\n")

    #expect(found.map(\.code).contains(.contradictory))
  }

  @Test(
    "Upgrading rewrites keys, words and values, and nothing else",
    arguments: [
      (
        "steps: [{ start: }, { settle: }, { stop: }]",
        "steps: [{ start: }, { wait: idle }, { stop: }]"
      ),
      (
        "steps:\n  - run:\n  - settle:   # now\n  - name: a\n    settle:",
        "steps:\n  - run:\n  - wait: idle   # now\n  - name: a\n    wait: idle"
      ),
      (
        "steps: [{ run: }, { capture: { id: { json: $.id }, e: { error_json: '$.a' } } }]",
        "steps: [{ run: }, { capture: { id: { stdout: { json: $.id } }, e: { stderr: { json: '$.a' } } } }]"
      ),
      (
        "steps: [{ start: }, { signal: { name: TERM, process: w } }]",
        "steps: [{ start: }, { signal: { signal: TERM, process: w } }]"
      ),
      (
        "expect: { files: { l: { kind: link }, m: { link: a } } }",
        "expect: { files: { l: { kind: symlink }, m: { symlink: a } } }"
      ),
      (
        "chaos: [{ link: a.test, provide: { latency: 1s, stream: 'up' } }]",
        "chaos: [{ link: a.test, provide: { latency: 1s, stream: 'upstream' } }]"
      ),
      (
        "build: { a: { $next: n }, b: { $iterate: [1] } }\nsequences: { n: 1 }",
        "build: { a: { $seq: n }, b: { $seq: [1] } }\nsequences: { n: 1 }"
      ),
      (
        "expect: { stdout: { \"one_of\": [a], not: { one_of: [b] } } }",
        "expect: { stdout: { \"in\": [a], not: { in: [b] } } }"
      ),
      (
        "chaos: [{ call: read, when: { after: 1 }, provide: { stop: 1s } }]",
        "chaos: [{ call: read, when: { skip: 1 }, provide: { pause: 1s } }]"
      ),
    ])
  func rewritten(old: String, new: String) {
    let head = "\ntarget: { command: [x] }\n"
    let text = "version: 1" + head + old + "\n"

    #expect(upgraded(text) == "version: 2" + head + new + "\n")
    let found = diagnostics("version: 2" + head + new + "\n")
    #expect(!found.contains { $0.code == .formerName || $0.severity == .error }, "\(found)")
  }

  @Test("What a scenario replaced in version 1 it overrides in version 2")
  func overridden() {
    let text = """
      version: 1
      target: { command: [a], env: { A: 1 } }
      scenarios:
        - name: one
          target: { command: [b] }
        - { name: two, target: { command: [c] } }
        - name: three

      """
    #expect(
      upgraded(text) == """
        version: 2
        target: { command: [a], env: { A: 1 } }
        scenarios:
          - override: [target]
            name: one
            target: { command: [b] }
          - { override: [target], name: two, target: { command: [c] } }
          - name: three

        """)
  }

  @Test("No map has a key that was the name of another one of its keys, and none has a name twice")
  func consistent() {
    var formerCount = 0
    for definition in LanguageDescription.definitions {
      guard case .map(let keys, _) = definition.content else { continue }
      let names = keys.map(\.name)
      let former = keys.flatMap { $0.formerNames.map(\.name) }
      #expect(Set(former).isDisjoint(with: names), "\(definition.name)")
      #expect(Set(former).count == former.count, "\(definition.name)")
      #expect(Set(names).count == names.count, "\(definition.name)")
      formerCount += former.count
    }
    #expect(formerCount > 10)
  }

  @Test("The schema describes the words of version 2 alone")
  func schema() {
    let text = ScenarioSchema.text()

    for word in [
      "error_output", "error_json", "borne", "apart", "one_of", "settle", "respond", "$next",
    ] {
      #expect(!text.contains("\"\(word)\""), "\(word)")
    }
    #expect(text.contains("\"const\": 2"))
  }
}
