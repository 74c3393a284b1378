import Testing

@Suite("The order of threads")
struct ThreadOrderTests {
  private static let turns = "\(BuiltRunner.root)/.build/programs/turns"

  /// What one run has written, and in which order it has gone.
  private struct Run: Hashable {
    var output: String
    var order: String
  }

  /// Runs a command, with `order: seeded` unless said otherwise.
  private func run(
    _ command: String, seed: Int = 1, order: String = "seeded", more: String = ""
  ) throws -> Run {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [\(command)] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      entropy: seeded
      order: \(order)
      seed: \(seed)
      timeout: 5m
      \(more)

      """, to: "order.yaml")
    let events = "\(folder.path)/events.jsonl"
    let outcome = try BuiltRunner.run(
      ["run", "--show-output", "all", "--report", "jsonl=\(events)", file])
    outcome.expectExit(0)
    let lines = outcome.output.split(separator: "\n")
    return Run(
      output: lines.filter { $0.hasPrefix("  ") }.joined(separator: "\n"),
      order: Self.order(in: events))
  }

  /// The account of the order in a stream of events.
  private static func order(in path: String) -> String {
    let lines = (TemporaryFolder.read(path) ?? "").split(separator: "\n")
    let account = lines.first { $0.contains("\"timeAccount\"") } ?? "no account"
    let parts = account.split(separator: "\"order\":")
    return parts.count == 2
      ? String(parts[1].prefix { $0 != "}" }) : account == "no account" ? String(account) : ""
  }

  @Test(
    "How far real time has let a case come is no other order, and what another run has met is one",
    arguments: [
      ("while :; do sleep 1; done", "1s", false),
      ("test -e FOLDER/met || { touch FOLDER/met; sleep 1; }", "5m", true),
    ])
  func cutOff(script: String, timeout: String, isWarned: Bool) throws {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: "\(script.replacing("FOLDER", with: folder.path))" }
      files: { outside: allow }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      entropy: seeded
      order: seeded
      timeout: \(timeout)

      """, to: "order.yaml")
    let outcome = try BuiltRunner.run(["run", "--repeat", "3", file])

    #expect(outcome.exitCode == (isWarned ? 0 : 3), "\(outcome.text)")
    #expect(
      outcome.text.contains("in a different order than before") == isWarned, "\(outcome.text)")
  }

  @Test(
    "Runs with the same seed are the same, whatever races in them",
    arguments: [
      "\(turns), lock", "\(turns), chunks", "\(turns), ends", "\(turns), yield", "\(turns), signal",
      "\(BuiltRunner.root)/.build/programs/tickers, 2s, 7ms, 11ms, 13ms",
      "bash, -c, 'for i in 1 2 3 4 5; do (echo $i; sleep 1; echo $i) & done | cat; wait'",
      """
      python3, -c, "import threading as t; l = []; \
      a = [t.Thread(target=lambda n=n: [(l.append(n), t.Event().wait(0.001 * n)) for _ in range(5)]) for n in range(9)]; \
      [x.start() for x in a]; [x.join() for x in a]; print(l, id(a))"
      """,
      """
      node, -e, "const f = require('fs'); for (let i = 0; i < 9; i++) { f.stat('/', () => console.log('s' + i)); \
      setTimeout(() => console.log('t' + i), i % 3); require('dns').lookup('localhost', () => console.log('d' + i)) }"
      """,
    ])
  func repetition(command: String) throws {
    let first = try run(command)

    #expect(first.order.contains("\"digest\""), "\(first)")
    #expect(first.order.contains("\"doubts\":[]"), "\(first)")
    for _ in 0..<3 { #expect(try run(command) == first) }
  }

  @Test(
    "Threads that give each other the turn for ever keep nobody's deadline away", arguments: [2, 5])
  func circle(count: Int) throws {
    let spin = "\(BuiltRunner.root)/.build/programs/spin"

    let run = try run("\(spin), circle, 3600000, \(count)")

    #expect(run.output.contains("circle elapsed_ns=3600000000000"), "\(run)")
  }

  @Test("What little a thread computes between its yields changes nothing in their order")
  func shortTurns() throws {
    let idle = try run("\(Self.turns), yield, 0")
    let busy = try run("\(Self.turns), yield, 20000")

    #expect(idle == busy)
  }

  @Test("A thread that works and yields in between is at work, and not stuck")
  func workingTurns() throws {
    let script =
      "import os; [sum(range(50_000)) and os.sched_yield() for _ in range(1_500)]; print('done')"

    let worker = try run("python3, -c, \"\(script)\"")

    #expect(worker.output.contains("done"), "\(worker)")
  }

  @Test("Another seed has others win a race")
  func seeds() throws {
    let runs = try (1...8).map { try run("\(Self.turns), lock", seed: $0) }

    #expect(Set(runs.map(\.output)).count > 4, "\(runs)")
    #expect(Set(runs.map(\.order)).count == 8)
  }

  @Test("Whoever waits for the ends of many descriptors hears of all at once")
  func ends() throws {
    #expect(try run("\(Self.turns), ends").output.contains("  20 "))
  }

  @Test(
    "What the kernel tells a thread that waits its turn is what it would be told",
    arguments: [
      ("births", "ended"), ("program", "ended"), ("restart", "early 0, answer 1"),
      ("same", "told 2"), ("value", "events 1, code -1, value 42, by the child 1"),
      ("child", "events 1, code 1, value 0, by the child 1"), ("locks", "ended"),
      ("members", "ended"),
    ])
  func races(kind: String, expected: String) throws {
    let first = try run("\(Self.turns), \(kind)")

    #expect(first.output == "  \(expected)", "\(first)")
    #expect(first.order.contains("\"doubts\":[]"), "\(first)")
    for _ in 0..<3 { #expect(try run("\(Self.turns), \(kind)") == first) }
  }

  @Test(
    "Whoever waits for another thread without a call is stopped in the end, and the report says so")
  func spinning() throws {
    let run = try run("\(Self.turns), flag")

    #expect(run.output.contains("seen"))
    #expect(run.order.contains("turns was stopped while it computed"), "\(run)")
  }

  @Test("Where the kernel decides the order, nothing is said of it")
  func kernel() throws {
    #expect(try run("\(Self.turns), lock", order: "real").order == "")
  }

  @Test("Random numbers of the machine are said to be a doubt")
  func entropy() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [sh, -c, exit 1] }
      clock: { flow: auto }
      order: seeded

      """, to: "doubt.yaml")
    let outcome = try BuiltRunner.run(["run", file])

    outcome.expectExit(1)
    #expect(
      outcome.output.contains(
        "which may not repeat (entropy: real uses different random numbers in each run)"),
      "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }

  @Test("Three nodes that elect a leader do it the same way each time")
  func cluster() throws {
    func account() throws -> String {
      let folder = try TemporaryFolder()
      let text = TemporaryFolder.read("\(BuiltRunner.root)/Tests/RealPrograms/etcd.yaml") ?? ""
      let file = folder.write(
        "order: seeded\nentropy: seeded\ntimeout: 5m\n\(text)", to: "etcd.yaml")
      let events = "\(folder.path)/events.jsonl"
      let outcome = try BuiltRunner.run(["run", "--report", "jsonl=\(events)", file])
      outcome.expectExit(0)
      return Self.order(in: events)
    }
    let first = try account()

    #expect(first.contains("\"doubts\":[]"), "\(first)")
    #expect(try account() == first)
  }
}
