import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Every way to wait")
struct ProbeTests {
  private func output(of probe: Probe, _ flow: ClockFlow = .auto) throws -> String {
    let program = try start(probe, flow)
    #expect(program.awaitExit().hasHappened, "\(program.output)")
    return program.output
  }

  private func start(_ probe: Probe, _ flow: ClockFlow) throws -> SupervisedProgram {
    try #require(
      access(probe.command[0], X_OK) == 0,
      """
      \(probe.command[0]) is missing: run Tests/install-dependencies.sh test and \
      Tests/Programs/Languages/build.sh .build/programs/languages
      """)
    let program = try SupervisedProgram(clock: .from2030(flow))
    try program.start(probe.command + probe.rows.map(\.word))
    return program
  }

  private func check(_ probe: Probe) throws {
    guard !probe.rows.isEmpty else { return }

    let lines = try output(of: probe).split(separator: "\n")

    #expect(lines.count == probe.rows.count, "\(lines)")
    for (line, row) in zip(lines, probe.rows) {
      #expect(row.accepts(line), "\(row.word): \(line)")
    }
  }

  // MARK: - Waits

  @Test(
    "Every wait of every language lasts as long as it was asked to", arguments: Probe.all,
    WaitKind.allCases)
  func waits(probe: Probe, kind: WaitKind) throws {
    try check(probe.only(kind))
  }

  // MARK: - What must fail

  private static let sleep = Probe.compiled("c-waits", [ProbeRow("nanosleep")])

  @Test("Where time is held, nobody's wait ends")
  func held() throws {
    let program = try start(Self.sleep, .held)

    #expect(program.awaitExit().isStuck)
    #expect(program.output.isEmpty)
  }

  @Test("Where time flows, a wait lasts longer than it was asked to, and that is seen")
  func flowing() throws {
    var probe = Self.sleep
    probe.rows[0].length = 1
    probe.rows[0].expected = 1

    let lines = try output(of: probe, .real).split(separator: "\n")

    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("nanosleep elapsed_ms=") ?? false)
    #expect(!lines.contains { probe.rows[0].accepts($0) })
  }

  @Test(
    "A row accepts its own time and no other",
    arguments: [
      ("a elapsed_ms=2500", true, true), ("a elapsed_ms=2500.000001", false, true),
      ("a elapsed_ms=2501", false, true), ("a elapsed_ms=2501.5", false, false),
      ("a elapsed_ms=2499", false, false), ("a elapsed_ms=2500 wall_ms=0", false, false),
      ("a failed", false, false), ("b elapsed_ms=2500", false, false),
    ])
  func accepts(line: String, whenExact: Bool, withSlack: Bool) {
    #expect(ProbeRow("a").accepts(line[...]) == whenExact)
    #expect(ProbeRow("a", slack: 1).accepts(line[...]) == withSlack)
  }
}
