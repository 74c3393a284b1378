import Foundations
import Glibc
import ScenarioPlan
import Synchronization
import Testing

@testable import Supervisor

@Suite("Functions that are watched")
struct FunctionTests {
  private static let work = FunctionPoint(names: ["work"])

  @Test(
    "A local function's calls are counted, and only those that are due are asked about",
    arguments: ["functions", "functions-static", "functions-static-pie", "functions-musl"])
  func local(name: String) throws {
    let watched = try WatchedProgram([Self.work], firstDue: 3) { call in
      FunctionVerdict(
        .result(FunctionResult(integer: 1_000, errorNumber: EAGAIN)),
        nextDue: call.occurrence == 3 ? 7 : nil)
    }

    let output = try watched.run(name, "local", "10")

    // Calls 3 and 7 return 1000 in place of 3 and 7.
    #expect(output == "sum=2000 errno=EAGAIN seconds=0\n")
    #expect(watched.counts() == [10])
    #expect(watched.calls.map(\.occurrence) == [3, 7])
    #expect(watched.calls.map { $0.arguments[0] } == [2, 6])
    #expect(watched.calls.allSatisfy { $0.function == "work" && $0.program == name })
  }

  @Test("A program whose point is never due runs as it would alone, and is counted")
  func undisturbed() throws {
    let watched = try WatchedProgram([Self.work], firstDue: nil)

    #expect(try watched.run("functions", "local", "1000") == "sum=1000 errno=none seconds=0\n")
    #expect(watched.counts() == [1_000])
    #expect(watched.calls.isEmpty)
    let account = watched.program.supervisor.functionAccount()
    #expect(account[0].places == ["work in functions"])
  }

  @Test("A local function of a stripped program is not there; the account tells what is near")
  func stripped() throws {
    let watched = try WatchedProgram([Self.work, FunctionPoint(names: ["mallok"])])

    _ = try watched.run("functions-stripped", "local", "5")

    let account = watched.program.supervisor.functionAccount()
    #expect(account.map(\.calls) == [0, 0])
    #expect(account.map(\.places) == [[], []])
    #expect(account[1].nearest.contains("malloc in libc.so.6"))
  }

  @Test("Four threads are counted as one")
  func threads() throws {
    let watched = try WatchedProgram([Self.work], firstDue: 1_500) { call in
      FunctionVerdict(
        call.occurrence == 1_500 ? .result(FunctionResult(integer: 0)) : .original,
        nextDue: call.occurrence < 1_500 ? 1_500 : nil)
    }

    let output = try watched.run("functions", "threads", "1000")

    #expect(watched.counts() == [4_000])
    let call = watched.calls.first { $0.occurrence == 1_500 }
    let index = call?.arguments[0] ?? 0
    #expect(output == "sum=\(4_000 - Int(index) - 1)\n")
  }

  @Test("Counts go on over fork and exec")
  func processes() throws {
    let watched = try WatchedProgram([Self.work], firstDue: 25) { call in
      FunctionVerdict(
        .result(FunctionResult(integer: call.arguments[0] + 101)),
        nextDue: call.occurrence == 25 ? 31 : nil)
    }

    let output = try watched.run("functions", "processes", "20")

    #expect(
      output == """
        child sum=20
        sum=220 errno=none seconds=0
        parent sum=20

        """)
    #expect(watched.counts() == [60])
    #expect(Set(watched.calls.map(\.process)).count == 1)
  }

  @Test("Every call of four threads at once is asked about once")
  func threadsAtOnce() throws {
    let watched = try WatchedProgram([Self.work])

    #expect(try watched.run("functions", "threads", "500") == "sum=2000\n")
    #expect(Set(watched.calls.map(\.occurrence)) == Set(1...2_000))
    #expect(watched.calls.count == 2_000)
    #expect(Set(watched.calls.map(\.thread)).count == 4)
  }

  @Test("Two points on one function are asked in turn, until one answers")
  func twoPoints() throws {
    let watched = try WatchedProgram([Self.work, Self.work]) { call in
      FunctionVerdict(
        call.point == 1 || call.occurrence == 2
          ? .result(FunctionResult(integer: call.point == 0 ? 100 : 10)) : .original,
        nextDue: call.occurrence + 1)
    }

    // 10 + 100 + 10 - (0 + 1 + 2)
    #expect(try watched.run("functions", "local", "3") == "sum=117 errno=none seconds=0\n")
    #expect(watched.counts() == [3, 2])
  }

  @Test(
    "A process that cannot share the counters is counted all the same", .enabled(if: geteuid() == 0)
  )
  func unshared() throws {
    let watched = try WatchedProgram([Self.work], firstDue: 4) { call in
      FunctionVerdict(.result(FunctionResult(integer: 103)), nextDue: nil)
    }
    let program = try CompiledProgram.path("functions")

    let output = try watched.run(
      "/usr/bin/setpriv", ["--reuid=65534", "--clear-groups", program, "local", "10"])

    #expect(output == "sum=109 errno=none seconds=0\n")
    #expect(watched.counts() == [10])
  }

  @Test("A call is made and its result changed: an integer, a floating point number")
  func edits() throws {
    let local = try WatchedProgram([Self.work]) { call in
      FunctionVerdict(
        .edited { result, _ in FunctionResult(integer: result.integer * 10) },
        nextDue: call.occurrence + 1)
    }
    #expect(try local.run("functions", "local", "4") == "sum=94 errno=none seconds=0\n")

    let number = try WatchedProgram([FunctionPoint(names: ["cbrt"], place: .library("libm"))]) {
      _ in
      FunctionVerdict(
        .edited { result, _ in
          FunctionResult(integer: result.integer, number: (result.number ?? 0) * 100)
        }, nextDue: nil)
    }
    #expect(try number.run("functions", "number") == "125.992\n")
    let constant = try WatchedProgram([FunctionPoint(names: ["cbrt"])]) { _ in
      FunctionVerdict(.result(FunctionResult(number: 2.5)), nextDue: nil)
    }
    #expect(try constant.run("functions", "number") == "2.500\n")
  }

  @Test("Results of calls within each other are changed each by itself")
  func nested() throws {
    let watched = try WatchedProgram([FunctionPoint(names: ["nested"])]) { call in
      FunctionVerdict(
        call.occurrence.isMultiple(of: 3)
          ? .edited { result, _ in FunctionResult(integer: result.integer + 100) } : .original,
        nextDue: call.occurrence + 1)
    }

    #expect(try watched.run("functions", "nested", "7") == "208\n")
    #expect(watched.counts() == [8])
  }

  @Test("A function that libc chooses by the processor is watched where it was chosen")
  func indirect() throws {
    let watched = try WatchedProgram([FunctionPoint(names: ["strcspn"])]) { call in
      FunctionVerdict(
        .edited { result, _ in FunctionResult(integer: result.integer + 30) }, nextDue: nil)
    }

    #expect(try watched.run("functions", "text") == "36\n")
    #expect(watched.counts() == [1])
  }

  @Test(
    "In a static program, which chooses only after its beginning, that is reported",
    arguments: ["functions-static", "functions-static-pie"])
  func indirectStatic(name: String) throws {
    let watched = try WatchedProgram([FunctionPoint(names: ["strcspn"])])

    #expect(try watched.run(name, "text") == "6\n")
    let notices = watched.program.events.compactMap { event in
      if case .notice(_, let text) = event { text } else { nil }
    }
    #expect(notices.contains { $0.hasPrefix("\"strcspn\" of \(name) cannot be watched") })
  }

  @Test("A library that is loaded later is watched from its first call on")
  func library() throws {
    let watched = try WatchedProgram([FunctionPoint(names: ["crc32"], place: .library("libz"))]) {
      _ in
      FunctionVerdict(.result(FunctionResult(integer: 0xbad)), nextDue: nil)
    }

    #expect(try watched.run("functions", "library") == "crc32=bad\n")
    let other = try WatchedProgram([FunctionPoint(names: ["crc32"], place: .library("libm"))])
    #expect(try other.run("functions", "library") == "crc32=352441c2\n")
  }

  @Test("A delay passes in the scenario's time, a signal comes before the call")
  func delays() throws {
    let delayed = try WatchedProgram([Self.work], clock: .from2030(.auto)) { _ in
      FunctionVerdict(
        .delay(90_000_000_000, then: .result(FunctionResult(integer: 50))), nextDue: nil)
    }
    #expect(try delayed.run("functions", "local", "2") == "sum=51 errno=none seconds=90\n")
    // The target has asked for no wait.
    #expect(delayed.program.supervisor.snapshot().waits.count == 0)

    let signalled = try WatchedProgram([Self.work]) { _ in
      FunctionVerdict(.signal(SIGUSR1, then: .original), nextDue: nil)
    }
    #expect(try signalled.run("functions", "signals") == "before=0 after=1 result=42\n")
  }

  @Test("A delay without end leaves the target stuck, one of another thread does not")
  func hang() throws {
    let watched = try WatchedProgram([Self.work], clock: .from2030(.auto)) { call in
      FunctionVerdict(.delay(nil, then: .original), nextDue: nil)
    }
    try watched.program.start([try CompiledProgram.path("functions"), "local", "2"])
    #expect(watched.program.awaitExit().isStuck)

    let first = Mutex<Int32?>(nil)
    let threads = try WatchedProgram([Self.work], clock: .from2030(.auto)) { call in
      let isFirst = first.withLock { thread in
        if thread == nil { thread = call.thread }
        return thread == call.thread
      }
      return FunctionVerdict(
        isFirst ? .delay(1_000_000_000, then: .original) : .original,
        nextDue: call.occurrence + 1)
    }
    #expect(try threads.run("functions", "threads", "20") == "sum=80\n")
    #expect(threads.counts() == [80])
  }

  @Test("Functions of a Go program are watched, and its runtime does not mind")
  func goProgram() throws {
    let watched = try WatchedProgram(
      [FunctionPoint(names: ["time.NewTicker"]), FunctionPoint(names: ["time.Now"])],
      clock: .from2030(.auto))
    let alone = try SupervisedProgram(clock: .from2030(.auto))
    let path = try CompiledProgram.path("tickers")
    try alone.start([path, "1s", "100ms", "250ms"])
    #expect(alone.awaitExit().hasHappened)

    #expect(try watched.run(path, ["1s", "100ms", "250ms"]) == alone.output)
    #expect(watched.counts()[0] == 2)
    #expect(watched.counts()[1] > 0)
  }

  @Test("A library that is loaded again is watched again")
  func reload() throws {
    let watched = try WatchedProgram([FunctionPoint(names: ["crc32"])], firstDue: nil)

    #expect(try watched.run("functions", "reload") == "352441c2 352441c2 352441c2\n")
    #expect(watched.counts() == [3])
  }

  @Test("What a program has blocked and what it handles stays so, whatever is due")
  func blockedSignals() throws {
    let watched = try WatchedProgram([Self.work]) { call in
      FunctionVerdict(
        call.occurrence == 2 ? .signal(SIGUSR1, then: .original) : .original,
        nextDue: call.occurrence + 1)
    }

    #expect(try watched.run("functions", "blocked") == "blocked=1 handled=0 trap=1\n")
    #expect(watched.calls.count == 4)
  }
}
