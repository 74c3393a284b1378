@testable import Foundations
@testable import ScenarioModel
import Testing

@Suite struct DiskDecodingTests {
  private func parseEntry(_ entry: String) -> (file: ScenarioFile?, messages: String) {
    parse("version: 2\nchaos: [{ \(entry) }]")
  }

  private func provider(_ entry: String) throws -> FaultAction.Content {
    let file = try #require(parseEntry(entry).file)
    return try #require(file.defaults.chaos.first?.provider.content)
  }

  @Test("A disk is one glob or a list of some")
  func globs() throws {
    let file = try #require(parseEntry("disk: [data, '*.db'], provide: full").file)
    let entry = try #require(file.defaults.chaos.first)

    guard case .disk(let globs) = entry.victim else {
      Issue.record("\(entry.victim)")
      return
    }
    #expect(globs.map(\.value) == ["data", "*.db"])
    #expect(entry.name.value == "data/*.db")
  }

  @Test(
    "A disk has so much room",
    arguments: [
      ("full", DiskFault.full), ("read_only", .readOnly), ("{ free: 10MiB }", .free(10 << 20)),
      ("{ free: 0 }", .free(0)), ("{ quota: 1KB }", .quota(1_000)),
    ])
  func faults(provider text: String, fault: DiskFault) throws {
    guard case .disk(let read) = try provider("disk: ., provide: \(text)") else {
      Issue.record("not a disk")
      return
    }
    #expect(read == fault)
  }

  @Test("A crash says who is killed and what is lost")
  func crash() throws {
    let text =
      "call: fsync, provide: { kill: tree, lose: unsynced, metadata: lost, torn: 512, files: [a, b] }"
    guard case .crash(.tree?, let loss) = try provider(text) else {
      Issue.record("not a crash")
      return
    }
    #expect(loss.files.map(\.value) == ["a", "b"])
    #expect(loss.names == .lost)
    #expect(loss.torn == 512)
    guard case .crash(nil, let own) = try provider("disk: ., provide: { lose: unsynced }") else {
      Issue.record("not a crash")
      return
    }
    #expect(own.files.isEmpty)
    #expect(own.names == .kept)
    #expect(own.torn == nil)
    guard case .kill(.process) = try provider("call: fsync, provide: { kill: process }") else {
      Issue.record("not a kill")
      return
    }
  }

  @Test(
    "A mistake is reported at its place, with what to write",
    arguments: [
      ("dsik: ., provide: full", "unknown key \"dsik\"", "disk"),
      ("disk: ., provide: fulll", "unknown provider \"fulll\"", "full"),
      ("disk: ., provide: readonly", "unknown provider \"readonly\"", "read_only"),
      ("disk: ., provide: free", "\"free\" needs a value", "free: …"),
      ("disk: ., provide: { free: much }", "\"much\" is not a number of bytes", "10KiB"),
      ("disk: ., provide: { free: [1] }", "\"free\" must be a number of bytes", "10MiB"),
      ("disk: ., provide: { full: true }", "unknown key \"full\"", "provide: full"),
      ("disk: .", "missing required key \"provide\"", "provide: full"),
      ("disk: ., provide: { free: -1 }", "\"free\" must not be negative", "10MiB"),
      (
        "disk: ., provide: { free: 1, quota: 1 }", "\"quota\" cannot be combined with \"free\"",
        "keep one"
      ),
      (
        "disk: ., call: read, provide: full", "\"call\" cannot be combined with \"disk\"",
        "keep one"
      ),
      ("disk: [], provide: full", "\"disk\" is empty", "add an entry"),
      ("call: read, provide: { kill: tree, lose: all }", "unknown value \"all\"", "unsynced"),
      (
        "call: read, provide: { kill: tree, torn: 5 }", "\"torn\" does not belong to \"kill\"",
        "\"lose\""
      ),
      (
        "call: read, provide: { error: EIO, lose: unsynced }",
        "\"lose\" does not belong to \"error\"", "\"kill\""
      ),
      (
        "call: read, provide: { kill: tree, lose: unsynced, torn: 0 }",
        "\"torn\" must be at least one byte", "512"
      ),
      (
        "call: read, provide: { kill: tree, lose: unsynced, metadata: gone }",
        "unknown value \"gone\"", "kept"
      ),
      ("disk: ., provide: { lose: unsynced, then: full }", "\"then\" does not belong", "remove it"),
    ])
  func mistakes(entry: String, message: String, help: String) throws {
    let messages = parseEntry(entry).messages

    #expect(messages.contains(message), "\(messages)")
    #expect(messages.contains(help), "\(messages)")
  }
}
