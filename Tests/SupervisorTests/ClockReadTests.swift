import Foundations
import Glibc
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Reading and setting the clocks of a target")
struct ClockReadTests {
  private func run(_ words: [String], clock: PlannedClock?) throws -> SupervisedProgram {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let reads = "\(root)/.build/programs/reads"
    try #require(
      access(reads, X_OK) == 0, "\(reads) is missing: run Tests/Programs/build.sh .build/programs")
    let program = try SupervisedProgram(clock: clock)
    try program.start(words.first == "reads" ? [reads] + words.dropFirst() : words)
    #expect(program.awaitExit().hasHappened)
    return program
  }

  private func settable(_ flow: ClockFlow) -> PlannedClock {
    PlannedClock(at: WallInstant(seconds: 1_893_456_000), flow: flow, isSettable: true)
  }

  // MARK: - Reading

  @Test("Resolutions are those of the machine, by libc and by raw calls")
  func resolutions() throws {
    let held = try run(["reads", "resolutions"], clock: .from2030(.held)).output

    #expect(held == (try run(["reads", "resolutions"], clock: nil).output))
    #expect(held.contains("clock 1 libc=none:0.000000001 raw=none:0.000000001 null=none\n"))
    #expect(held.contains("clock 10 libc=EINVAL:-7.000000000 raw=EINVAL:-7.000000000 null=EINVAL"))
  }

  @Test(
    "Everything that tells the time or the uptime tells the scenario's",
    arguments: [ClockFlow.held, .auto])
  func uptimes(flow: ClockFlow) throws {
    let output = try run(["reads", "uptimes"], clock: .from2030(flow)).output

    #expect(
      output == """
        sysinfo libc=100000 raw=100000 memory=same
        sysinfo fault EFAULT
        times libc=10000000 raw=10000000 user=set
        times fault EFAULT
        adjtimex state=fine seconds=1893456000 fraction=fine tai=37 offset=0
        clock_adjtime state=fine seconds=1893456000
        ntp_gettime state=fine seconds=1893456000 tai=37
        adjtimex fault EFAULT
        adjtimex constant EFAULT
        clock_adjtime monotonic EOPNOTSUPP
        clock_adjtime unknown EINVAL
        open 20 100000.00 100000.00
        openat 20 100000.00 100000.00
        openat2 20 100000.00 100000.00
        closes 1
        folder ENOTDIR
        beneath EXDEV
        absent ENOENT

        """)
  }

  @Test("Without a clock of its own, a target reads the machine's")
  func realUptime() throws {
    let output = try run(["reads", "uptimes"], clock: nil).output

    #expect(!output.contains("libc=100000 "))
    #expect(!output.contains("1893456000"))
    #expect(!output.contains("open 20 100000.00"))
  }

  @Test("An uptime that flows goes on from where it began, and sysinfo rounds its seconds up")
  func flowingUptime() throws {
    let output = try run(["reads", "uptimes"], clock: .from2030(.real)).output
    func number(after prefix: String) -> Double {
      output.firstRange(of: prefix)
        .flatMap { Double(output[$0.upperBound...].prefix { $0.isNumber || $0 == "." }) } ?? 0
    }

    let rounded = number(after: "sysinfo libc=")
    let exact = number(after: "openat 20 ")
    #expect(rounded >= 100_001)
    #expect(exact >= 100_000)
    #expect(exact >= rounded - 1)
    #expect(number(after: "times libc=") >= 10_000_000)
  }

  @Test("Who keeps the uptime open reads the new one, from the same descriptor")
  func reread() throws {
    let output = try run(["reads", "reread", "1500"], clock: .from2030(.auto)).output
    #expect(output == "first 20 100000.00 100000.00\nagain 20 100001.50 100001.50\n")

    let flowing = try run(["reads", "reread", "60"], clock: .from2030(.real)).output
    let readings = flowing.split(separator: "\n").compactMap {
      Double($0.split(separator: " ").last ?? "")
    }
    #expect(readings.count == 2)
    #expect(readings.last ?? 0 >= (readings.first ?? .infinity) + 0.05)
  }

  @Test(
    "Programs with and without libc's own file streams read the uptime",
    arguments: ["", "busybox "])
  func programs(prefix: String) throws {
    let script = "\(prefix)cat /proc/uptime; cd /; \(prefix)sleep 5; \(prefix)cat /proc/uptime"
    let output = try run(["/bin/sh", "-c", script], clock: .from2030(.auto)).output

    #expect(output == "100000.00 100000.00\n100005.00 100005.00\n")
  }

  @Test("CPU clocks stay real while the scenario's stand still")
  func processorTime() throws {
    let output = try run(["reads", "cpu"], clock: .from2030(.held)).output

    #expect(output == "clock 2 runs\nclock 3 runs\ntimes runs\n")
  }

  // MARK: - Setting

  @Test("Where the clock is settable, every way to set it does what the kernel would")
  func attempts() throws {
    let program = try run(["reads", "attempts"], clock: settable(.held))

    #expect(
      program.output == """
        settimeofday-nothing none
        settime-fault EFAULT
        settime-wrong EINVAL
        settime-negative EINVAL
        settime-late EINVAL
        settime-early EINVAL
        settime-monotonic EINVAL
        settime-tai EINVAL
        settime-unknown EINVAL
        settime none
        settimeofday-fault EFAULT
        settimeofday-zone-fault EFAULT
        settimeofday-wrong EINVAL
        settimeofday-wrong-zone EINVAL
        settimeofday-zone none
        settimeofday none
        adjtimex-tick EINVAL
        adjtimex-offset EINVAL
        adjtimex-once EINVAL
        adjtimex-frequency none
        frequency kept
        clock_adjtime-offset none
        adjtime none
        now 2000000000.000004999

        """)
    #expect(
      program.settings == [
        "clock_settime 106544000000000005 -", "settimeofday 4995 -", "clock_adjtime -1 -",
      ])
  }

  @Test("Where it is not, it stays, and the kernel's order of errors too")
  func refusedAttempts() throws {
    let program = try run(["reads", "attempts"], clock: .from2030(.held))

    #expect(
      program.output == """
        settimeofday-nothing EPERM
        settime-fault EFAULT
        settime-wrong EINVAL
        settime-negative EINVAL
        settime-late EINVAL
        settime-early EPERM
        settime-monotonic EINVAL
        settime-tai EINVAL
        settime-unknown EINVAL
        settime EPERM
        settimeofday-fault EFAULT
        settimeofday-zone-fault EFAULT
        settimeofday-wrong EINVAL
        settimeofday-wrong-zone EPERM
        settimeofday-zone EPERM
        settimeofday EPERM
        adjtimex-tick EPERM
        adjtimex-offset EPERM
        adjtimex-once EINVAL
        adjtimex-frequency EPERM
        frequency other
        clock_adjtime-offset EPERM
        adjtime EPERM
        now 1893456000.000000000

        """)
    #expect(program.settings.count == 11)
    #expect(program.settings.contains("clock_settime 106544000000000005 EPERM"))
    #expect(program.settings.allSatisfy { $0.hasSuffix(" EPERM") })
  }

  @Test("A clock that was set shows it and runs on; the monotonic clock knows nothing of it")
  func settingKeepsMonotonicTime() throws {
    let set = try run(["reads", "set", "2000000000"], clock: settable(.auto)).output
    #expect(
      set == """
        set none
        wall 2000000000 monotonic 100000
        sleep none
        wall 2000000010 monotonic 100010

        """)

    let refused = try run(["reads", "set", "2000000000"], clock: .from2030(.auto)).output
    #expect(
      refused == """
        set EPERM
        wall 1893456000 monotonic 100000
        sleep none
        wall 1893456010 monotonic 100010

        """)
  }

  @Test("A sleep until a time of day is over when the clock is set past it")
  func wallDeadline() throws {
    let set = try run(["reads", "due"], clock: settable(.auto)).output
    #expect(set == "set none\nmonotonic 100001\n")

    let refused = try run(["reads", "due"], clock: .from2030(.auto)).output
    #expect(refused == "set EPERM\nmonotonic 103600\n")
  }

  @Test("date sets the scenario's clock where it may, for all processes, and complains where not")
  func date() throws {
    let script = "date -s @2000000000 +%s; date +%s; cat /proc/uptime"
    let set = try run(["/bin/sh", "-c", script], clock: settable(.held))
    #expect(set.output == "2000000000\n2000000000\n100000.00 100000.00\n")
    #expect(set.view.reading().wall == WallInstant(seconds: 2_000_000_000))

    let refused = try run(["/bin/sh", "-c", script], clock: .from2030(.held))
    // date(1) prints what it was asked to set, whether it could or not.
    #expect(refused.output == "2000000000\n1893456000\n100000.00 100000.00\n")
    #expect(refused.errorOutput == "date: cannot set date: Operation not permitted\n")
  }

  @Test("A frozen clock can be set, and stays frozen")
  func frozen() throws {
    let script = "date -s @2000000000 >/dev/null; date +%s.%N; date +%s.%N"
    let program = try SupervisedProgram(clock: settable(.real))
    program.supervisor.change(.freeze(nil))
    try program.start(["/bin/sh", "-c", script])

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "2000000000.000000000\n2000000000.000000000\n")
  }
}

extension SupervisedProgram {
  /// What the supervisor told of attempts to set the clock: call, nanoseconds, error.
  fileprivate var settings: [String] {
    events.compactMap { event in
      guard case .clockSet(_, let length, let systemCall, let error) = event else { return nil }
      return "\(systemCall) \(length.count) \(error ?? "-")"
    }
  }
}
