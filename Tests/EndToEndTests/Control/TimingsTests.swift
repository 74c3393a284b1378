import Testing

@Suite("What a project remembers of how long its cases took")
struct TimingsTests {
  private static let text = """
    version: 2
    target: { command: [sh, -c, 'sleep "$0"'] }
    scenarios:
      - { name: a, steps: [{ run: ["0"] }] }
      - { name: b, steps: [{ run: ["0.3"] }] }
      - { name: c, steps: [{ run: ["0"] }] }
      - { name: d, skip: later, steps: [{ run: ["0"] }] }

    """

  /// The names of the cases in the order in which they ended, one at a time.
  private func order(_ outcome: BuiltRunner.Outcome) -> [String] {
    outcome.output.split(separator: "\n").filter { $0.hasPrefix("PASS") }.compactMap {
      $0.split(separator: " ").last.map(String.init)
    }
  }

  @Test("The slowest of the last runs begin first, and at the very first that of the file")
  func slowest() throws {
    let project = try ProjectFolder()
    try project.write(Self.text, to: "scenarios/s.yaml")
    let arguments = ["run", "--order", "slowest", "-j1", "--repeat", "2"]

    #expect(order(try project.scenario(arguments)).first == "a")
    let record = try #require(project.read(".scenario/timings.json"))
    #expect(record.contains("\"scenarios/s.yaml::b\": ["), "\(record)")
    #expect(!record.contains("::d"), "\(record)")
    #expect(project.read(".scenario/.gitignore")?.contains("timings.json") == true)
    #expect(order(try project.scenario(arguments)).first == "b")
    // From another folder it is the same project.
    let below = try project.scenario(
      ["run", "s.yaml", "--order", "slowest", "-j1"], below: "scenarios")
    #expect(order(below).first == "b", "\(below.text)")
  }

  @Test("Shards are balanced by it, and leave it as it is")
  func shards() throws {
    let project = try ProjectFolder()
    try project.write(Self.text, to: "scenarios/s.yaml")
    let before = try project.scenario(["run", "--shard", "1/2"])
    #expect(before.text.contains("by count"), "\(before.text)")
    #expect(project.read(".scenario/timings.json") == nil)

    try project.scenario(["run"]).expectExit(0)
    let record = project.read(".scenario/timings.json")
    let first = try project.scenario(["run", "--shard", "1/2"])
    let second = try project.scenario(["run", "--shard", "2/2"])
    #expect(first.text.contains("by time") && second.text.contains("by time"), "\(first.text)")
    #expect(order(first) == ["b"] && order(second).sorted() == ["a", "c"], "\(second.text)")
    #expect(project.read(".scenario/timings.json") == record)
  }

  @Test("What is broken is begun anew, what is gone is forgotten, and only projects are written to")
  func robustness() throws {
    let project = try ProjectFolder()
    try project.write(Self.text, to: "scenarios/s.yaml")
    try project.write("{\n  \"timings\": 1, \"cases\": [", to: ".scenario/timings.json")
    try project.scenario(["run", "--order", "slowest"]).expectExit(0)
    #expect(project.read(".scenario/timings.json")?.contains("::a") == true)

    try project.write(Self.text, to: "scenarios/t.yaml")
    try project.scenario(["run", "scenarios/t.yaml"]).expectExit(0)
    #expect(project.read(".scenario/timings.json")?.contains("s.yaml::a") == true)
    _ = try BuiltRunner.command(["rm", "\(project.path)/scenarios/s.yaml"])
    try project.scenario(["run"]).expectExit(0)
    #expect(project.read(".scenario/timings.json")?.contains("s.yaml::a") == false)

    let folder = try TemporaryFolder()
    let path = folder.write(Self.text, to: "s.yaml")
    let outcome = try BuiltRunner.run(["run", path], prefix: ["env", "-C", folder.path])
    outcome.expectExit(0)
    #expect(TemporaryFolder.read("\(folder.path)/.scenario/timings.json") == nil)
  }
}
