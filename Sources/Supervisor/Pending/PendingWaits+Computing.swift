internal import CSupervisor
internal import Foundations

extension PendingWaits {
  /// Not everything sleeps: lets time pass for those for whom threads of their own processes may spin; true if
  /// anything was woken or finished.
  ///
  /// Whoever computes and has nobody in its process who waits for an instant holds time, however long it takes.
  func passTimeBesideComputing(for operation: any PendingWait) -> Bool {
    let begin = RealClock.monotonic()
    guard begin >= computing.nextLook, kernel.hasDeadlines || !kernel.spinners.isEmpty,
      operation.letsTimePass(kernel), !awaitsRest
    else { return false }
    let limit = limitBesideComputing()
    computing.recordLook(from: begin, to: RealClock.monotonic(), hasLead: limit != nil)
    guard let limit else { return false }
    switch demandBesideComputing(operation) {
    case .stand: return false
    case .finished:
      remove(operation)
      return true
    case .advance(let bound):
      let instant = bound.map { min($0, limit) } ?? limit
      let passes = bound.map { $0 <= limit && $0 > kernel.virtualNow } ?? false
      return kernel.moveTime(to: instant, passesToLimit: passes)
    }
  }

  /// What the operation wants of time; one that only waits until everything sleeps has not come to its end.
  private func demandBesideComputing(_ operation: any PendingWait) -> TimeDemand {
    if let passing = operation as? PassTime, passing.onlySettles {
      return .advance(limit: nil)
    }
    return operation.demand(kernel)
  }

  /// How far time may go although threads compute; `nil` if it may not.
  private func limitBesideComputing() -> Nanoseconds? {
    let quiescence = kernel.quiescence
    guard kernel.isSettled, scenario_has_stop() == 0,
      kernel.isMailboxEmpty, !kernel.awaitsAnswer, !kernel.hasUnseenOutput(),
      quiescence.externalProbes.allSatisfy({
        $0.isSwitchedOut(inLock: false) && $0.state() == .asleep
      }),
      quiescence.isNothingUnderWay, let threads = computingThreads(), !threads.isEmpty
    else { return nil }
    kernel.sockets.recordWaits()
    let processes = processesWithDeadlines()
    guard threads.allSatisfy({ processes.contains($0.process.identifier) }) else { return nil }
    return computing.limit(for: threads.map(reading), now: kernel.virtualNow)
  }

  /// The threads that compute, if all others sleep; `nil` if somebody is on the way to a stop, or to sleep.
  private func computingThreads() -> [Tracee]? {
    var threads: [Tracee] = []
    for tracee in kernel.quiescence.sleepWatch.watched.values {
      if tracee.isHeld {
        guard tracee.sleepsInWatchedCall() else { return nil }
        continue
      }
      if tracee.isSeenAsleep { continue }
      guard case .running = tracee.state, tracee.sampler.state() == .busy,
        !tracee.sampler.isStopped()
      else { return nil }
      threads.append(tracee)
    }
    return threads
  }

  /// The processes of which somebody waits for an instant: a thread, or a timer of theirs.
  private func processesWithDeadlines() -> Set<ThreadIdentifier> {
    var found = kernel.timers.waitingProcesses
    for tracee in kernel.tracees.values where awaitsInstant(tracee) {
      found.insert(tracee.process.identifier)
    }
    return found
  }

  /// Whether a thread waits for virtual time, or to see it pass.
  private func awaitsInstant(_ tracee: Tracee) -> Bool {
    switch tracee.state {
    case .waiting(let active): active.ticket != nil
    case .parked(let parking): parking.readsClock
    default: kernel.sockets.isWaiting(tracee)
    }
  }

  /// What tells how long a thread has computed.
  private func reading(of tracee: Tracee) -> ComputingWatch.Reading {
    ComputingWatch.Reading(
      thread: tracee.identifier, spent: tracee.sampler.processorTime(),
      switches: tracee.sampler.voluntarySwitches(), stops: tracee.stops)
  }
}
