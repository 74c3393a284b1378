@testable import Foundations
@testable import ScenarioSyntax
import Testing

/// `scenario upgrade`: steps from version to version that keep everything but what they change.
@Suite struct UpgradeTests {
  /// Version 2, made up: the clock's "flow" is called "pace", and "held" is "still".
  private static let second = UpgradeStep(version: 1) { document in
    document.members().flatMap { path, member -> [TextEdit] in
      guard path.suffix(2) == ["clock", "flow"] else { return [] }
      var edits = [document.rename(member.key, to: "pace")]
      if case .scalar(let scalar) = member.value.content, scalar.text == "held" {
        edits.append(document.replace(member.value, with: "still"))
      }
      return edits.compactMap { $0 }
    }
  }

  /// Version 3, made up: "pace" has another name again.
  private static let third = UpgradeStep(version: 2) { document in
    document.members().filter { $0.path.last == "pace" }.compactMap {
      document.rename($0.member.key, to: "speed")
    }
  }

  private func upgrade(_ text: String, to version: Int64 = 3) -> String {
    let outcome = ScenarioUpgrade.upgrade(
      bytes: Array(text.utf8), path: "f", steps: [Self.second, Self.third], to: version)
    switch outcome {
    case .current: return "current"
    case .upgraded(let text, let first): return "from \(first):\n\(text)"
    case .refused(let diagnostics):
      return diagnostics.map { "\($0.range?.line ?? 0): \($0.message)" }.joined(separator: "\n")
    }
  }

  @Test("Each version's step runs in turn, and nothing else changes")
  func chain() {
    let text = """
      # flow: held
      version:   1   # one

      clock: { 'flow':  "held" ,at: 2026-03-01 }   # é flow
      scenarios:
      -   name: flow
          clock: &c
             é: x
             flow: &f held # held
      - { name: b, clock: *c, flow: *f }

      """
    #expect(
      upgrade(text) == """
        from 1:
        # flow: held
        version:   3   # one

        clock: { speed:  still ,at: 2026-03-01 }   # é flow
        scenarios:
        -   name: flow
            clock: &c
               é: x
               speed: &f still # held
        - { name: b, clock: *c, flow: *f }

        """)
    #expect(upgrade(text, to: 2).contains("pace: &f still # held"))
    #expect(
      upgrade("\u{FEFF}version: 2\r\npace: a\r\n") == "from 2:\n\u{FEFF}version: 3\r\nspeed: a\r\n")
  }

  @Test("A file of the current version stays as it is, an unknown version is refused")
  func versions() {
    #expect(upgrade("version: 3\npace: a\n") == "current")
    #expect(upgrade("version: 4\n") == "1: unknown version \"4\"")
    #expect(upgrade("version: 0\n") == "1: unknown version \"0\"")
    #expect(upgrade("version: one\n") == "1: \"version\" must be a whole number")
    #expect(upgrade("name: a\n") == "1: missing required key \"version\"")
    #expect(
      upgrade("version: 1\na: [\n")
        == "3: the file ends within a list in brackets or a map in braces")
    #expect(upgrade("version: 1\n", to: 9) == "1: unknown version \"3\"")
  }

  @Test("This release reads one version, and knows a step from each earlier one")
  func release() {
    #expect(
      ScenarioUpgrade.steps.map(\.version) == Array(1..<LanguageVersion.current))
    guard case .current = ScenarioUpgrade.upgrade(bytes: Array("version: 2\n".utf8), path: "f")
    else {
      Issue.record("version 2 is not current")
      return
    }
  }
}
