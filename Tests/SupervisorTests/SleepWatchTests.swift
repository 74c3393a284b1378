import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Many that only sleep")
struct SleepWatchTests {
  private let process = TargetProcess(ThreadIdentifier(1), arguments: ["sleep"])

  private func thread(_ number: Int32) -> Tracee {
    let tracee = Tracee(ThreadIdentifier(number), of: process, keepsFilesOpen: false)
    process.threads.insert(tracee.identifier)
    return tracee
  }

  private func watched(_ watch: SleepWatch) -> [Int32] {
    watch.watched.keys.map(\.number).sorted()
  }

  @Test("One that only sleeps needs no look, until it stops")
  func rest() {
    var watch = SleepWatch()
    let (first, second) = (thread(1), thread(2))
    watch.add(first)
    watch.add(second)

    watch.rest(second)
    // A signal may have been on its way before it slept.
    #expect(watched(watch) == [1, 2])
    watch.noteAllAsleep()
    #expect(watched(watch) == [1])
    watch.wake(second)
    #expect(watched(watch) == [1, 2])
  }

  @Test("Who may have got a signal is looked at until everything was seen asleep")
  func suspects() {
    var watch = SleepWatch()
    let threads = [thread(1), thread(2), thread(3)]
    for tracee in threads {
      watch.add(tracee)
      watch.rest(tracee)
    }
    watch.noteAllAsleep()

    watch.suspect(threads[1])
    #expect(watched(watch) == [2])
    watch.suspectAll()
    #expect(watched(watch) == [1, 2, 3])
    watch.wake(threads[2])
    watch.noteAllAsleep()
    #expect(watched(watch) == [3])
    watch.remove(threads[2].identifier)
    #expect(watched(watch).isEmpty)
  }

  @Test("Where signals come unannounced, or a first thread has ended, everybody is looked at")
  func unannounced() {
    var watch = SleepWatch()
    let tracee = thread(2)
    watch.add(tracee)
    watch.rest(tracee)

    watch.lookAtAll()
    watch.noteAllAsleep()
    watch.rest(tracee)
    #expect(watched(watch) == [2])

    var other = SleepWatch()
    other.add(tracee)
    process.hasEndedLeader = true
    other.rest(tracee)
    #expect(watched(other) == [2])
  }

  @Test(
    "A thousand sleepers wake at their instants, and signals reach them before time moves",
    arguments: [
      ("threads", 300, "wrong=0 seen=0 elapsed=300"),
      ("processes", 100, "wrong=0 seen=0 elapsed=100"),
      ("signals", 100, "wrong=0 seen=100 elapsed=101"),
      ("children", 100, "wrong=0 seen=100 elapsed=100"),
    ])
  func instants(kind: String, count: Int, expected: String) throws {
    let program = try start(kind, count)

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "\(kind) \(expected)\n")
  }

  @Test("A thread that ends its process ends all that sleep in it, at that instant")
  func end() throws {
    let program = try start("end", 100)

    #expect(program.awaitExit().hasHappened)
    #expect(program.supervisor.exitStatus() == .exited(code: 7))
    let elapsed = program.view.reading().elapsed
    #expect(elapsed == .seconds(1))
  }

  private func start(_ kind: String, _ count: Int) throws -> SupervisedProgram {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/many_sleepers"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([path, kind, "\(count)"])
    return program
  }
}
