import Testing

@testable import Supervisor

@Suite("Programs that decide about calls")
struct ChaosQuestionTests {
  /// An entry whose program is Python; `answer` is an expression over the question `q`.
  private func entry(_ call: String, at moment: String, _ answer: String) -> String {
    let script =
      "import json,sys\\nfor line in sys.stdin:\\n  q = json.loads(line)\\n"
      + "  print(json.dumps(\(answer)), flush=True)"
    return "  - { \(call), provide: { exec: { command: [/usr/bin/python3, -c, \"\(script)\"], "
      + "at: \(moment) } } }"
  }

  @Test(
    "Before a call it sees arguments and bytes, and gives others",
    arguments: [
      ("call: pread64", "{'args': {'2': 4}}", "result=4 size=64 same=1 text=0123\n"),
      ("call: pread64", "{'text': 'hello'}", "result=5 size=64 same=1 text=hello\n"),
      ("call: pread64", "{'base64': 'aGV5'}", "result=3 size=64 same=1 text=hey\n"),
      ("call: pread64", "{'result': q['args'][2]}", "result=64 size=64 same=1 text=\n"),
      (
        "call: pread64", "{'error': 'EIO' if 'text' not in q else 'EBADF'}",
        "result=-5 size=64 same=1 text=\n"
      ),
      (
        "call: write, when: { nth: 1 }", "{'text': q['text'][:3].replace('0', 'x')}",
        "result=3 size=64 same=1 text=x12\n"
      ),
      (
        "call: write, when: { nth: 1 }",
        "{'provide': 'original'} if q['size'] == 10 and q['at'] == 'before' else {'error': 'EIO'}",
        "result=10 size=64 same=1 text=0123456789\n"
      ),
    ])
  func before(call: String, answer: String, output: String) throws {
    let run = try ChaosRun.output(
      ["chaos_calls", "registers"], entry(call, at: "before", answer))

    #expect(run.output == output)
    let leavesCall = answer.contains("'original'")
    #expect(run.program.supervisor.snapshot().faults.first?.fired == (leavesCall ? 0 : 1))
  }

  @Test(
    "A call that the answer leaves as it is takes none of the times and has not fired",
    arguments: ["before", "after"])
  func leftAlone(moment: String) throws {
    let program = """
      import os, tempfile
      with tempfile.TemporaryFile() as file:
        for attempt in range(4):
          try:
            os.fsync(file.fileno())
            print('done')
          except OSError as error:
            print(error.errno)
      """
    func run(_ answer: String) throws -> (output: String, fired: Int?) {
      let run = try ChaosRun.output(
        ["/usr/bin/python3", "-c", program],
        entry("call: fsync, when: { times: 1 }", at: moment, answer))
      return (run.output, run.program.supervisor.snapshot().faults.first?.fired)
    }
    let second = try run("{'error': 'EIO'} if q['occurrence'] == 2 else {}")
    let none = try run("{'provide': 'original'}")
    let first = try run("{'error': 'EIO'}")

    #expect(second.output == "done\n5\ndone\ndone\n")
    #expect(second.fired == 1)
    #expect(none.output == "done\ndone\ndone\ndone\n")
    #expect(none.fired == 0)
    #expect(first.output == "5\ndone\ndone\ndone\n")
    #expect(first.fired == 1)
  }

  @Test(
    "Behind a call it sees the result and the bytes that were read, and gives others",
    arguments: [
      ("{'text': q['text'][::-1]}", "result=10 size=64 same=1 text=9876543210\n"),
      ("{'text': q['text'][:2]}", "result=2 size=64 same=1 text=0123456789\n"),
      ("{'result': q['result'] - 1}", "result=9 size=64 same=1 text=0123456789\n"),
      ("{'error': 'EIO'}", "result=-5 size=64 same=1 text=0123456789\n"),
      ("{'provide': 'original'}", "result=10 size=64 same=1 text=0123456789\n"),
    ])
  func behind(answer: String, output: String) throws {
    let run = try ChaosRun.output(
      ["chaos_calls", "registers"], entry("call: pread64", at: "after", answer))

    #expect(run.output == output)
  }

  @Test("Behind a call nothing can be asked that must come before, and the call stays as it is")
  func tooLate() throws {
    let run = try ChaosRun.output(
      ["chaos_calls", "registers"], entry("call: pread64", at: "after", "{'args': {'2': 4}}"))

    #expect(run.output == "result=10 size=64 same=1 text=0123456789\n")
    #expect(
      run.program.events.contains {
        if case .chaosUndecided(_, let reason) = $0 { reason.contains("too late") } else { false }
      })
  }

  @Test("A program that cannot be started is not tried again")
  func startedOnce() throws {
    let folder = try ProgramFolder()
    let decider = folder.file("decide")
    let program = """
      import os, tempfile
      with tempfile.TemporaryFile() as file:
        for attempt in range(2):
          try:
            os.fsync(file.fileno())
            print('done')
          except OSError as error:
            print(error.errno)
          if os.path.exists('\(decider)'): continue
          with open('\(decider)', 'w') as script:
            script.write('#!/bin/sh\\nwhile read line; do echo \\'{"error": "EIO"}\\'; done\\n')
          os.chmod('\(decider)', 0o755)
      """
    func output() throws -> String {
      try ChaosRun.output(
        ["/usr/bin/python3", "-c", program],
        "  - { call: fsync, provide: { exec: [\(decider)] } }"
      ).output
    }

    #expect(try output() == "done\ndone\n")
    // Now it is there from the beginning.
    #expect(try output() == "5\n5\n")
  }

  @Test("Behind a function it sees the result, and before one it gives other arguments")
  func functions() throws {
    let function = "function: work, in: exe, when: { nth: 2 }"
    let plain = try ChaosRun.output(
      ["functions", "local", "3"], entry(function, at: "after", "{}"))
    let changed = try ChaosRun.output(
      ["functions", "local", "3"], entry(function, at: "after", "{'result': q['result'] + 100}"))
    let other = try ChaosRun.output(
      ["functions", "local", "3"],
      entry(function, at: "before", "{'args': {'0': q['args'][0] + 100}}"))

    func sum(_ output: String) -> Int? {
      output.split(separator: " ").first.flatMap { Int($0.dropFirst(4)) }
    }
    let base = try #require(sum(plain.output))
    #expect(sum(changed.output) == base + 100)
    #expect(sum(other.output) == base + 100)
  }

  @Test(
    "A function's call that the answer leaves as it is takes none of the times and has not fired",
    arguments: ["before", "after"])
  func functionLeftAlone(moment: String) throws {
    func run(_ answer: String) throws -> (sum: Int, fired: Int?, events: Int) {
      let run = try ChaosRun.output(
        ["functions", "local", "5"],
        entry("function: work, in: exe, when: { times: 1 }", at: moment, answer))
      let sum = run.output.split(separator: " ").first.flatMap { Int($0.dropFirst(4)) }
      let events = run.program.events.count { if case .faultInjected = $0 { true } else { false } }
      return (try #require(sum), run.program.supervisor.snapshot().faults.first?.fired, events)
    }
    let none = try run("{}")
    if moment == "after" { #expect(try run("{'result': q['result']}").fired == 0) }
    let third = try run(
      "{'result': 1000 if q['occurrence'] == 3 else 2000} if q['occurrence'] > 2 else {}")
    let first = try run("{'result': 1000}")

    #expect(none.fired == 0)
    #expect(none.events == 0)
    #expect(third.fired == 1)
    #expect(third.events == 1)
    #expect(third.sum > none.sum + 900 && third.sum < none.sum + 1000)
    #expect(first.fired == 1)
    #expect(first.sum > none.sum + 900 && first.sum < none.sum + 1000)
  }

  @Test("An answer that a function has no use for leaves its call as it is, and is reported")
  func unsuitable() throws {
    for (moment, answer, words) in [
      ("before", "{'short': 1}", "\"short\""), ("before", "{'provide': 'lie'}", "\"lie\""),
      ("after", "{'text': 'a'}", "a text"),
    ] {
      let run = try ChaosRun.output(
        ["functions", "local", "3"], entry("function: work, in: exe", at: moment, answer))

      #expect(run.program.supervisor.snapshot().faults.first?.fired == 0)
      #expect(
        run.program.events.contains {
          guard case .chaosUndecided(_, let reason) = $0 else { return false }
          return reason.contains(words) && reason.contains("is no answer for work")
        }, "\(answer)")
    }
  }

  @Test("Behind a function an answer may end the process, or send it a signal")
  func endsBehind() throws {
    let killed = try ChaosRun.output(
      ["functions", "local", "3"],
      entry("function: work, in: exe", at: "after", "{'exit': 3}"))
    let terminated = try ChaosRun.output(
      ["functions", "local", "3"],
      entry("function: work, in: exe", at: "after", "{'signal': 'TERM'}"))

    #expect(killed.output == "")
    #expect(killed.program.supervisor.snapshot().faults.first?.fired == 1)
    #expect(terminated.output == "")
    #expect(terminated.program.supervisor.snapshot().faults.first?.fired == 1)
  }
}
