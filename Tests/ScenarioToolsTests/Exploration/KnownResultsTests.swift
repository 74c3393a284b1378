import Foundations
import ScenarioModel
@testable import ScenarioPlan
@testable import ScenarioTools
import Testing

@Suite("What earlier explorations have won")
struct KnownResultsTests {
  private static func point(
    _ occurrence: Int, _ subject: String?, program: String = "/bin/p", site: String? = "p+0x1"
  ) -> FaultPoint {
    FaultPoint(
      entry: 0, occurrence: occurrence, call: "write", subject: subject, program: program,
      process: 1, thread: 1, site: site)
  }

  private static func trials(_ points: [FaultPoint]) -> [ExplorationTrial] {
    points.enumerated().map {
      ExplorationTrial(number: $0, point: $1, fault: ExploredFault(error: nil, mode: .once))
    }
  }

  private static func results(
    _ points: [FaultPoint], _ verdict: FaultVerdict = .crash
  ) -> [ExplorationResult] {
    trials(points).map {
      ExplorationResult(trial: $0, judgement: FaultJudgement(verdict), engine: "rerun")
    }
  }

  @Test("Points that come in another order are known again, each with its own verdict")
  func order() {
    let old = [Self.point(1, "/a"), Self.point(2, "/b"), Self.point(3, "/a")]
    let new = [Self.point(1, "/b"), Self.point(2, "/a"), Self.point(3, "/a")]
    var won = Self.results(old)
    won[1].judgement.verdict = .leak

    let known = KnownResults(won, of: old, for: Self.trials(new), of: new)

    #expect(known.lost == 0)
    #expect(known.results.map(\.trial.number) == [1, 0, 2])
    #expect(known.results.map(\.judgement.verdict) == [.crash, .leak, .crash])
    #expect(known.results.map(\.trial.point.occurrence) == [2, 1, 3])
  }

  @Test("What is no more, and what said nothing, is tried anew")
  func stale() {
    let old = [Self.point(1, "/a"), Self.point(2, "/b")]
    let new = [Self.point(1, "/a", site: "p+0x2"), Self.point(2, "/b")]
    let known = KnownResults(Self.results(old), of: old, for: Self.trials(new), of: new)
    #expect(known.lost == 1)
    #expect(known.results.map(\.trial.point) == [new[1]])
    for verdict in [FaultVerdict.undecided, .unreached, .unstable] {
      let none = KnownResults(
        Self.results(old, verdict), of: old, for: Self.trials(old), of: old)
      #expect(none.results.isEmpty)
    }
  }

  @Test("What was cut off is known again where it has no verdict, and gone with its point")
  func cutOff() {
    let old = [Self.point(1, "/a"), Self.point(2, "/b"), Self.point(3, "/c")]
    let new = [Self.point(1, "/b"), Self.point(2, "/a")]
    let cutOff = Self.trials(old).map { CutOffTrial(trial: $0, elapsed: .milliseconds(5_120)) }
    let known = KnownResults(
      Self.results([old[0]]), cutOff: cutOff, of: old, for: Self.trials(new), of: new)
    #expect(known.results.map(\.trial.number) == [1])
    #expect(known.cutOff.map(\.trial.point) == [new[0]])
    #expect(
      known.cutOff.map(\.text) == ["write#1 short once: running for 5.1s when it was stopped"])
  }

  @Test("Points of two runs that are other calls are counted, and subjects of one run are masked")
  func unstable() {
    let first = [Self.point(1, "/t/a1"), Self.point(2, "/b"), Self.point(3, "h:4711")]
    let same = UnstablePoints(
      first, and: [Self.point(1, "/t/a2"), Self.point(2, "/b"), Self.point(3, "h:4712")])
    #expect(same.count == 0)
    #expect(same.points.map(\.subject) == ["/t/*", "/b", nil])
    let other = UnstablePoints(
      first,
      and: [
        Self.point(1, "/t/a1", site: "p+0x2"), Self.point(2, "/b", site: "p+0x3"),
        Self.point(3, "h:4711"),
      ])
    #expect(other.count == 2)
    #expect(UnstablePoints(first, and: Array(first.prefix(2))).count == 1)
  }
}
