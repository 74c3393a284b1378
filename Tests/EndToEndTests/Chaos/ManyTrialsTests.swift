import Testing

@Suite("Very many trials of one exploration")
struct ManyTrialsTests {
  @Test("Trials by forks leave nothing open: few descriptors are enough for very many")
  func descriptors() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      name: many
      target: { command: [\(BuiltRunner.root)/.build/programs/branches, many, "500"] }
      explore: { call: fsync, errors: [EIO], times: once }

      """, to: "many.yaml")
    // One descriptor that each trial left open would be more than there are.
    let outcome = try BuiltRunner.run(
      ["explore", path], prefix: ["sh", "-c", "ulimit -n 150; exec \"$@\"", "sh"])
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
    #expect(outcome.output.contains("500 of 500 faults tried"), "\(outcome.text)")
    #expect(outcome.output.contains("500 of them by forks"), "\(outcome.text)")
  }
}
