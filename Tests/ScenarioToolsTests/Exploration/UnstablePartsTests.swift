import Foundations
@testable import ScenarioPlan
@testable import ScenarioTools
import Testing

@Suite("What differs between runs without faults")
struct UnstablePartsTests {
  private static func run(
    _ output: String, _ files: [String: String] = [:], requests: [String] = []
  ) -> RunObservation {
    var run = RunObservation()
    run.ends = [.exited(0)]
    run.output = ObservedStream(Array(output.utf8))
    run.files = files.mapValues {
      RunObservation.File(
        kind: "file", mode: 0o644, size: $0.utf8.count, digest: ContentDigest.of($0.utf8), text: $0)
    }
    run.requests = requests
    return run
  }

  private static let first = run("one\ntwo\n", ["work/a": "1\n2\n", "work/b": "x\n"])

  private static func parts(_ other: RunObservation) -> UnstableParts {
    UnstableParts(between: first, and: other)
  }

  @Test("A third run adds what only it differs in")
  func added() {
    var parts = Self.parts(Self.run("one\nzwei\n", ["work/a": "1\n2\n", "work/b": "x\n"]))
    let third = Self.run(
      "eins\ntwo\n", ["work/a": "1\nzwei\n", "work/c": "y\n"], requests: ["GET /"])
    let isMore = parts.formUnion(Self.parts(third))
    #expect(isMore)
    #expect(parts.outputLines == [0, 1])
    #expect(parts.varyingFiles["work/a"]?.lines == [1])
    #expect(parts.files == ["work/b", "work/c"])
    #expect(parts.requests)
    let isAgain = parts.formUnion(Self.parts(third))
    let isNothing = parts.formUnion(UnstableParts())
    #expect(!isAgain && !isNothing)
  }

  @Test(
    "As a whole, what differs in a further line is not compared any more, and nothing else changes")
  func widened() {
    var parts = Self.parts(Self.run("one\nzwei\n", ["work/a": "1\n2\n", "work/b": "x\n"]))
    let same = Self.parts(Self.run("one\nzwo\n", ["work/a": "1\n2\n", "work/b": "x\n"]))
    let isSame = !parts.formUnion(same, ofWholes: true)
    #expect(isSame && parts.outputLines == [1])
    let other = Self.parts(Self.run("eins\ntwo\n", ["work/a": "1\nzwei\n", "work/b": "x\n"]))
    let isMore = parts.formUnion(other, ofWholes: true)
    #expect(isMore && parts.outputLines == nil && parts.errorLines == [])
    #expect(parts.varyingFiles == ["work/a": .init(lines: nil, hasVaryingMode: false)])
  }

  @Test("Whatever differs as a whole in one run stays so")
  func whole() {
    var parts = Self.parts(Self.run("one\n", ["work/a": "1\n", "work/b": "x\n"]))
    let lines = Self.parts(Self.run("one\nzwei\n", ["work/a": "1\n3\n", "work/b": "x\n"]))
    #expect(parts.outputLines == nil)
    let isMore = parts.formUnion(lines)
    #expect(!isMore)
    #expect(parts.varyingFiles["work/a"] == .init(lines: nil, hasVaryingMode: false))

    var other = lines
    let isWhole = other.formUnion(parts)
    #expect(isWhole)
    #expect(other == parts)
  }

  @Test(
    "A file that is missing in a run is not compared, though in another only a line of it differs")
  func missing() {
    var parts = Self.parts(Self.run("one\ntwo\n", ["work/a": "1\n3\n", "work/b": "x\n"]))
    parts.formUnion(Self.parts(Self.run("one\ntwo\n", ["work/b": "x\n"])))
    #expect(parts.files == ["work/a"])
    #expect(parts.varyingFiles.isEmpty)
    #expect(parts.summary == ["the file work/a"])
  }

  @Test("A run without a fault that does what a fault was blamed for is judged as one with it")
  func control() {
    let point = FaultPoint(
      entry: 0, occurrence: 1, call: "write", subject: nil, program: "/bin/p", process: 1,
      thread: 1, site: nil)
    let judge = FaultJudge(baseline: Self.first, unstable: UnstableParts())
    var crashed = Self.first
    crashed.ends = [.signaled("SEGV")]
    crashed.crashes = [RunObservation.Crash(program: "p", signal: "SEGV")]
    #expect(judge.judgeControl(crashed, point: point).verdict == .crash)
    #expect(judge.judgeControl(Self.first, point: point).verdict == .same)
    let other = Self.run("one\nthree\n", Self.first.files.mapValues { $0.text ?? "" })
    #expect(judge.judgeControl(other, point: point).verdict == .silentDifference)
    let learnt = FaultJudge(baseline: Self.first, unstable: Self.parts(other))
    #expect(learnt.judgeControl(other, point: point).verdict == .same)
  }
}
