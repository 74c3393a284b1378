internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  /// Whether everything sleeps: no thread of the tree and no companion runs or is about to.
  ///
  /// A thread in a watched call cannot run without a stop, so one look at it is enough. The others
  /// are looked at twice: if none has been given a processor between the two rounds, there was a
  /// moment, between the rounds, at which all of them slept.
  ///
  /// - Parameter exception: a thread that stands in a stop and is not to be asked.
  func isQuiescent(but exception: Tracee? = nil) -> Bool {
    guard unborn.isEmpty, unannounced.isEmpty else { return false }
    var runCounts: [UInt64] = []
    for sampler in companionSamplers {
      runCounts.append(sampler.runCount())
      guard sampler.activity() == .asleep else { return false }
    }
    for tracee in tracees.values where tracee !== exception && !tracee.isWatched {
      runCounts.append(tracee.sampler.runCount())
      guard tracee.isAsleep else { return false }
    }
    for tracee in tracees.values where tracee !== exception && tracee.isWatched {
      guard tracee.isAsleep else { return false }
    }
    var index = 0
    for sampler in companionSamplers {
      guard sampler.activity() == .asleep, sampler.runCount() == runCounts[index] else {
        return false
      }
      index += 1
    }
    for tracee in tracees.values where tracee !== exception && !tracee.isWatched {
      guard tracee.isAsleep, tracee.sampler.runCount() == runCounts[index] else { return false }
      index += 1
    }
    return mailbox.isEmpty
  }

  /// Whether some thread sleeps in a call that the world outside may end: then nothing is stuck, it
  /// may only be slow.
  var mayBeWokenFromOutside: Bool {
    tracees.values.contains { tracee in
      guard case .running = tracee.state else { return false }
      return tracee.blockingCall.map(Self.callsThatWaitForOthers.contains) ?? true
    }
  }

  private static let callsThatWaitForOthers: Set<String> = [
    "read", "readv", "recvfrom", "recvmsg", "recvmmsg", "accept", "accept4", "poll", "ppoll",
    "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "connect", "flock", "fcntl",
    "open", "openat", "running",
  ]

  /// What every thread of the target is doing.
  func situations() -> [ThreadSituation] {
    tracees.values.sorted { $0.identifier < $1.identifier }.map { tracee in
      ThreadSituation(
        process: tracee.process.identifier.number, thread: tracee.identifier.number,
        program: tracee.process.arguments.joined(separator: " "), activity: activity(of: tracee))
    }
  }

  private func activity(of tracee: Tracee) -> String {
    switch tracee.state {
    case .waiting(let active):
      let name = SystemCallTable.current.name(of: active.wait.entry.systemCall)
      let rest: Nanoseconds
      switch active.wait.deadline {
      case .monotonic(let instant):
        rest = instant - clock.monotonic(real: RealClock.monotonic())
      case .wall(let instant):
        rest = instant - clock.wall(real: RealClock.monotonic())
      }
      return "sleeps in \(name), \(rest.description) of virtual time to go"
    case .stoppedWithGroup:
      return "stopped by a signal"
    case .waitingForChild:
      return "waits in vfork for its child"
    case .running, .restoring, .startingProgram:
      guard let call = tracee.blockingCall, call != "running" else { return "runs" }
      return "sleeps in \(call)"
    }
  }
}

extension Tracee {
  /// Whether the thread cannot run on without a stop.
  fileprivate var isWatched: Bool {
    switch state {
    case .waiting, .stoppedWithGroup: true
    default: false
    }
  }

  fileprivate var isAsleep: Bool {
    switch state {
    case .stoppedWithGroup:
      return true
    case .waiting(let active) where active.isDue:
      return false
    case .waitingForChild:
      let activity = sampler.activity()
      return activity == .uninterruptible || activity == .asleep
    default:
      switch sampler.activity() {
      case .asleep: return true
      case .busy, .uninterruptible: return false
      // The end of a thread is news that has not been taken yet, and that may wake its parent; but a
      // first thread that ends before the others stays a zombie, of which nothing is told.
      case .gone: return process.identifier == identifier && process.threads.count > 1
      }
    }
  }

  /// The call in which the thread sleeps, or "running"; `nil` if that cannot be told.
  fileprivate var blockingCall: String? {
    let path = "/proc/\(process.identifier.number)/task/\(identifier.number)/syscall"
    guard let word = SmallFile.read(path)?.split(whereSeparator: { $0 == " " || $0 == "\n" }).first
    else { return nil }
    guard let number = Int(word) else { return String(word) }
    return SystemCallTable.current.name(of: number)
  }
}
