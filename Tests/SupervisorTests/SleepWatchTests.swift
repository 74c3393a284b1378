import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Many that only sleep")
struct SleepWatchTests {
  private let process = TargetProcess(
    ThreadIdentifier(1), arguments: ["sleep"], memories: OpenMemories())

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
    watch.recordAllAsleep()
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
    watch.recordAllAsleep()

    watch.suspect(threads[1])
    #expect(watched(watch) == [2])
    watch.suspectAll()
    #expect(watched(watch) == [1, 2, 3])
    watch.wake(threads[2])
    watch.recordAllAsleep()
    #expect(watched(watch) == [3])
    watch.remove(threads[2].identifier)
    #expect(watched(watch).isEmpty)
  }

  @Test("Whether a signal is pending is asked once, and again when one may have come")
  func pendingSignals() {
    var watch = SleepWatch()
    let (first, second) = (thread(1), thread(2))
    var asked: [Int32] = []
    func mayPend(_ tracee: Tracee, _ isPending: Bool) -> Bool {
      watch.maySignalPend(for: tracee) {
        asked.append($0.identifier.number)
        return isPending
      }
    }

    // One that is blocked stays.
    #expect(mayPend(first, true))
    #expect(mayPend(first, true))
    #expect(!mayPend(first, false))
    #expect(!mayPend(first, true))
    #expect(!mayPend(second, false))
    #expect(asked == [1, 1, 1, 2])

    watch.suspect(first)
    #expect(mayPend(first, true))
    #expect(!mayPend(second, true))
    #expect(!mayPend(first, false))
    watch.suspectAll()
    #expect(mayPend(first, true))
    #expect(mayPend(second, true))
    #expect(!mayPend(second, false))
    second.send(0)
    #expect(mayPend(second, true))
    watch.lookAtAll()
    #expect(!mayPend(first, false))
    #expect(mayPend(first, true))
  }

  @Test("Who waits for a futex needs no look until somebody wakes at its address")
  func futexes() {
    var watch = SleepWatch()
    let threads = [thread(1), thread(2), thread(3)]
    for (tracee, futex) in zip(threads, [16, 16, 32] as [UInt64]) {
      watch.add(tracee)
      watch.rest(tracee, at: futex)
    }
    watch.recordAllAsleep()
    #expect(watched(watch).isEmpty)

    watch.suspect(at: 48)
    #expect(watched(watch).isEmpty)
    watch.suspect(at: 16)
    #expect(watched(watch) == [1, 2])
    watch.wake(threads[0])
    watch.recordAllAsleep()
    #expect(watched(watch) == [1])
    // It waits there no more.
    watch.suspect(at: 16)
    #expect(watched(watch) == [1, 2])
  }

  @Test("Who may have been moved to another futex is looked at until it stops")
  func requeued() {
    var watch = SleepWatch()
    let (waiter, sleeper) = (thread(1), thread(2))
    watch.rest(waiter, at: 16)
    watch.rest(sleeper)
    watch.recordAllAsleep()
    #expect(watched(watch).isEmpty)

    watch.suspectAll()
    watch.loseFutexes()
    watch.recordAllAsleep()
    #expect(watched(watch) == [1])
    watch.rest(waiter, at: 32)
    watch.recordAllAsleep()
    #expect(watched(watch).isEmpty)
  }

  @Test("Who waits for a futex without being held rests from a time at which all sleep, until it may have been woken")
  func unheld() {
    var watch = SleepWatch()
    let (waiter, sleeper) = (thread(1), thread(2))
    watch.add(waiter)
    watch.add(sleeper)
    watch.rest(sleeper)
    watch.recordAllAsleep()

    // It waits otherwise, and then for a futex, and of a kernel that does not count nothing is known.
    watch.restUnheld(waiter, runs: 3) { nil }
    watch.restUnheld(waiter, runs: 3) { 16 }
    watch.restUnheld(waiter, runs: 0) { 16 }
    #expect(watched(watch) == [1])
    watch.restUnheld(waiter, runs: 4) { 16 }
    #expect(watched(watch).isEmpty)

    // What it waits for when everything sleeps again is asked only where it has run.
    watch.suspect(at: 16)
    watch.recordAllAsleep()
    #expect(watched(watch) == [1])
    watch.restUnheld(waiter, runs: 4) { 32 }
    watch.suspect(at: 32)
    #expect(watched(watch).isEmpty)
    watch.suspectAll()
    watch.recordAllAsleep()
    #expect(watched(watch) == [1])
    watch.restUnheld(waiter, runs: 5) { 32 }
    watch.suspect(at: 16)
    #expect(watched(watch).isEmpty)
    watch.suspect(at: 32)
    #expect(watched(watch) == [1])

    watch.restUnheld(waiter, runs: 6) { 32 }
    watch.wake(waiter)
    #expect(watched(watch) == [1])
    watch.restUnheld(waiter, runs: 7) { 32 }
    watch.lookAtAll()
    watch.restUnheld(waiter, runs: 7) { 32 }
    #expect(watched(watch) == [1, 2])
    watch.remove(waiter.identifier)
    #expect(watched(watch) == [2])
  }

  @Test("Whom a call wakes: those at its address, or nobody knows whom")
  func wakes() {
    func reach(_ call: Int, _ operation: UInt64 = 0) -> FutexWakes.Reach {
      var registers = Registers()
      registers.systemCall = call
      registers[argument: 0] = 16
      registers[argument: 1] = operation
      return FutexWakes.reach(of: registers)
    }

    // FUTEX_WAKE, WAKE_BITSET, and with their flags.
    for operation: UInt64 in [1, 10, 129, 138, 266] {
      #expect(reach(SystemCallNumber.futex, operation) == .address(16))
    }
    // WAKE_OP and UNLOCK_PI.
    for operation: UInt64 in [5, 7, 133] {
      #expect(reach(SystemCallNumber.futex, operation) == .everybody)
    }
    // FUTEX_REQUEUE, CMP_REQUEUE and CMP_REQUEUE_PI.
    for operation: UInt64 in [3, 4, 12, 132] {
      #expect(reach(SystemCallNumber.futex, operation) == .elsewhere)
    }
    for operation: UInt64 in [0, 9, 128, 137, 393] {
      #expect(reach(SystemCallNumber.futex, operation) == .nobody)
    }
    #expect(reach(SystemCallNumber.futexWake) == .address(16))
    #expect(reach(SystemCallNumber.futexRequeue) == .elsewhere)
    #expect(reach(SystemCallNumber.write, 1) == .nobody)
    let machine = FilterMachine(program: FutexWakes.filter.instructions)
    #expect(machine.run(SystemCallNumber.futex, [16, 129]) == .trace)
    #expect(machine.run(SystemCallNumber.futex, [16, 128]) == .allow)
    #expect(machine.run(SystemCallNumber.write, [16, 129]) == .allow)
  }

  @Test("Which calls have signals sent, and which later")
  func signalSources() {
    func effect(_ call: Int, _ arguments: UInt64...) -> SignalSources.Effect {
      var registers = Registers()
      registers.systemCall = call
      for (index, argument) in arguments.enumerated() { registers[argument: index] = argument }
      return SignalSources.effect(of: registers)
    }
    let processorClock = UInt64(UInt32(bitPattern: -6))

    #expect(effect(SystemCallNumber.kill, 1, 9) == .signal)
    #expect(effect(SystemCallNumber.pidfdSendSignal, 3, 9) == .signal)
    #expect(effect(SystemCallNumber.setitimer, 0) == .none)
    #expect(effect(SystemCallNumber.setitimer, 1) == .laterSignals)
    #expect(effect(SystemCallNumber.setitimer, 2) == .laterSignals)
    #expect(effect(SystemCallNumber.timerCreate, 1) == .none)
    #expect(effect(SystemCallNumber.timerCreate, 2) == .laterSignals)
    #expect(effect(SystemCallNumber.timerCreate, 3) == .laterSignals)
    #expect(effect(SystemCallNumber.timerCreate, processorClock) == .laterSignals)
    #expect(effect(SystemCallNumber.setrlimit, 0, 4096) == .laterSignals)
    #expect(effect(SystemCallNumber.setrlimit, 7, 4096) == .none)
    #expect(effect(SystemCallNumber.prlimit64, 0, 0, 4096) == .laterSignals)
    #expect(effect(SystemCallNumber.prlimit64, 0, 0, 0, 4096) == .none)
    #expect(effect(SystemCallNumber.fcntl, 3, 8) == .laterSignals)
    #expect(effect(SystemCallNumber.fcntl, 3, 2) == .none)
    #expect(effect(SystemCallNumber.pidfdOpen, 1, 0) == .none)
    // The end of a thread is heard of by a descriptor.
    #expect(effect(SystemCallNumber.pidfdOpen, 1, UInt64(O_EXCL)) == .laterSignals)
    #expect(effect(SystemCallNumber.pidfdOpen, 1, UInt64(O_EXCL | O_NONBLOCK)) == .laterSignals)
    #expect(effect(SystemCallNumber.write, 1) == .none)
  }

  @Test("Which waits the end of a thread may end")
  func ends() {
    func call(_ operation: UInt64, timeout: UInt64 = 0) -> Registers {
      var registers = Registers()
      registers.systemCall = SystemCallNumber.futex
      registers[argument: 1] = operation
      registers[argument: 3] = timeout
      return registers
    }
    func mayBeEnded(_ kind: TimedWait.Kind, _ operation: UInt64) -> Bool {
      TimedWait(
        kind: kind, deadline: .monotonic(.seconds(1)), requested: .seconds(1),
        entry: call(operation, timeout: 16)
      ).mayBeEndedByEnd
    }

    // FUTEX_WAIT, and FUTEX_WAIT_BITSET by the wall clock, as pthread_join(3) waits.
    #expect(BlockedCall(call(0)).mayAwaitEnd)
    #expect(BlockedCall(call(265)).mayAwaitEnd)
    #expect(!BlockedCall(call(265, timeout: 16)).mayAwaitEnd)
    #expect(!BlockedCall(call(128)).mayAwaitEnd)
    #expect(!BlockedCall(call(1)).mayAwaitEnd)
    #expect(mayBeEnded(.futex(.waitBitset), 265))
    #expect(mayBeEnded(.futex(.lock), 134))
    #expect(!mayBeEnded(.futex(.waitBitset), 393))
    #expect(!mayBeEnded(.poll, 0))
  }

  @Test("Where signals come unannounced, or a first thread has ended, everybody is looked at")
  func unannounced() {
    var watch = SleepWatch()
    let tracee = thread(2)
    watch.add(tracee)
    watch.rest(tracee)

    watch.lookAtAll()
    watch.recordAllAsleep()
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
      ("again", 1_000, "wrong=0 seen=0 elapsed=50"),
      ("signals", 100, "wrong=0 seen=100 elapsed=101"),
      ("children", 100, "wrong=0 seen=100 elapsed=100"),
      ("owner", 100, "wrong=0 seen=100 elapsed=100"),
      ("semaphores", 300, "wrong=0 seen=0 elapsed=300"),
      ("conditions", 300, "wrong=0 seen=0 elapsed=300"),
      ("polls", 300, "wrong=0 seen=0 elapsed=300"),
      ("epolls", 300, "wrong=0 seen=0 elapsed=300"),
      ("selects", 300, "wrong=0 seen=0 elapsed=300"),
      ("joined", 100, "wrong=0 seen=100 elapsed=100"),
      ("timed", 100, "wrong=0 seen=100 elapsed=100"),
      ("robust", 100, "wrong=0 seen=100 elapsed=100"),
      ("ignored", 60, "wrong=0 seen=0 elapsed=64"),
      ("reads", 60, "wrong=0 seen=10 elapsed=10"),
      ("woken", 300, "wrong=0 seen=300 elapsed=300"),
      ("requeued", 300, "wrong=0 seen=300 elapsed=600"),
      ("idle", 300, "wrong=0 seen=300 elapsed=300"),
      ("moving", 200, "wrong=0 seen=400 elapsed=400"),
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

  @Test(
    "Who was woken is waited for, however late it gets its processor",
    arguments: [
      ("late", 20, "wrong=0 seen=20 elapsed=20"),
      ("operated", 300, "wrong=0 seen=300 elapsed=300"),
      ("idle-late", 300, "wrong=0 seen=300 elapsed=300"),
    ])
  func late(kind: String, count: Int, expected: String) throws {
    let burner = try Self.burn()
    defer {
      kill(burner, SIGKILL)
      waitpid(burner, nil, 0)
    }
    let program = try start(kind, count)

    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "\(kind) \(expected)\n")
  }

  /// Starts a process that takes all of the processor on which they run.
  private static func burn() throws -> pid_t {
    var child: pid_t = 0
    let words = try [program(), "burn", "1"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    try #require(posix_spawn(&child, words[0], nil, nil, &arguments, environ) == 0)
    return child
  }

  private static func program() throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let path = "\(root)/.build/programs/many_sleepers"
    try #require(
      access(path, X_OK) == 0, "\(path) is missing: run Tests/Programs/build.sh .build/programs")
    return path
  }

  private func start(_ kind: String, _ count: Int) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([try Self.program(), kind, "\(count)"])
    return program
  }
}
