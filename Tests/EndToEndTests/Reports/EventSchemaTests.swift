import Glibc
import Testing

@Suite("The published schema of events")
struct EventSchemaTests {
  /// What a stock validator says of events that stand in lines: what is wrong, for each with anything.
  private func problems(_ lines: [String]) throws -> [String] {
    let python = "\(BuiltRunner.root)/.build/python/bin/python"
    try #require(access(python, X_OK) == 0, "run Tests/install-dependencies.sh test")
    let folder = try TemporaryFolder()
    let path = folder.write("[\(lines.joined(separator: ","))]", to: "events.json")
    let outcome = try BuiltRunner.command([
      python, "\(BuiltRunner.root)/Tests/Schema/validate.py",
      "\(BuiltRunner.root)/schemas/event.schema.json", "--cases", path,
    ])
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    let verdicts = outcome.output.split(separator: "\n")
    try #require(verdicts.count == lines.count)
    withExtendedLifetime(folder) {}
    return verdicts.filter { !$0.hasSuffix(", null]") }.map(String.init)
  }

  @Test("Every event of the whole gallery and its twins conforms")
  func gallery() throws {
    let folder = try TemporaryFolder()
    let report = "\(folder.path)/events.jsonl"
    let outcome = try BuiltRunner.run([
      "run", "scenarios", "Tests/EndToEndTests/Failing", "--report", "jsonl=\(report)",
    ])
    #expect([1, 3].contains(outcome.exitCode))
    let lines = (TemporaryFolder.read(report) ?? "").split(separator: "\n").map(String.init)

    #expect(lines.count > 500)
    #expect(try problems(lines) == [])
  }

  @Test(
    "Events are written when they happen, within a step too, with one case at a time and with several",
    arguments: ["1", "2"])
  func live(jobs: String) throws {
    let folder = try TemporaryFolder()
    let (report, go) = ("\(folder.path)/events.jsonl", "\(folder.path)/go")
    let path = folder.write(
      """
      version: 2
      timeout: 2m
      target: { command: [bash, -c, "echo first; until [ -e \(go) ]; do sleep 0.1; done"] }
      scenarios: [{ name: a }, { name: b }]

      """, to: "a.yaml")
    let running = try BuiltRunner.start(["run", path, "-j", jobs, "--report", "jsonl=\(report)"])
    defer { kill(running.process, SIGKILL) }

    try running.await("written what the target wrote") {
      (TemporaryFolder.read(report) ?? "").contains("\"outputWritten\"")
    }
    #expect(!(TemporaryFolder.read(report) ?? "").contains("\"stepFinished\""))
    folder.write("", to: "go")
    #expect(running.wait().exitCode == 0)
  }

  @Test("The validator is one that refuses")
  func twin() throws {
    let lines = [
      #"{"event":"surprise","realTime":1,"data":{}}"#, #"{"event":"stepFinished","realTime":1}"#,
    ]
    #expect(try problems(lines).count == 2)
  }
}
