import Foundations
import ScenarioSyntax
import Testing

@Suite("Settings of a project")
struct ProjectConfigurationTests {
  private static let keys = [
    ConfigurationKey("color", .value), ConfigurationKey("allow_only", .flag),
    ConfigurationKey("reports", .list), ConfigurationKey("paths", .list),
  ]

  private func parse(_ text: String) -> (ProjectConfiguration, [Diagnostic]) {
    ProjectConfiguration.parse(bytes: Array(text.utf8), path: "scenario.yml", keys: Self.keys)
  }

  @Test("Values, flags, lists and maps are what the command line would have")
  func values() throws {
    let (configuration, mistakes) = parse(
      """
      version: 2
      color: never
      allow_only: true
      reports: { junit: out/r.xml, jsonl: e.jsonl }
      paths: [a, b]
      env: { REGION: eu, N: 1 }
      profiles:
        ci: { color: always, env: { REGION: us } }
        empty:
      """)

    #expect(mistakes.isEmpty, "\(mistakes)")
    #expect(configuration.entries.map(\.key) == ["color", "allow_only", "reports", "paths"])
    #expect(
      configuration.entries.map { $0.values.map(\.value) } == [
        ["never"], ["true"], ["junit=out/r.xml", "jsonl=e.jsonl"], ["a", "b"],
      ])
    #expect(configuration.entries[2].values[0].range.line == 4)
    #expect(configuration.profiles["ci"]?.first?.values.first?.value == "always")
    #expect(configuration.profiles["ci"]?.first?.profile == "ci")
    #expect(configuration.profiles["empty"]?.isEmpty == true)
    #expect(configuration.variables.map(\.value) == ["eu", "1", "us"])
  }

  @Test(
    "A file that says nothing is no mistake", arguments: ["", "\n", "# all as it is\n  # so\n"])
  func nothing(text: String) {
    let (configuration, mistakes) = parse(text)
    #expect(mistakes.isEmpty && configuration.entries.isEmpty)
  }

  @Test(
    "A mistake is reported with its place and the exact fix",
    arguments: [
      ("colour: never", 1, 1, "did you mean \"color\"?"),
      ("color: [a]", 1, 8, "write a text"),
      ("allow_only: yes", 1, 13, "write true"),
      ("profiles: { ci: { reprots: [] } }", 1, 19, "did you mean \"reports\"?"),
      ("profiles: { ci: { profiles: {} } }", 1, 19, "a profile cannot contain profiles"),
      ("profiles: { default: {} }", 1, 13, "choose another name"),
      ("version: 3", 1, 10, "version: 2"),
      ("env: [A]", 1, 6, "env: { NAME:"),
      ("env: { 'A=B': 1 }", 1, 8, "letters"),
      ("color: a\ncolor: b", 2, 1, ""),
      ("color: [", 1, 9, ""),
    ] as [(String, Int, Int, String)])
  func mistakes(text: String, line: Int, column: Int, help: String) {
    let mistakes = parse(text).1
    #expect(mistakes.first?.severity == .error, "\(mistakes)")
    #expect(mistakes.first?.range?.line == line, "\(mistakes)")
    #expect(mistakes.first?.range?.column == column, "\(mistakes)")
    #expect(help.isEmpty || mistakes.first?.help?.contains(help) == true, "\(mistakes)")
  }

  @Test("Bytes that are no text are reported, not read")
  func bytes() {
    let found = ProjectConfiguration.parse(bytes: [0x61, 0xFF], path: "s", keys: Self.keys)
    #expect(found.diagnostics.first?.code == .badEncoding)
  }
}
