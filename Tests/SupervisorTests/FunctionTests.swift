import Glibc
import ScenarioModel
import ScenarioPlan
import Synchronization
import Testing

@testable import Supervisor

/// A program under a supervisor that watches functions.
private final class WatchedProgram {
  let program: SupervisedProgram
  private let asked: Asked

  private final class Asked: Sendable {
    let calls = Mutex<[FunctionCall]>([])
  }

  /// The calls that were asked about.
  var calls: [FunctionCall] { asked.calls.withLock { $0 } }

  init(
    _ points: [FunctionPoint], firstDue: UInt64? = 1, clock: PlannedClock? = nil,
    decide: @escaping @Sendable (FunctionCall) -> FunctionVerdict = {
      FunctionVerdict(.original, nextDue: $0.occurrence + 1)
    }
  ) throws {
    let asked = Asked()
    self.asked = asked
    program = try SupervisedProgram(
      clock: clock,
      functions: FunctionFaults(
        points: points, firstDue: points.map { _ in firstDue },
        decide: { call, _ in
          asked.calls.withLock { $0.append(call) }
          return decide(call)
        }))
  }

  /// Runs a program to its end; what it has written.
  func run(
    _ path: String, _ arguments: [String], environment: [String] = [],
    input: LaunchRequest.Input = .empty
  ) throws -> String {
    try program.start([path] + arguments, input: input, environment: environment)
    #expect(program.awaitExit().hasHappened)
    return program.output
  }

  /// Runs a program of Tests/Programs.
  func run(_ words: String...) throws -> String {
    try run(try CompiledProgram.path(words[0]), Array(words.dropFirst()))
  }

  func counts() -> [UInt64] { program.supervisor.functionAccount().map(\.calls) }
}

@Suite("Functions that are watched")
struct FunctionTests {
  private static let work = FunctionPoint(names: ["work"])

  private static func fail(at occurrences: Set<UInt64>)
    -> @Sendable (FunctionCall) -> FunctionVerdict
  {
    { call in
      FunctionVerdict(
        occurrences.contains(call.occurrence) ? .allocationFailure : .original,
        nextDue: occurrences.filter { $0 > call.occurrence }.min())
    }
  }

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
    #expect(account[1].nearest.contains("malloc"))
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
        .edit { result, _ in FunctionResult(integer: result.integer * 10) },
        nextDue: call.occurrence + 1)
    }
    #expect(try local.run("functions", "local", "4") == "sum=94 errno=none seconds=0\n")

    let number = try WatchedProgram([FunctionPoint(names: ["cbrt"], place: .library("libm"))]) {
      _ in
      FunctionVerdict(
        .edit { result, _ in
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
          ? .edit { result, _ in FunctionResult(integer: result.integer + 100) } : .original,
        nextDue: call.occurrence + 1)
    }

    #expect(try watched.run("functions", "nested", "7") == "208\n")
    #expect(watched.counts() == [8])
  }

  @Test("A function that libc chooses by the processor is watched where it was chosen")
  func indirect() throws {
    let watched = try WatchedProgram([FunctionPoint(names: ["strcspn"])]) { call in
      FunctionVerdict(
        .edit { result, _ in FunctionResult(integer: result.integer + 30) }, nextDue: nil)
    }

    #expect(try watched.run("functions", "text") == "36\n")
    #expect(watched.counts() == [1])
  }

  @Test(
    "In a static program, which chooses only after its beginning, that is told",
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

  // MARK: - Allocations

  @Test(
    "Each call that allocates is counted once, and can fail",
    arguments: [
      ("functions", nil), ("functions-static", nil), ("functions-static-pie", nil),
      ("functions-musl", nil), ("functions-musl-dynamic", nil),
      ("functions", "libjemalloc.so.2"), ("functions", "libtcmalloc_minimal.so.4"),
    ] as [(String, String?)])
  func allocators(name: String, preload: String?) throws {
    let environment = preload.map { ["LD_PRELOAD=\($0)"] } ?? []
    let path = try CompiledProgram.path(name)
    let plain = try WatchedProgram([.allocations], firstDue: nil)
    #expect(
      try plain.run(path, ["allocators"], environment: environment) == "11111111 none\n")
    // A static program's libc begins behind the program's own beginning.
    let before = plain.counts()[0] - 8
    #expect(before == 0 || name != "functions")

    for position in 1...8 {
      let due = before + UInt64(position)
      let watched = try WatchedProgram([.allocations], firstDue: due, decide: Self.fail(at: [due]))

      let output = try watched.run(path, ["allocators"], environment: environment)

      let expected = (1...8).map { $0 == position ? "0" : "1" }.joined()
      #expect(output == "\(expected) \(position == 7 ? "ENOMEM" : "none")\n")
      #expect(watched.counts() == plain.counts())
    }
  }

  @Test("A malloc that fails sets errno")
  func errors() throws {
    // The third call is that of stdout for its buffer.
    let watched = try WatchedProgram(
      [.allocations], firstDue: 2, decide: Self.fail(at: [2, 4]))

    #expect(try watched.run("functions", "errors", "4") == "2:ENOMEM\n3:ENOMEM\nend\n")
  }

  @Test(
    "The operators of C++ throw what they throw", arguments: ["allocation", "allocation-static"])
  func operators(name: String) throws {
    let all = ["new", "new[]", "nothrow", "string"]
    let plain = try WatchedProgram([.allocations], firstDue: nil)
    #expect(try plain.run(name, "1") == all.joined(separator: " ") + " \n")
    let total = Int(plain.counts()[0])
    try #require(total >= 5)

    // What comes before is the library's own; behind them stdout takes its buffer.
    for (index, what) in all.enumerated() {
      let due = UInt64(total - 4 + index)
      let watched = try WatchedProgram([.allocations], firstDue: due, decide: Self.fail(at: [due]))
      let expected = all.map { $0 == what ? $0.uppercased() : $0 }.joined(separator: " ")
      #expect(try watched.run(name, "1") == expected + " \n")
    }
  }

  @Test(
    "Another allocator's calls are the ones that count, and its operators throw",
    arguments: ["libjemalloc.so.2", "libtcmalloc_minimal.so.4"])
  func otherAllocators(library: String) throws {
    let preload = ["LD_PRELOAD=\(library)"]
    let plain = try WatchedProgram([.allocations], firstDue: nil)
    let path = try CompiledProgram.path("allocation")
    let all = ["new", "new[]", "nothrow", "string"]
    #expect(
      try plain.run(path, ["1"], environment: preload) == all.joined(separator: " ") + " \n")
    let account = plain.program.supervisor.functionAccount()[0]
    #expect(account.places.contains { $0.hasPrefix("malloc in \(library)") })
    #expect(!account.places.contains { $0.hasSuffix("in libc.so.6") && $0.hasPrefix("malloc") })
    #expect(account.calls == 5)

    for (index, what) in all.enumerated() {
      let due = UInt64(index + 1)
      let watched = try WatchedProgram([.allocations], firstDue: due, decide: Self.fail(at: [due]))
      let expected = all.map { $0 == what ? $0.uppercased() : $0 }.joined(separator: " ")
      #expect(try watched.run(path, ["1"], environment: preload) == expected + " \n")
    }
  }

  @Test("sed that cannot allocate leaves a line as it was, and says that all is well")
  func silentDifference() throws {
    func run(failing due: UInt64?) throws -> (output: String, isFine: Bool, calls: UInt64) {
      let watched = try WatchedProgram(
        [.allocations], firstDue: due, decide: Self.fail(at: due.map { [$0] } ?? []))
      let output = try watched.run("/usr/bin/sed", ["s/1/2/"], input: .bytes(Array("1\n".utf8)))
      var isFine = false
      if case .exited(code: 0)? = watched.program.supervisor.exitStatus() { isFine = true }
      return (output, isFine, watched.counts()[0])
    }
    let baseline = try run(failing: nil)
    #expect(baseline.output == "2\n")
    #expect(baseline.calls > 50)

    var silent = 0
    var told = 0
    for due in 1...baseline.calls {
      let result = try run(failing: due)
      if result.isFine {
        if result.output != baseline.output { silent += 1 }
      } else {
        told += 1
      }
    }
    #expect(silent > 0)
    #expect(told > 0)
  }

  @Test("sqlite3 is out of memory at one of its allocations, and says so")
  func database() throws {
    let statement = [
      "-batch", ":memory:", "create table t(a); insert into t values(1); select a from t;",
    ]
    let plain = try WatchedProgram([.allocations], firstDue: nil)
    #expect(try plain.run("/usr/bin/sqlite3", statement) == "1\n")
    let total = plain.counts()[0]
    #expect(total > 100)

    let late = total * 9 / 10
    let watched = try WatchedProgram([.allocations], firstDue: late, decide: Self.fail(at: [late]))
    _ = try watched.run("/usr/bin/sqlite3", statement)
    #expect(watched.calls.map(\.occurrence) == [late])
  }

  @Test(
    "Real programs whose allocations are counted run as they would alone",
    arguments: [
      ["/bin/sh", "-c", "printf 'b\\na\\n' | sort | tr ab xy; ls -d /usr | cat; exec echo end"],
      ["/usr/bin/python3", "-c", "import json, threading; print(json.dumps({'a': [1, 2.5]}))"],
      ["/usr/bin/perl", "-e", "print join(',', map { $_ * 2 } 1 .. 5), qq(\\n)"],
      ["/usr/bin/git", "--version"],
    ])
  func realPrograms(words: [String]) throws {
    let alone = try SupervisedProgram(clock: .from2030(.auto))
    try alone.start(words)
    #expect(alone.awaitExit().hasHappened)

    for firstDue in [nil, 1] as [UInt64?] {
      let watched = try WatchedProgram([.allocations], firstDue: firstDue) { call in
        FunctionVerdict(.original, nextDue: call.occurrence + 10)
      }
      #expect(try watched.run(words[0], Array(words.dropFirst())) == alone.output)
      #expect(watched.program.errorOutput == alone.errorOutput)
      #expect(watched.counts()[0] > 5)
      #expect(firstDue == nil || watched.calls.count > 1)
    }
  }

  @Test("An exception passes by a call whose result was waited for")
  func unwinding() throws {
    let points = [FunctionPoint(names: ["_Znwm"], place: .library("libstdc++")), .allocations]
    let watched = try WatchedProgram(points) { call in
      guard call.point == 1 else {
        return FunctionVerdict(.edit { result, _ in result }, nextDue: call.occurrence + 1)
      }
      return FunctionVerdict(
        call.occurrence == 2 ? .allocationFailure : .original, nextDue: call.occurrence + 1)
    }

    let output = try watched.run("allocation", "3")

    #expect(output.hasPrefix("new NEW[] nothrow string new new[] nothrow string new"))
    #expect(watched.counts()[0] >= 9)
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
