import Testing

@Suite("The time that replies tell")
struct ReplyTimeTests {
  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "time.yaml")
    let outcome = try BuiltRunner.run(["run", path, "--show-output", "all"])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private func scenario(expected: String) -> String {
    """
    version: 2
    clock: { at: 2026-03-01T09:00:00Z, flow: auto }
    target: { command: [bash, -c, "for i in 1 2; do curl -s http://j.test/job; sleep 1h; done; curl -s http://j.test/stream"] }
    responses:
      - GET http://j.test/job:
          after: 5s
          text: "${{ format_time(clock.now, '%T') }} ${{ format_time(add_time(clock.now, '1h'), '%T') }}\\n"
      - request: GET http://j.test/stream
        reply: { stream: [ { send: "${{ clock.now }}\\n" }, { after: 10m, send: { json: { at: { $time: +1s } } } } ] }
    expect:
      stdout: |
        09:00:00 10:00:00
        \(expected)
        2026-03-01T11:00:10Z
        {"at":"2026-03-01T11:10:11Z"}

    """
  }

  @Test(
    "A second reply an hour later is of its own hour, and a piece of a stream of when it is due")
  func hours() throws {
    let outcome = try run(scenario(expected: "10:00:05 11:00:05"))
    outcome.expectExit(0)
    let frozen = try run(scenario(expected: "09:00:00 10:00:00"))
    frozen.expectExit(1)
  }
}
