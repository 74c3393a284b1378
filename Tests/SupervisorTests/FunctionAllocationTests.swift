import Foundations
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Functions that allocate")
struct FunctionAllocationTests {
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
    "Each call that allocates is counted once, and can fail",
    arguments: [
      ("functions", nil), ("functions-static", nil), ("functions-static-pie", nil),
      ("functions-musl", nil), ("functions-musl-dynamic", nil),
      ("functions", "libjemalloc.so.2"), ("functions", "libtcmalloc_minimal.so.4"),
    ] as [(String, String?)])
  func allocators(name: String, preload: String?) throws {
    let environment = try preload.map { try CompiledProgram.preload($0) } ?? []
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
    let preload = try CompiledProgram.preload(library)
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
        return FunctionVerdict(.edited { result, _ in result }, nextDue: call.occurrence + 1)
      }
      return FunctionVerdict(
        call.occurrence == 2 ? .allocationFailure : .original, nextDue: call.occurrence + 1)
    }

    let output = try watched.run("allocation", "3")

    #expect(output.hasPrefix("new NEW[] nothrow string new new[] nothrow string new"))
    #expect(watched.counts()[0] >= 9)
  }
}
