import Foundations
import ScenarioPlan
import Synchronization
import Testing

@testable import Supervisor

@Suite("What the supervisor tells where a timeline is wanted")
struct SightingTests {
  /// What was told, in words, each with the virtual time at which it was.
  final class CollectedPoints: Sendable {
    let list = Mutex<[String]>([])

    func add(_ sighting: TraceRecord, at time: Nanoseconds) {
      let text =
        switch sighting {
        case .born(_, let ordinal, let parent, let program, _):
          "born \(ordinal) of \(parent ?? 0): \(program)"
        case .waited(let wait, let process, let thread, let requested, let length, _, let end):
          "\(process).\(thread) \(wait.systemCall) \(length) of \(requested) \(end)"
        case .wrote(let stream, let beginning, let count, let process):
          "\(stream.rawValue) \(count) by \(process?.ordinal ?? 0): "
            + String(decoding: beginning.prefix(10), as: UTF8.self).filter { !$0.isNewline }
        case .signalled(_, let ordinal, let signal):
          "\(ordinal) gets \(signal)"
        case .connected(let report):
          "\(report.processOrdinal) connects to host \(report.to): \(report.answer)"
        }
      list.withLock { $0.append("\(time) \(text)") }
    }

    var texts: [String] { list.withLock { $0 } }
  }

  private func run(
    _ command: String, isSeen: Bool = true, flow: ClockFlow = .auto, namesWriters: Bool = false,
    seesDueWaits: Bool = true
  ) throws -> [String] {
    Supervisor.prepareProcess()
    let sightings = CollectedPoints()
    let clock = PlannedClock(at: WallInstant(seconds: 1_893_456_000), flow: flow)
    let view = ClockView(clock, present: WallInstant(seconds: 1_893_456_000))
    var configuration = SupervisorConfiguration(clock: clock, view: view)
    if isSeen {
      configuration.sight = { sightings.add($0, at: view.reading().elapsed) }
    }
    configuration.namesWriters = namesWriters
    configuration.seesDueWaits = seesDueWaits
    let supervisor = try Supervisor(configuration)
    defer { supervisor.stop() }
    try supervisor.start(
      LaunchRequest(
        path: "/bin/bash", arguments: ["bash", "-c", command],
        environment: ["PATH=/usr/bin:/bin"], directory: "/", input: .empty))
    let result = supervisor.awaitExit(deadline: RunnerClock.now() + .seconds(30))
    #expect(result.hasHappened, "\(result)")
    return sightings.texts
  }

  @Test("Births, waits and output come with the virtual times at which they were")
  func world() throws {
    let told = try run("echo begin; sleep 3600 & sleep 60; echo middle; wait; echo end >&2")

    #expect(
      told.first == "0ns born 1 of 0: bash" || told.first == "0s born 1 of 0: bash", "\(told)")
    #expect(told.filter { $0.contains("born") && $0.hasSuffix("of 1: bash") }.count == 2)
    let waits = told.filter { $0.contains("clock_nanosleep") }
    #expect(waits.count == 2, "\(told)")
    #expect(waits.first?.hasSuffix("clock_nanosleep 1m of 1m due") ?? false, "\(told)")
    #expect(waits.last?.hasSuffix("clock_nanosleep 1h of 1h due") ?? false, "\(told)")
    let written = told.filter { $0.contains("std") }
    #expect(written.map { $0.split(separator: " ").last } == ["begin", "middle", "end"], "\(told)")
    #expect(written[1].hasPrefix("1m ") && written[2].hasPrefix("1h "), "\(told)")
    // From the first fork on nobody knows which of them has written.
    #expect(written[0].contains("stdout 6 by 1"), "\(told)")
    #expect(written[1].contains("stdout 7 by 0"), "\(told)")
    #expect(written[2].contains("stderr 4 by 0"), "\(told)")
  }

  @Test("A wait that something ends before its time says so")
  func woken() throws {
    let told = try run(
      "trap 'echo caught' TERM; (sleep 5; kill -TERM $$) & read -t 100 < <(sleep 20; echo x); wait")

    #expect(told.contains { $0.contains("of 20s due") }, "\(told)")
    let early = told.filter { $0.hasSuffix("interrupted") || $0.hasSuffix("woken") }
    #expect(!early.isEmpty, "\(told)")
    #expect(told.contains { $0.hasPrefix("5s ") && $0.contains("caught") }, "\(told)")
  }

  @Test(
    "Where no timeline is wanted, only waits are told that moves of the clock do not tell",
    arguments: [true, false])
  func dueWaits(areSeen: Bool) throws {
    let told = try run(
      "sleep 60; sleep 100 & sleep 5; kill -KILL $!; wait; true", seesDueWaits: areSeen)

    let due = told.filter { $0.hasSuffix("due") }
    #expect(due.count == (areSeen ? 2 : 0), "\(told)")
    #expect(told.contains { $0.contains("clock_nanosleep 5s of 1m40s gone") }, "\(told)")
  }

  @Test("A process that is killed in its wait has waited until then")
  func killed() throws {
    let told = try run("sleep 1000 & sleep 7; kill -KILL $!; wait; true")

    #expect(told.contains { $0.contains("clock_nanosleep 7s of 16m40s gone") }, "\(told)")
  }

  @Test("A signal is told when it is delivered, but not one that tells of a child")
  func signals() throws {
    let told = try run(
      "trap 'echo caught' USR1; sleep 5; kill -USR1 $$; sleep 5 & wait; kill -TERM $$")

    #expect(told.filter { $0.contains("gets") } == ["5s 1 gets 10", "10s 1 gets 15"], "\(told)")
    let caught = try #require(told.firstIndex { $0.contains("caught") })
    let got = try #require(told.firstIndex { $0.hasSuffix("gets 10") })
    #expect(got < caught)
  }

  @Test("What was written before something else is reported before it")
  func order() throws {
    for _ in 0..<20 {
      let told = try run("echo one; /bin/true; echo two; (exit 3); echo three; /bin/true; echo end")
      let events = told.filter { $0.contains("stdout") || $0.contains("born") }
      let words = events.map { $0.split(separator: " ").last ?? "" }
      #expect(
        words == ["bash", "one", "bash", "two", "bash", "three", "bash", "end"], "\(told)")
    }
  }

  @Test("What was written before a wait is reported before time moves, also by one thread alone")
  func alone() throws {
    let told = try run("for each in 1 2 3; do echo $each; read -t 10 < /dev/tty; sleep 10; done")
    let written = told.filter { $0.contains("stdout") }

    #expect(written.count == 3, "\(told)")
    #expect(written.last?.hasPrefix("20s ") ?? false, "\(told)")
  }

  @Test("Where nobody wants a timeline, nothing is reported")
  func unseen() throws {
    #expect(try run("echo begin; sleep 3600", isSeen: false).isEmpty)
  }

  @Test("What each process of a tree has written is known, where that is asked for")
  func writers() throws {
    let command = """
      echo shell
      (echo child; sleep 1; echo again)
      /bin/echo program
      /bin/echo elsewhere > /dev/null
      echo after
      /bin/echo error >&2
      x=$(/bin/echo captured)
      echo $x
      """
    func writers(_ namesWriters: Bool) throws -> [String] {
      try run(command, namesWriters: namesWriters).filter { $0.contains(" by ") }.map {
        String($0.split(separator: " ", maxSplits: 1)[1])
      }
    }
    let told = try writers(true)

    #expect(
      told == [
        "stdout 6 by 1: shell", "stdout 6 by 2: child", "stdout 6 by 2: again",
        "stdout 8 by 4: program", "stdout 6 by 1: after", "stderr 6 by 6: error",
        "stdout 9 by 1: captured",
      ], "\(told)")
    // The twin: of a tree it is not known who wrote.
    #expect(try writers(false).filter { !$0.contains("by 0") } == ["stdout 6 by 1: shell"])
  }

  @Test("What a process writes is its own also where one of its threads has ended")
  func endedThread() throws {
    let told = try run(
      """
      echo shell
      python3 -c 'import os, threading
      for _ in range(100):
        thread = threading.Thread(target=lambda: os.write(1, b"thread\\n"))
        thread.start(); thread.join()
        os.write(1, b"main\\n")'
      echo after
      """, namesWriters: true
    ).filter { $0.contains(" by ") }

    let own = told.filter { $0.contains("thread") || $0.contains("main") }
    #expect(own.count > 1 && own.allSatisfy { $0.contains(" by 2: ") }, "\(told)")
    #expect(told.first?.contains(" by 1: shell") ?? false, "\(told)")
    #expect(told.last?.contains(" by 1: after") ?? false, "\(told)")
  }

  @Test("Two that write at once are not told apart, and nobody is named by mistake")
  func severalWriters() throws {
    let told = try run(
      "{ /bin/echo one; } & { /bin/echo two; } & wait; echo done | tee /dev/stderr | cat",
      namesWriters: true
    ).filter { $0.contains(" by ") }

    #expect(
      ["one", "two", "done"].allSatisfy { word in told.contains { $0.contains(word) } }, "\(told)")
    for line in told where line.contains(": one") || line.contains(": two") {
      // A piece that holds both has no writer.
      if line.contains("stdout 8") { #expect(line.contains("by 0"), "\(told)") }
    }
    #expect(told.allSatisfy { !$0.contains("by 1:") }, "\(told)")
  }
}
