import FaultEngine
import Foundations
import ScenarioModel
import ScenarioPlan
import Synchronization
import Testing

@testable import MockServer

@Suite("The desk that decides about links")
struct LinkDeskTests {
  /// Virtual time that a test moves.
  private final class Time: Sendable {
    private let state = Mutex(Nanoseconds.zero)

    var now: Nanoseconds { state.withLock { $0 } }

    func pass(_ length: Nanoseconds) { state.withLock { $0 += length } }
  }

  private let time = Time()

  private func entry(
    _ host: String, _ provider: PlannedProvider, schedule: ChaosSchedule = .init(),
    isApplied: Bool = true
  ) -> PlannedChaos {
    let isAboutNames =
      if case .link(let faults) = provider { faults.contains { $0.phase == .resolving } } else {
        true
      }
    return PlannedChaos(
      name: host, target: .link(PlannedLink(host: host, isAboutNames: isAboutNames)),
      schedule: schedule, provider: provider, isApplied: isApplied,
      range: SourceRange(file: "x.yaml", line: 1, column: 1))
  }

  private func faults(_ entries: [PlannedChaos]) throws -> LinkFaults {
    let time = time
    let faults = LinkFaults(
      entries: entries, seed: 0, elapsed: { time.now }, now: { WallInstant(seconds: 0) + time.now })
    return try #require(faults)
  }

  private func open(_ faults: LinkFaults, _ host: String) -> LinkFaults.Opening {
    faults.open(
      Destination(host: host, address: "198.18.0.1", port: 80), process: 7, ordinal: 2,
      program: ProgramNames(executable: "/usr/bin/curl")
    ).opening
  }

  // MARK: - Connections

  @Test("A link that is down refuses, and tells of it")
  func down() throws {
    let faults = try faults([entry("a.test", .link([.down]))])

    let (opening, fault) = faults.open(
      Destination(host: "a.test", address: "198.18.0.1", port: 80), process: 7, ordinal: 2,
      program: ProgramNames(executable: "/usr/bin/curl"))

    #expect(opening == .refused)
    #expect(fault?.subject == "a.test:80")
    #expect(fault?.processOrdinal == 2)
    #expect(fault?.isRefusal == true)
    #expect(open(faults, "b.test") == .made(ticket: nil))
    #expect(try #require(faults.account().first).countsByProcess[2]?.fired == 1)
  }

  @Test("Entries come to connections that are open in the order of those, and leave them")
  func changes() throws {
    var schedule = ChaosSchedule()
    schedule.times = 1
    let slow = LinkFault.toxic(Toxic(.latency(.seconds(1), jitter: .zero)))
    let faults = try faults([entry("a.test", .link([slow]), schedule: schedule, isApplied: false)])
    #expect(
      [open(faults, "a.test"), open(faults, "a.test")] == [.made(ticket: 1), .made(ticket: 2)])
    #expect(faults.reconsider().isEmpty)

    faults.apply(.all, seed: nil)
    let applied = faults.reconsider()
    #expect(applied.map(\.ticket) == [1])
    #expect(applied.first?.decision?.faults == [slow])
    #expect(faults.reconsider().isEmpty)
    #expect(faults.recordFired(1)?.connection == 1)
    #expect(faults.recordFired(1) == nil)

    faults.revert(.all)
    let reverted = faults.reconsider()
    #expect(reverted.map(\.ticket) == [1])
    #expect(reverted.first?.decision == nil)

    faults.close(1)
    faults.apply(.all, seed: nil)
    #expect(faults.reconsider().map(\.ticket) == [2])
  }
}
