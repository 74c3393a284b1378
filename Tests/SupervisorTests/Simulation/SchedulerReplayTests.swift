import Foundations
import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("What schedulers of real runs have decided, decided again")
struct SchedulerReplayTests {
  /// What the scheduler of a program's run has written.
  private func trace(
    _ script: String, _ flow: ClockFlow, steps: (SupervisedProgram) -> Void = { _ in }
  ) throws -> [Substring] {
    let path = "/tmp/scheduler-trace-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(path) }
    let program = try SupervisedProgram(clock: .from2030(flow), stopLog: try StopLog(path: path))
    try program.start(["/bin/sh", "-c", script])
    steps(program)
    _ = program.awaitExit()
    program.stop()
    let text = String(decoding: SmallFile.bytes(path) ?? [], as: UTF8.self)
    let schedulers = SchedulerReplay.schedulers(of: text)
    return try #require(schedulers.first)
  }

  private static let script =
    "sleep 1 & sleep 1 & (sleep 0.5; echo a | { read b; sleep 3; }) & timeout 2 sleep 9; wait"

  @Test(
    "Each decision is the same, whatever the clock does",
    arguments: ["auto", "held", "real", "x1000"])
  func same(_ flow: String) throws {
    let flow = try ClockFlow(text: flow)
    let script = flow == .real ? "sleep 0.1 & timeout 0.3 sleep 9; wait" : Self.script
    let lines = try trace(script, flow) { program in
      program.supervisor.change(.jump(.seconds(-60)))
      program.supervisor.change(.suspend(.seconds(5)))
      if flow == .held {
        _ = program.supervisor.tick(.duration(.seconds(2)), deadline: program.deadline)
        _ = program.supervisor.tick(.idle, deadline: program.deadline)
      }
    }
    let replay = SchedulerReplay(lines)
    #expect(replay.run() == nil)
    #expect(replay.wakeCount >= 2, "\(lines.count) lines")
  }

  @Test("Another decision is found: each deadline that is not told again is missed")
  func other() throws {
    let lines = try trace(Self.script, .auto)
    let wakes = lines.indices.filter { lines[$0].hasPrefix("wake ") }
    #expect(wakes.count >= 4)
    for place in wakes {
      let ticket = lines[place].split(separator: " ")[1]
      let filed = try #require(
        lines.firstIndex { line in
          let words = line.split(separator: " ")
          return words[0] == "file" && words[3] == ticket
        })
      var changed = lines
      changed.remove(at: filed)
      #expect(SchedulerReplay(changed).run() != nil)
      changed = lines
      changed[place] = "wake \(ticket) 1 nobody"
      let difference = try #require(SchedulerReplay(changed).run())
      #expect(
        difference.hasPrefix("line \(place + 1), \"wake \(ticket) 1 nobody\""), "\(difference)")
    }
  }

  @Test("Every line that is written can be read")
  func lines() throws {
    let lines = try trace(Self.script, .auto)
    #expect(lines.count > 10)
    for line in lines {
      #expect(SchedulerEntry(text: line)?.text == String(line))
    }
  }

  /// `make simulate` records them from the gallery.
  @Test(
    "A thousand recorded runs are decided again",
    .enabled(if: getenv("SCHEDULER_TRACE") != nil))
  func recorded() throws {
    let path = try #require(getenv("SCHEDULER_TRACE").map { String(cString: $0) })
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    #expect(fread(&bytes, 1, bytes.count, file) == bytes.count)
    let schedulers = SchedulerReplay.schedulers(of: String(decoding: bytes, as: UTF8.self))
    var wakeCount = 0
    for (number, lines) in schedulers.enumerated() {
      let replay = SchedulerReplay(lines)
      let difference = replay.run()
      #expect(difference == nil, "scheduler \(number)")
      wakeCount += replay.wakeCount
    }
    print("\(schedulers.count) runs, \(wakeCount) deadlines")
    #expect(schedulers.count >= 1_000)
  }
}
