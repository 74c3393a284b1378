import Foundations
import Glibc
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@testable import Supervisor

/// Entries for tests, as a scenario file would have them.
func chaosEntries(_ list: String) throws -> [PlannedChaos] {
  let text = "version: 2\ntarget: { command: [/bin/true] }\nchaos:\n" + list
  let file = try #require(ScenarioFile.parse(text: text, path: "test.yaml").file)
  let (plan, diagnostics) = Planner.plan(
    files: [file], options: PlannerOptions(fileExists: { _ in true }))
  #expect(diagnostics.map(\.message) == [])
  return try #require(plan?.cases.first?.chaos)
}

@Suite("Chaos under the supervisor")
struct ChaosTests {
  private func supervise(
    _ words: [String], _ list: String, clock: PlannedClock? = nil, seed: Int64 = 0
  ) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: clock, chaos: try chaosEntries(list), seed: seed)
    let path =
      words[0].hasPrefix("/") ? words[0] : try CompiledProgram.path(words[0])
    try program.start([path] + words.dropFirst())
    return program
  }

  private func run(
    _ words: [String], _ list: String, clock: PlannedClock? = nil, seed: Int64 = 0
  ) throws -> (output: String, program: SupervisedProgram) {
    let program = try supervise(words, list, clock: clock, seed: seed)
    #expect(program.awaitExit().hasHappened)
    return (program.output, program)
  }

  private func faults(_ program: SupervisedProgram) -> [InjectedFault] {
    program.events.compactMap {
      if case .faultInjected(let fault) = $0 { fault } else { nil }
    }
  }

  // MARK: - Counting

  @Test(
    "Counts run over twenty threads in each of five processes",
    arguments: [
      ("chaos_calls", "skip: 100, times: 300", 300), ("chaos_calls", "every: 3", 333),
      ("chaos_calls-static", "skip: 100, times: 300", 300), ("chaos_calls", "skip: 1000", 0),
      ("chaos_calls", "probability: 1", 1000),
    ])
  func crowd(name: String, when: String, failures: Int) throws {
    let (output, program) = try run(
      [name, "crowd"], "  - { call: fsync, when: { \(when) }, provide: { error: EIO } }")

    #expect(output == "failures=\(failures)\n")
    let account = try #require(program.supervisor.snapshot().faults.first)
    #expect(account.matched == 1_000)
    #expect(account.fired == failures)
    #expect(account.processes.map(\.ordinal) == [2, 3, 4, 5, 6])
    #expect(account.processes.map(\.matched) == [200, 200, 200, 200, 200])
    #expect(account.processes.map(\.fired).reduce(0, +) == failures)
    #expect(Set(faults(program).map(\.threadOrdinal)).isSubset(of: Set(2...21)))
    #expect(Set(faults(program).map(\.occurrence)).count == failures)
  }

  @Test("The loader's own calls are not counted, of a dynamic program or a static one")
  func loader() throws {
    let list = "  - { call: [open, read, mmap], provide: { error: EIO } }"
    for name in ["chaos_calls", "chaos_calls-static"] {
      let (output, program) = try run([name, "vectors"], list)

      #expect(output.hasSuffix("arrived=abcdefgabcdefg\n"), "\(name)")
      #expect(program.supervisor.snapshot().faults.first?.seen == 0)
    }
    // What a program opens itself is counted.
    let (output, program) = try run(["/bin/cat", "/etc/passwd"], list)
    #expect(output == "")
    #expect(program.supervisor.snapshot().faults.first?.seen ?? 0 > 0)
  }

  // MARK: - Transfers

  @Test("A short read leaves the caller's registers as they were")
  func registers() throws {
    let list = "  - { call: pread64, provide: { short: 3 } }"

    #expect(
      try run(["chaos_calls", "registers"], list).output
        == "result=3 size=64 same=1 text=012\n")
    #expect(
      try run(["chaos_calls", "registers"], "  - { call: fsync, provide: nil }").output
        == "result=10 size=64 same=1 text=0123456789\n")
  }

  @Test(
    "Vectors and messages are made shorter or spoiled on the way, and look as before behind it",
    arguments: [
      ("{ short: 2 }", "sent=2", "wrote=2", "abab"),
      ("{ short: 5 }", "sent=5", "wrote=5", "abcdeabcde"),
      ("{ short: { fraction: 0.5 } }", "sent=3", "wrote=3", "abcabc"),
      ("{ short: 100 }", "sent=7", "wrote=7", "abcdefgabcdefg"),
      ("{ corrupt: { truncate: 4 } }", "sent=7", "wrote=7", "abcdabcd"),
      ("lie", "sent=7", "wrote=7", ""), ("{ constant: 3 }", "sent=3", "wrote=3", ""),
      ("original", "sent=7", "wrote=7", "abcdefgabcdefg"),
    ])
  func vectors(provide: String, sent: String, wrote: String, arrived: String) throws {
    let (output, _) = try run(
      ["chaos_calls", "vectors"],
      "  - { call: [writev, sendmsg], where: { fd: unix }, provide: \(provide) }")

    #expect(
      output
        == "\(sent)\n\(wrote)\nvector=3,4,2\ntext=abcdefg\narrived=\(arrived)\n")
  }

  @Test("What is spoiled on the way out is whole in the caller's memory, by the seed")
  func corruption() throws {
    let list = "  - { call: sendmsg, provide: { corrupt: { flip_bits: 1 } } }"
    let first = try run(["chaos_calls", "vectors"], list).output
    let again = try run(["chaos_calls", "vectors"], list).output

    #expect(first.contains("text=abcdefg\n"))
    #expect(!first.contains("arrived=abcdefgabcdefg"))
    #expect(again == first)
    let seeds = try Set((1...4).map { try run(["chaos_calls", "vectors"], list, seed: $0).output })
    #expect(seeds.count > 1)
  }

  @Test("What comes in is spoiled where it arrives")
  func corruptedReads() throws {
    let (output, _) = try run(
      ["chaos_calls", "registers"],
      "  - { call: pread64, provide: { corrupt: { flip_bits: 1, offset: 4 } } }")

    #expect(output.hasPrefix("result=10 size=64 same=1 text=0123"))
    #expect(!output.contains("0123456789"))
    #expect(output.hasSuffix("56789\n"))
  }

  @Test(
    "A fault that changed no byte of a call and cut none off has not fired",
    arguments: [
      ("{ short: 3 }", 1), ("{ short: 20 }", 0), ("{ short: 64 }", 0),
      ("{ corrupt: { truncate: 4 } }", 1), ("{ corrupt: { truncate: 10 } }", 0),
      ("{ corrupt: { zero: 1, offset: 4 } }", 1), ("{ corrupt: { zero: 1, offset: 12 } }", 0),
      ("{ corrupt: { flip_bits: 8, offset: 4 } }", 1),
      ("{ compute: { bytes: byte + 1 } }", 1), ("{ compute: { bytes: byte } }", 0),
      ("{ compute: result - 1 }", 1), ("{ compute: result }", 0),
    ])
  func effects(provide: String, fired: Int) throws {
    // It asks for 64 bytes of a file of ten.
    let (_, program) = try run(
      ["chaos_calls", "registers"], "  - { call: pread64, provide: \(provide) }")

    let account = try #require(program.supervisor.snapshot().faults.first)
    #expect(account.matched == 1)
    #expect(account.fired == fired)
    #expect(faults(program).count == fired)
  }

  @Test(
    "A transfer that cannot be made for fewer bytes fails, which is an effect",
    arguments: ["{ short: 1 }", "{ corrupt: { truncate: 4 } }"])
  func refusedTransfers(provide: String) throws {
    let script = """
      import os
      fd = os.eventfd(1)
      def attempt(call, *values):
        try: return call(fd, *values)
        except OSError as error: return error.errno
      value = (2).to_bytes(8, 'little')
      print([attempt(os.write, value), attempt(os.write, value), len(attempt(os.read, 8))])
      """
    let (output, program) = try run(
      ["/usr/bin/python3", "-c", script],
      "  - { call: write, where: { size: 8 }, when: { times: 1 }, provide: \(provide) }")

    #expect(output == "[22, 8, 8]\n")
    #expect(try #require(program.supervisor.snapshot().faults.first).fired == 1)
  }

  @Test("Every byte of a long transfer is computed")
  func longTransfer() throws {
    let script = """
      import os
      size = (1 << 20) + 4
      fd = os.memfd_create('x')
      rest = memoryview(b'a' * size)
      while rest: rest = rest[os.write(fd, rest):]
      print(os.pread(fd, size, 0) == b'b' * size)
      """
    let (output, _) = try run(
      ["/usr/bin/python3", "-c", script],
      "  - { call: write, where: { path: '/memfd:x*' }, provide: { compute: { bytes: byte + 1 } } }"
    )

    #expect(output == "True\n")
  }

  // MARK: - Time and signals

  @Test("A delay passes in virtual time, at its own instant, and the call is made behind it")
  func delays() throws {
    let list =
      "  - { name: slow, call: read, where: { fd: pipe }, provide: { delay: 1500ms } }"
    let (output, program) = try run(
      ["/bin/sh", "-c", "echo x | (date +%S.%N; cat; date +%S.%N)"], list,
      clock: .from2030(.auto))

    // One read finds the line, a second one the end.
    #expect(output == "00.000000000\nx\n03.000000000\n")
    #expect(faults(program).map(\.action) == ["delay 1.5s", "delay 1.5s"])
    #expect(program.supervisor.snapshot().faults.first?.matched == 2)
  }

  @Test(
    "A delayed call that a signal disturbs fails or starts again as its handler says, and is counted once",
    arguments: [
      ("restart", "result=1 error=0 handled=1 byte=120 seconds=5"),
      ("interrupt", "result=-1 error=4 handled=1 byte=0 seconds=2"),
    ])
  func disturbed(scene: String, line: String) throws {
    let (output, program) = try run(
      ["chaos_calls", scene],
      "  - { call: read, where: { fd: pipe, size: 1 }, provide: { delay: 5s } }",
      clock: .from2030(.auto))

    #expect(output == line + "\n")
    #expect(program.supervisor.snapshot().faults.first?.matched == 1)
  }

  @Test("A call that hangs is asleep for everybody, and can be killed")
  func hanging() throws {
    let program = try supervise(
      ["/bin/cat", "/etc/passwd"],
      "  - { call: read, where: { path: /etc/passwd }, provide: hang }",
      clock: .from2030(.auto))

    guard case .stuck(let situations) = program.awaitExit() else {
      Issue.record("it is not stuck")
      return
    }
    #expect(
      situations.map(\.activity) == [
        "is held before read on descriptor 3 (/etc/passwd) by the chaos entry \"read\", forever"
      ])
    #expect(program.supervisor.signal(SIGTERM))
    #expect(program.awaitExit().hasHappened)
    #expect(program.supervisor.exitStatus() == .signaled(number: SIGTERM))
  }

  @Test(
    "A signal comes before or behind the call",
    arguments: [
      ("{ signal: USR1 }", "handler\n3\n"),
      ("{ signal: { send: USR1, at: after } }", "handler\n3\n"),
      ("{ signal: USR1, then: { error: EIO } }", "handler\n5\n"),
      ("{ signal: { send: USR1, at: after }, then: { constant: 2 } }", "handler\n2\n"),
    ])
  func signals(provide: String, output: String) throws {
    let script = """
      import os, signal
      signal.signal(signal.SIGUSR1, lambda *a: print('handler'))
      fd = os.memfd_create('x')
      try: n = os.write(fd, b'abc')
      except OSError as e: n = e.errno
      print(n)
      """
    let (found, program) = try run(
      ["/usr/bin/python3", "-c", script],
      "  - { call: write, where: { path: '/memfd:x*' }, provide: \(provide) }")

    #expect(found == output)
    #expect(program.supervisor.snapshot().faults.first?.matched == 1)
  }

  @Test("A process ends, is killed, or all of them are")
  func ends() throws {
    func end(_ provide: String) throws -> String {
      let (output, program) = try run(
        ["/bin/sh", "-c", "/bin/sync; echo $?; echo end"], "  - { call: sync, provide: \(provide) }"
      )
      return program.supervisor.exitStatus() == .signaled(number: SIGKILL) ? "killed" : output
    }

    #expect(try end("{ exit: 3 }") == "3\nend\n")
    #expect(try end("kill") == "137\nend\n")
    #expect(try end("{ kill: tree }") == "killed")
    #expect(try end("nil") == "0\nend\n")
  }

  // MARK: - Other providers

  @Test("A failing brk answers as the kernel's does")
  func breaks() throws {
    #expect(
      try run(
        ["chaos_calls-static", "memory"],
        "  - { call: brk, where: { args: { 0: { not: 0 } } }, provide: { error: ENOMEM } }"
      ).output == "grown=0 errno=12 moved=0\n")
    #expect(
      try run(["chaos_calls-static", "memory"], "  - { call: fsync, provide: nil }").output
        == "grown=1 errno=0 moved=1\n")
  }

  @Test(
    "A computed result sees arguments, memory, and what the original returned",
    arguments: [
      ("args[2] + 1", "result=65", ""), ("result * 2", "result=20", "0123456789"),
      ("{ args: { 2: '4', 3: '2' } }", "result=4", "2345"),
      ("{ args: { 2: '4' }, result: 'byte(args[1] + 3)' }", "result=51", "0123"),
    ])
  func computed(compute: String, result: String, text: String) throws {
    let (output, _) = try run(
      ["chaos_calls", "registers"],
      "  - { call: pread64, provide: { compute: \"\(compute)\" } }"
        .replacingQuotes())

    #expect(output == "\(result) size=64 same=1 text=\(text)\n")
  }

  @Test("A program decides; where it gives no answer that is reported")
  func deciding() throws {
    let script = """
      import json, sys
      for line in sys.stdin:
        call = json.loads(line)
        print(json.dumps({'error': 'EIO'} if call['occurrence'] % 2 else {}), flush=True)
      """
    let list = """
        - { name: d, call: fsync, provide: { exec: [python3, -c, "\(script.escaped())"] } }
      """
    let (output, program) = try run(["chaos_calls", "crowd"], list)
    #expect(output == "failures=500\n")
    #expect(!program.events.contains { if case .chaosUndecided = $0 { true } else { false } })

    let (silent, broken) = try run(
      ["chaos_calls", "crowd"],
      "  - { name: d, call: fsync, when: { times: 2 }, provide: { exec: [/bin/true] } }")
    #expect(silent == "failures=0\n")
    #expect(broken.events.contains { if case .chaosUndecided = $0 { true } else { false } })
  }
}

extension String {
  /// A map in flow style where the text is one.
  fileprivate func replacingQuotes() -> String {
    guard let start = range(of: "\"{"), let end = range(of: "}\"") else { return self }
    return self[..<start.lowerBound] + "{" + self[start.upperBound..<end.lowerBound] + "}"
      + self[end.upperBound...]
  }

  /// The text inside double quotes of YAML.
  fileprivate func escaped() -> String {
    map { $0 == "\n" ? "\\n" : $0 == "\"" ? "\\\"" : String($0) }.joined()
  }

  fileprivate func range(of part: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
      start = index(after: start)
    }
    return nil
  }
}
