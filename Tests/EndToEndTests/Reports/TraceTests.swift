import Testing

@Suite("The trace of a run")
struct TraceTests {
  private static let file = """
    version: 2
    clock: { at: 2030-01-01T00:00:00Z, flow: auto }
    matrix: { token: [secret-word] }
    scenarios:
      - { name: sleeps, target: { command: [sh, -c, 'echo ${{ matrix.token }}; sleep 5; exit 3'] }, expect: { exit: 3 } }

    """

  @Test("Each stop of a target is a line with its call, and nothing of what the target writes")
  func lines() throws {
    let project = try ProjectFolder()
    try project.write(Self.file, to: "a.yaml")
    let outcome = try project.scenario(["run", "a.yaml", "--trace", "stops.txt"])
    outcome.expectExit(0)

    let lines = try #require(project.read("stops.txt")).split(separator: "\n")
    let sleeps = lines.filter { $0.contains(" enters ") && $0.contains("nanosleep(") }
    let ends = lines.filter { $0.hasSuffix(" exited 3") }
    #expect(!sleeps.isEmpty && ends.count == 1)
    #expect(lines.contains { $0.hasSuffix(" runs a program") })
    #expect(!lines.contains { $0.contains("secret-word") })
    // Real time, virtual time, case, thread, words. A sleep of 5 s may take a nanosecond more (coreutils 9.7).
    let fields = try #require(ends.first).split(separator: " ")
    #expect(fields.count == 6 && fields[2] == "case-1", "\(fields)")
    let elapsed = try #require(Int(fields[1]))
    #expect((5_000_000_000...5_000_001_000).contains(elapsed), "\(fields)")
  }

  @Test("A trace is written over nothing that is read, and one that cannot be written is an error")
  func refused() throws {
    let project = try ProjectFolder()
    try project.write(Self.file, to: "a.yaml")
    let over = try project.scenario(["run", "a.yaml", "--trace", "a.yaml"])
    #expect(over.exitCode == 2 && over.errorOutput.contains("overwritten"), "\(over.text)")
    #expect(project.read("a.yaml") == Self.file)
    let shared = try project.scenario(
      ["run", "a.yaml", "--trace", "o", "--report", "jsonl=./o"])
    #expect(shared.exitCode == 2 && shared.errorOutput.contains("trace"), "\(shared.text)")
    let lost = try project.scenario(["run", "a.yaml", "--trace", "none/stops.txt"])
    #expect(lost.exitCode == 3 && lost.errorOutput.contains("none/stops.txt"), "\(lost.text)")
    let full = try project.scenario(["run", "a.yaml", "--trace", "/dev/full"])
    full.expectExit(3)
    #expect(
      full.errorOutput.contains("\"/dev/full\" cannot be written: No space left on device"),
      "\(full.text)")
  }
}
