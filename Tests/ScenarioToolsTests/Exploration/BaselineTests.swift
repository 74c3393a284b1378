@testable import ScenarioPlan
@testable import ScenarioTools
import Testing

@Suite("Two runs without faults")
struct BaselineTests {
  private static func run(_ change: (inout RunObservation) -> Void = { _ in }) -> RunObservation {
    var run = RunObservation()
    run.ends = [.exited(0)]
    run.output = ObservedStream(Array("one\ntwo\n".utf8))
    change(&run)
    return run
  }

  private static func lines(_ change: (inout RunObservation) -> Void) -> [String] {
    BaselineDifference(run(), called: "A", run(change), called: "B").lines
  }

  @Test("Runs that end alike can be compared, whatever they write")
  func alike() {
    #expect(Self.lines { _ in } == [])
    #expect(Self.lines { $0.output = ObservedStream(Array("three\n".utf8)) } == [])
  }

  @Test("Runs that end otherwise cannot, and each respect is said")
  func different() {
    #expect(
      Self.lines {
        $0.ends = [.exited(1)]
        $0.output = ObservedStream(Array("one\n".utf8))
      } == [
        "the target's end: exit 0 in A, exit 1 in B", "stdout differs from line 2 on:", "- two",
        "+ (its end)",
      ])
    #expect(
      Self.lines { $0.crashes = [.init(program: "p", signal: "SEGV")] }
        == ["crashes: none in A, p by SIGSEGV in B"])
    #expect(Self.lines { $0.hang = "it sleeps" } == ["hangs: no in A, it sleeps in B"])
  }

  private static func point(
    _ occurrence: Int, of lineage: [UInt32], rank: Int, subject: String? = nil,
    site: String = "p+0x1"
  ) -> FaultPoint {
    FaultPoint(
      entry: 0, occurrence: occurrence, call: "write", subject: subject, program: "/bin/p",
      process: 1, thread: 1, lineage: lineage, rank: rank, site: site)
  }

  @Test("Threads that take turns otherwise make the same calls")
  func interleaved() {
    let first = [
      Self.point(1, of: [0], rank: 1), Self.point(2, of: [1], rank: 1),
      Self.point(3, of: [0], rank: 2),
    ]
    let second = [
      Self.point(1, of: [1], rank: 1), Self.point(2, of: [0], rank: 1),
      Self.point(3, of: [0], rank: 2),
    ]
    #expect(UnstablePoints(first, and: second).count == 0)
  }

  @Test("A thread that makes another call in its place does not")
  func otherCalls() {
    let first = [Self.point(1, of: [0], rank: 1), Self.point(2, of: [0], rank: 2)]
    let second = [
      Self.point(1, of: [0], rank: 1), Self.point(2, of: [0], rank: 2, site: "p+0x2"),
      Self.point(3, of: [0], rank: 3),
    ]
    #expect(UnstablePoints(first, and: second).count == 2)
  }

  @Test("Names that are others in each run are masked, and make no call another")
  func names() {
    let first = [Self.point(1, of: [], rank: 1, subject: "/tmp/tmpabc")]
    let points = UnstablePoints(
      first, and: [Self.point(1, of: [], rank: 1, subject: "/tmp/tmpxyz")])
    #expect(points.count == 0)
    #expect(points.points.first?.subject == "/tmp/*")
    #expect(Self.point(1, of: [], rank: 1, subject: "/tmp/#31").lastingSubject == nil)
    #expect(Self.point(1, of: [], rank: 1, subject: "/tmp/a (deleted)").lastingSubject == nil)
    #expect(Self.point(1, of: [], rank: 1, subject: "/tmp/#a").lastingSubject == "/tmp/#a")
  }
}
