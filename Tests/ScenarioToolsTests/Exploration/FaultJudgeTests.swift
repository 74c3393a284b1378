import Foundations
@testable import Patterns
@testable import ScenarioPlan
@testable import ScenarioTools
import Testing

@Suite("Verdicts on runs with faults")
struct FaultJudgeTests {
  private static let point = FaultPoint(
    entry: 0, occurrence: 3, call: "write", subject: nil, program: "/bin/p", process: 1, thread: 1,
    site: "p+0x10")

  /// A run that ends well, having written a line and a file.
  private static func run(_ change: (inout RunObservation) -> Void = { _ in }) -> RunObservation {
    var run = RunObservation()
    run.ends = [.exited(0)]
    run.output = ObservedStream(Array("one\ntwo\n".utf8))
    run.files = ["work/out": file("done\n"), "work/in": file("x\n")]
    run.laid = ["work/in"]
    run.fired = 1
    run.struck = Self.struck("write")
    change(&run)
    return run
  }

  /// The call that a fault has hit.
  private static func struck(_ call: String) -> FaultPoint {
    var point = point
    point.call = call
    return point
  }

  @Test("A fault that strikes the same call of another program, place or thread says nothing")
  func otherCall() {
    for change: (inout FaultPoint) -> Void in [
      { $0.program = "/bin/q" }, { $0.site = "p+0x20" }, { $0.lineage = [1] },
    ] {
      var point = Self.point
      point.subject = "/a"
      var other = point
      change(&other)
      let struck = other
      let judgement = judge(point: point) {
        $0.struck = struck
        $0.ends = [.exited(1)]
      }
      #expect(judgement.verdict == .unstable)
      #expect(judgement.evidence.first?.contains(struck.text) ?? false)
    }
  }

  @Test("A file's name says whether it is the same call only where its place is not known")
  func otherName() {
    var point = Self.point
    point.subject = "/tmp/#12 (deleted)"
    var met = Self.point
    met.subject = "/tmp/#13 (deleted)"
    let struck = met
    #expect(judge(point: point) { $0.struck = struck }.verdict == .same)
    point.site = nil
    point.subject = "/a"
    met.site = nil
    for (subject, verdict) in [("/a", FaultVerdict.same), ("/b", .unstable)] {
      met.subject = subject
      let struck = met
      #expect(judge(point: point) { $0.struck = struck }.verdict == verdict)
    }
    point.subject = "/tmp/*"
    met.subject = "/tmp/x"
    let masked = met
    #expect(judge(point: point) { $0.struck = masked }.verdict == .same)
  }

  private static func file(_ text: String) -> RunObservation.File {
    RunObservation.File(
      kind: "file", mode: 0o644, size: text.utf8.count, digest: ContentDigest.of(text.utf8),
      text: text)
  }

  private func judge(
    unstable: UnstableParts = UnstableParts(), point: FaultPoint = point,
    _ change: (inout RunObservation) -> Void
  ) -> FaultJudgement {
    FaultJudge(baseline: Self.run(), unstable: unstable).judge(Self.run(change), point: point)
  }

  @Test("A run that shows nothing is the same")
  func same() {
    #expect(judge { _ in } == FaultJudgement(.same))
    #expect(judge { $0.errorOutput = ObservedStream(Array("retrying\n".utf8)) }.verdict == .same)
  }

  @Test("Another exit code, or a word on standard error, is a failure that is reported")
  func clean() {
    let failed = judge {
      $0.ends = [.exited(1)]
      $0.output = ObservedStream()
      $0.errorOutput = ObservedStream(Array("p: no space\n".utf8))
    }
    #expect(failed.verdict == .cleanFailure)
    #expect(failed.evidence == ["exit 1", "stderr: p: no space"])
    let reported = judge {
      $0.output = ObservedStream(Array("one\n".utf8))
      $0.errorOutput = ObservedStream(Array("p: two is lost\n".utf8))
    }
    #expect(reported.verdict == .cleanFailure)
    #expect(judge { $0.ends = [.signaled("PIPE")] }.verdict == .cleanFailure)
  }

  @Test("The same end with another result is silent: output, files, requests")
  func silent() {
    let output = judge { $0.output = ObservedStream(Array("one\n".utf8)) }
    #expect(output.verdict == .silentDifference)
    #expect(output.evidence == ["exit 0, as without the fault", "stdout differs:", "  - two"])
    let file = judge { $0.files["work/out"] = Self.file("") }
    #expect(file.verdict == .silentDifference)
    #expect(file.differentFiles.map(\.path) == ["work/out"])
    #expect(judge { $0.files["work/out"] = nil }.verdict == .silentDifference)
    #expect(judge { $0.files["work/out"]?.mode = 0o600 }.verdict == .silentDifference)
    #expect(judge { $0.requests = ["GET http://a/ 0 bytes 0"] }.verdict == .silentDifference)
    #expect(judge { $0.checkFailure = "stdout: not ok" }.verdict == .silentDifference)
  }

  @Test("A file that is no short text differs by its size, or by other content of the same size")
  func binary() {
    func evidence(size: Int) -> [String] {
      judge {
        $0.files["work/out"] = RunObservation.File(
          kind: "file", mode: 0o644, size: size, digest: 7, text: nil)
      }.evidence
    }
    let before = Self.run().files["work/out"]?.size ?? 0
    #expect(evidence(size: before).contains("work/out differs: other content of \(before) bytes"))
    #expect(evidence(size: 3).contains("work/out differs: 3 bytes, not \(before)"))
  }

  @Test("What is left behind is reported beside a silent difference as well")
  func silentLeak() {
    let both = judge {
      $0.files["work/out"] = Self.file("")
      $0.files["work/lock"] = Self.file("")
      $0.left = ["helper"]
    }
    #expect(both.verdict == .silentDifference)
    #expect(both.leftFiles == ["work/lock"])
    #expect(both.leftProcesses == ["helper"])
    #expect(
      both.evidence.suffix(2) == ["left behind: work/lock", "left behind: a process of helper"])
  }

  @Test("What another run without faults does otherwise is not compared, and all else is")
  func unstable() {
    var other = Self.run()
    other.output = ObservedStream(Array("one\nTWO\n".utf8))
    other.files["work/log"] = Self.file("1")
    let parts = UnstableParts(between: Self.run(), and: other)
    #expect(parts.summary == ["stdout (line 2)", "the file work/log"])

    let masked = judge(unstable: parts) { $0.output = ObservedStream(Array("one\n2\n".utf8)) }
    #expect(masked.verdict == .same)
    let seen = judge(unstable: parts) { $0.output = ObservedStream(Array("1\ntwo\n".utf8)) }
    #expect(seen.verdict == .silentDifference)
    let longer = judge(unstable: parts) { $0.output = ObservedStream(Array("one\n".utf8)) }
    #expect(longer.verdict == .silentDifference)
    #expect(judge(unstable: parts) { $0.files["work/log"] = nil }.verdict == .same)
  }

  @Test("A file that differs without faults must be there, and is compared in its stable lines")
  func varyingFiles() {
    func run(_ text: String?, mode: UInt32 = 0o644) -> RunObservation {
      Self.run {
        $0.files["work/out"] = text.map { Self.file($0) }
        $0.files["work/out"]?.mode = mode
      }
    }
    let baseline = run("a\n1\n")
    let lines = UnstableParts(between: baseline, and: run("a\n2\n"))
    #expect(lines.summary == ["the file work/out (line 2)"])
    let content = UnstableParts(between: baseline, and: run("a\n"))
    #expect(content.summary == ["the content of work/out"])
    let mode = UnstableParts(between: baseline, and: run("a\n1\n", mode: 0o600))
    #expect(mode.summary == ["the permissions of work/out"])
    func judge(_ unstable: UnstableParts, _ run: RunObservation) -> FaultJudgement {
      FaultJudge(baseline: baseline, unstable: unstable).judge(run, point: Self.point)
    }

    #expect(judge(lines, run("a\n3\n")).verdict == .same)
    #expect(
      judge(lines, run("b\n3\n")).evidence.suffix(3) == ["work/out differs:", "  - a", "  + b"])
    #expect(judge(lines, run("a\n")).verdict == .silentDifference)
    #expect(judge(lines, run(nil)).evidence.last == "work/out is missing")
    #expect(judge(lines, run("a\n3\n", mode: 0o600)).differentFiles.map(\.isOfContent) == [false])
    #expect(judge(content, run("b")).verdict == .same)
    #expect(judge(content, run(nil)).verdict == .silentDifference)
    #expect(judge(mode, run("a\n1\n", mode: 0o640)).verdict == .same)
    #expect(judge(mode, run("a\n2\n")).verdict == .silentDifference)
  }

  @Test("A crash outweighs everything, also that of a child, but not one that is usual")
  func crash() {
    let crash = RunObservation.Crash(program: "child", signal: "SEGV")
    let judgement = judge {
      $0.crashes = [crash]
      $0.hang = "nothing will wake it"
    }
    #expect(judgement.verdict == .crash)
    #expect(judgement.evidence == ["child was killed by SIGSEGV"])
    let usual = Self.run { $0.crashes = [crash] }
    let judge = FaultJudge(baseline: usual, unstable: UnstableParts())
    #expect(judge.judge(usual, point: Self.point).verdict == .same)
    var twice = usual
    twice.crashes.append(crash)
    #expect(judge.judge(twice, point: Self.point).verdict == .crash)
  }

  @Test("Who does not end hangs")
  func hang() {
    let judgement = judge {
      $0.hang = "everything sleeps"
      $0.ends = [.alive]
    }
    #expect(judgement == FaultJudgement(.hang, ["everything sleeps"]))
  }

  @Test("Files and processes that only the fault leaves are a leak; inputs are not")
  func leak() {
    let lock = judge {
      $0.ends = [.exited(1)]
      $0.files["work/lock"] = Self.file("")
    }
    #expect(lock.verdict == .leak)
    #expect(lock.leftFiles == ["work/lock"])
    let process = judge { $0.left = ["helper"] }
    #expect(process.verdict == .leak)
    #expect(process.leftProcesses == ["helper"])
    let input = Self.run { $0.files["work/in"] = nil }
    let kept = FaultJudge(baseline: input, unstable: UnstableParts()).judge(
      Self.run { $0.ends = [.exited(1)] }, point: Self.point)
    #expect(kept.verdict == .cleanFailure)
  }

  @Test(
    "A file whose name is another one in each run is none that is left behind, and a second one is",
    arguments: [
      ("work/log.264", "work/log.999", "work/log.1000", "work/log.x"),
      ("tmp/x-11-ab1c.tmp", "tmp/x-12-zz9q.tmp", "tmp/x-13-1234.tmp", "tmp/y-13-1234.tmp"),
      ("work/d12", "work/d13", "work/d144", "work/e144"),
    ])
  func varyingNames(first: String, second: String, third: String, other: String) {
    let baseline = Self.run { $0.files[first] = Self.file("") }
    let unstable = UnstableParts(
      between: baseline, and: Self.run { $0.files[second] = Self.file("") })
    func judge(_ paths: [String]) -> FaultJudgement {
      FaultJudge(baseline: baseline, unstable: unstable).judge(
        Self.run { for path in paths { $0.files[path] = Self.file("") } }, point: Self.point)
    }
    #expect(judge([third]).verdict == .same)
    #expect(judge([]).verdict == .same)
    #expect(judge([other]).leftFiles == [other])
    #expect(judge([third, other]).leftFiles == [other])
    #expect(judge([third, first, second + "0"]).verdict == .leak)
  }

  @Test("What may be left behind is none, and all else is")
  func acceptedLeak() {
    let judge = FaultJudge(
      baseline: Self.run(), unstable: UnstableParts(),
      accepted: [GlobPattern("*-journal"), GlobPattern("cache/**"), GlobPattern("helper")])
    for (path, verdict) in [
      ("work/db-journal", FaultVerdict.same), ("work/cache/a/b", .same), ("work/db", .leak),
    ] {
      let run = Self.run { $0.files[path] = Self.file("") }
      #expect(judge.judge(run, point: Self.point).verdict == verdict, "\(path)")
    }
    #expect(judge.judge(Self.run { $0.left = ["helper"] }, point: Self.point).verdict == .same)
    #expect(judge.judge(Self.run { $0.left = ["other"] }, point: Self.point).verdict == .leak)
  }

  @Test("How far time got is said of a hang, beside how far it gets without the fault")
  func hangTimes() {
    let usual = Self.run { $0.elapsed = .seconds(3_600) }
    let hung = Self.run {
      $0.elapsed = .seconds(7_200)
      $0.hang = "virtual time advances without end"
    }
    let judgement = FaultJudge(baseline: usual, unstable: UnstableParts()).judge(
      hung, point: Self.point)
    #expect(
      judgement.evidence == [
        "virtual time advances without end",
        "2h of virtual time passed; without the fault it is 1h",
      ])
  }

  @Test("What could not be removed is what was asked for")
  func removal() {
    var point = Self.point
    point.call = "unlinkat"
    let judgement = judge(point: point) {
      $0.struck = Self.struck("unlinkat")
      $0.files["work/temporary"] = Self.file("")
    }
    #expect(judgement.verdict == .same)
  }

  @Test("A fault that did not come, or came to another call, says nothing")
  func unreached() {
    #expect(judge { $0.fired = 0 }.verdict == .unreached)
    #expect(judge { $0.struck = Self.struck("pwrite64") }.verdict == .unstable)
    #expect(judge { $0.undecided = "no memory" }.verdict == .undecided)
  }
}
