internal import CSupervisor
internal import Foundations

extension PendingWaits {
  /// Makes time pass, while not everything sleeps, as far as the computing threads have used the
  /// processor; true if anything was woken or finished, or time has moved.
  func passTimeBesideComputing(for operation: any PendingWait) -> Bool {
    let begin = RealClock.monotonic()
    guard computing.isCharged, begin >= computing.nextLook, operation.letsTimePass(kernel),
      !awaitsRest
    else { return false }
    let (limit, threads) = limitBesideComputing(for: operation)
    computing.recordLook(
      from: begin, to: RealClock.monotonic(),
      lead: limit.map { limit in
        guard readers.isEmpty, kernel.spinners.isEmpty else { return .zero }
        return kernel.nextDeadline.map { $0 - limit.instant } ?? .forever
      })
    guard let limit else { return false }
    let former = kernel.virtualNow
    switch demandBesideComputing(operation) {
    case .stand: return false
    case .finished:
      remove(operation)
      return true
    case .advance(let bound):
      let instant = bound.map { min($0, limit.instant) } ?? limit.instant
      let reachesBound = bound.map { $0 <= limit.instant && $0 > former } ?? false
      guard let computer = threads.first(where: { $0.identifier == limit.thread }) ?? threads.first
      else { return false }
      defer { recordCharge(since: former, to: computer) }
      if kernel.moveTime(to: instant, passesToLimit: reachesBound) { return true }
      guard let step = limit.step, bound != nil || kernel.nextDeadline != nil || readers.haveRead
      else { return false }
      kernel.advance(
        to: bound.map { min($0, step) } ?? step,
        because: .computing(
          program: computer.process.programName, process: computer.process.identifier.number))
      somethingMoved()
      return true
    }
  }

  /// Returns the computed time that may count at once; `nil` for all.
  ///
  /// A wait that has begun since the last look, which may be long ago on a busy machine, does not
  /// pay for what was computed before.
  private func chargeable(for operation: any PendingWait) -> Nanoseconds? {
    let isAwaited = isTimeAwaited(for: operation)
    defer { (wasTimeAwaited, hasNewWait) = (isAwaited, false) }
    guard isAwaited, wasTimeAwaited else { return .zero }
    return hasNewWait ? Self.chargeableWithNewWait : nil
  }

  /// The time that is computed between two looks on a machine that has time for them.
  private static let chargeableWithNewWait = Nanoseconds.milliseconds(20)

  /// Returns whether a thread waits for time to pass: for an instant, or for the clock to show it.
  private func isTimeAwaited(for operation: any PendingWait) -> Bool {
    readers.look(
      at: kernel.processes.values.map { ($0.identifier, kernel.spinners.readCount(of: $0)) },
      instant: kernel.clockGeneration)
    if !readers.isEmpty || kernel.nextDeadline != nil || !kernel.spinners.isEmpty { return true }
    return (operation as? PassTime)?.endsAtInstant ?? false
  }

  /// Time has passed beside a thread that computes.
  private func recordCharge(since former: Nanoseconds, to computer: Tracee?) {
    let length = kernel.virtualNow - former
    guard length > .zero, let computer else { return }
    kernel.recordCharge(length, to: computer.process)
  }

  /// Returns how far the operation wants time to move; one that only waits for quiescence has not
  /// come to its end.
  private func demandBesideComputing(_ operation: any PendingWait) -> TimeDemand {
    // Who computes may yet begin to wait.
    if let passing = operation as? PassTime, passing.onlySettles || kernel.nextDeadline == nil,
      !passing.endsAtInstant
    {
      return .advance(limit: nil)
    }
    return operation.demand(kernel)
  }

  /// Returns how far time may move although threads compute, and these threads; `nil` if it may
  /// not.
  private func limitBesideComputing(
    for operation: any PendingWait
  ) -> (limit: ComputingWatch.Limit?, threads: [Tracee]) {
    let quiescence = kernel.quiescence
    guard kernel.isSettled, scenario_has_stop() == 0,
      kernel.isMailboxEmpty, !kernel.awaitsAnswer, !kernel.hasUnseenOutput(),
      quiescence.externalProbes.allSatisfy({
        $0.isSwitchedOut(inLock: false) && $0.state() == .asleep
      }),
      quiescence.isNothingUnderWay, let threads = computingThreads(), !threads.isEmpty
    else { return (nil, []) }
    kernel.sockets.recordWaits()
    let readings = threads.map(reading)
    // One that has stopped meanwhile seems to have waited.
    guard scenario_has_stop() == 0 else { return (nil, []) }
    let limit = computing.limit(
      for: readings, spinners: kernel.spinners.spinnersByProcess(), now: kernel.virtualNow,
      real: RealClock.monotonic(),
      chargeable: chargeable(for: operation),
      spentByAll: TreeProcessorTime(of: kernel.processes.keys))
    return (limit, threads)
  }

  /// The threads that compute, if all others sleep; `nil` if a thread is about to stop or to sleep.
  private func computingThreads() -> [Tracee]? {
    var threads: [Tracee] = []
    for tracee in kernel.quiescence.threadsThatMayRun {
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

  /// Reads the counters by which a thread's computing is measured.
  private func reading(of tracee: Tracee) -> ComputingWatch.Reading {
    ComputingWatch.Reading(
      thread: tracee.identifier, process: tracee.process.identifier,
      spent: tracee.sampler.processorTime(), switches: tracee.sampler.voluntarySwitches(),
      stops: tracee.stops)
  }
}
