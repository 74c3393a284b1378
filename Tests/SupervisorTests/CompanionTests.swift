import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Threads that work for the target beside it")
struct CompanionTests {
  /// A thread that first takes a lock, and then waits for something to read.
  private final class Companion {
    let identifier: Int32
    private let state: State

    private final class State: @unchecked Sendable {
      let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      var ends: [Int32] = [0, 0]
      var reports: [Int32] = [0, 0]
    }

    /// Starts the thread, and goes on once it waits for the lock.
    init(until deadline: Nanoseconds) throws {
      let state = State()
      pthread_mutex_init(state.lock, nil)
      pthread_mutex_lock(state.lock)
      try #require(pipe(&state.ends) == 0 && pipe(&state.reports) == 0)
      // What other tests start must not have them: some count on a number that is free.
      for end in state.ends + state.reports { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var thread = pthread_t()
      let created = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let state = Unmanaged<State>.fromOpaque(argument).takeRetainedValue()
          // Glibc's module does not offer gettid(2): proc(5), /proc/thread-self is a link to PID/task/TID.
          var path = [CChar](repeating: 0, count: 64)
          let length = readlink("/proc/thread-self", &path, path.count)
          let name = path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
            .split(separator: UInt8(ascii: "/")).last
          var identifier = name.flatMap { Int32(String(decoding: $0, as: UTF8.self)) } ?? 0
          write(state.reports[1], &identifier, 4)
          pthread_mutex_lock(state.lock)
          pthread_mutex_unlock(state.lock)
          var byte: UInt8 = 0
          _ = read(state.ends[0], &byte, 1)
          close(state.ends[0])
          return nil
        }, Unmanaged.passRetained(state).toOpaque())
      try #require(created == 0)
      pthread_detach(thread)
      var identifier: Int32 = 0
      try #require(read(state.reports[0], &identifier, 4) == 4)
      for end in state.reports { close(end) }
      self.identifier = identifier
      self.state = state
      let sampler = ThreadStateProbe(process: getpid(), thread: identifier)
      while sampler.isSwitchedOut(inLock: false) || !sampler.isSwitchedOut() {
        try #require(RunnerClock.now() < deadline)
        sched_yield()
      }
    }

    /// Lets the thread have the lock.
    func release() { pthread_mutex_unlock(state.lock) }

    /// Ends the thread.
    func end() { close(state.ends[1]) }
  }

  @Test("While one waits for a lock no time passes, since it is amid its work")
  func lock() throws {
    let deadline = RunnerClock.now() + .seconds(600)
    let externalParticipant = try Companion(until: deadline)
    defer { externalParticipant.end() }
    let program = try SupervisedProgram(
      clock: .from2030(.auto), externalParticipants: [externalParticipant.identifier])
    try program.start(["/bin/sleep", "3600"])

    // From here on nobody but the companion keeps everything from being asleep.
    while !program.supervisor.ask({ $0.areAllHeldAsleep }) {
      try #require(RunnerClock.now() < deadline)
      sched_yield()
    }
    #expect(!program.supervisor.ask { $0.isAtRest })
    #expect(program.view.reading().elapsed == .zero)

    externalParticipant.release()
    #expect(program.supervisor.settle(deadline: program.deadline).hasHappened)
    #expect(program.supervisor.ask { $0.isAtRest })
    #expect(program.awaitExit().hasHappened)
  }
}

extension TargetControl {
  /// Whether each thread of the target waits for an instant, and sleeps.
  fileprivate var areAllHeldAsleep: Bool {
    nextDeadline != nil
      && processes.values.allSatisfy { process in
        process.threads.allSatisfy { thread in
          ThreadStateProbe(process: process.identifier.number, thread: thread.number)
            .isDeeplyAsleep()
        }
      }
  }
}
