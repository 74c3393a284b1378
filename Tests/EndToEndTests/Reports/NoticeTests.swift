import Testing

@Suite("Notices")
struct NoticeTests {
  private static let ring = "\(BuiltRunner.root)/.build/programs/ring"
  private static let notice = "\"ring\" requests an io_uring, which is refused"

  private func run(_ arguments: String) throws -> (outcome: BuiltRunner.Outcome, lines: [String]) {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: [\(Self.ring)\(arguments)] }
      clock: { flow: auto }
      expect: { exit: 0 }
      """, to: "ring.yaml")
    let report = "\(folder.path)/events.jsonl"
    let outcome = try BuiltRunner.run(["run", path, "--report", "jsonl=\(report)"])
    let lines = (TemporaryFolder.read(report) ?? "").split(separator: "\n").map(String.init)
    return (outcome, lines.filter { $0.contains("\"event\":\"warning\"") })
  }

  @Test("A program that is refused an io_uring passes, with one warning in each report")
  func ring() throws {
    let (outcome, warnings) = try run("")

    outcome.expectExit(0)
    #expect(outcome.output.contains(Self.notice))
    #expect(warnings.count == 1)
    #expect(warnings.allSatisfy { $0.contains("requests an io_uring, which is refused") })
  }

  @Test("One that asks for none passes without a word")
  func twin() throws {
    let (outcome, warnings) = try run(", none")

    outcome.expectExit(0)
    #expect(!outcome.output.contains("io_uring"))
    #expect(warnings == [])
  }
}
