import Testing

@Suite("Clocks that a target reads and would set")
struct ClockReadTests {
  private func run(_ expected: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 1
      target: { command: "date -s @2000000000 +%s; date +%s; sleep 90; cat /proc/uptime" }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      expect:
        stdout: "\(expected)"
        stderr: { contains: "cannot set date: Operation not permitted" }

      """, to: "clock.yaml")
    let outcome = try BuiltRunner.run(
      ["run", path, "--report", "jsonl=\(folder.path)/events.jsonl"])
    let events = try #require(TemporaryFolder.read("\(folder.path)/events.jsonl"))
    #expect(events.contains(#""data":{"by":106544000000000000,"error":"EPERM","#))
    return outcome
  }

  @Test("A target may not set its clock unless the scenario says so, and the report tells of it")
  func refusal() throws {
    let outcome = try run("2000000000\\n1893456000\\n100090.00 100090.00\\n")
    #expect(outcome.exitCode == 0, "\(outcome.text)")

    let twin = try run("2000000000\\n2000000000\\n100090.00 100090.00\\n")
    #expect(twin.exitCode == 1)
  }
}
