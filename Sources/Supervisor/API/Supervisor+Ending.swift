package import Foundations
internal import Glibc

extension Supervisor {
  /// Ends the whole tree: SIGTERM to each process, or what its target is stopped by, and SIGKILL to those that still
  /// live after a while.
  ///
  /// The while passes in both times at once: where the clocks are held, time moves on for as long, so that
  /// a process which sleeps before it ends can do so, and nothing waits for an event of virtual time.
  ///
  /// - Parameters:
  ///   - signals: by what targets are stopped that are not stopped by SIGTERM: their first processes get it.
  ///   - signal: what all others get; SIGTERM unless said.
  ///   - grace: how long processes have, in real time and in that of the target.
  /// - Returns: The processes that were killed, in start order.
  package func endTree(
    signals: [TargetNumber: Int32] = [:], others signal: Int32? = nil, grace: Nanoseconds
  ) -> [LiveProcess] {
    let result = OneShot<[LiveProcess]>()
    let deadline = RunnerClock.now() + grace
    mailbox.post { loop in
      // The former waits are over; this is a wait of its own.
      loop.allowWaits()
      guard !loop.isTreeGone else { return result.leave([]) }
      loop.terminateTree(signals, others: signal ?? SIGTERM)
      loop.begin(EndTree(deadline: deadline, grace: grace, result: result))
    }
    return result.value()
  }

  /// The processes that outlive the first ones of all targets, once those that are about to end have done so.
  ///
  /// Where the clocks are held, that is when everything sleeps; elsewhere they have `patience` of real time, and
  /// more while one of them works. Empty while a target's first process lives.
  package func leftBehind(patience: Nanoseconds) -> [LiveProcess] {
    guard look({ $0.targets.haveEnded && !$0.isTreeGone }) else { return [] }
    let result = OneShot<[LiveProcess]>()
    mailbox.post { loop in
      guard loop.targets.haveEnded, !loop.isTreeGone else { return result.leave([]) }
      loop.begin(AwaitExits(patience: patience, result: result))
    }
    return result.value()
  }

  /// Asks a target to end, gives it time, and kills what is left of its tree.
  ///
  /// - Parameters:
  ///   - target: which one.
  ///   - signal: what it is asked by.
  ///   - grace: how long it may take, in real time (see ``GracePeriod``).
  package func end(
    _ target: TargetNumber, by signal: Int32, grace: Nanoseconds
  ) -> TargetEnding {
    guard exitStatus(of: target) == nil, self.signal(signal, to: target) else { return .wasOver }
    // A stopped process takes no signal but KILL until it goes on.
    _ = self.signal(SIGCONT, to: target)
    let reason: TargetEnding.KillReason
    switch awaitEnd(of: target, grace: grace) {
    case .happened, .targetEnded:
      return exitStatus(of: target).map { .ended($0) } ?? .wasOver
    case .stuck: reason = .stuck
    case .timedOut, .endless: reason = .graceOver
    case .cancelled: reason = .cancelled
    }
    killTree(of: target)
    return .killed(reason)
  }

  /// Waits until a target has ended that has been asked to.
  ///
  /// - Parameters:
  ///   - target: which one.
  ///   - grace: how long it may take, in real time; longer where it waits for a processor (see ``GracePeriod``), up to
  ///     ten times as long.
  ///   - limit: the bound in any case, on the runner's clock.
  ///   - meanwhile: called on this thread, several times a second.
  package func awaitEnd(
    of target: TargetNumber, grace: Nanoseconds, limit: Nanoseconds = .forever,
    meanwhile: () -> Void = {}
  ) -> WaitResult {
    let period = GracePeriod(grace, from: now(), delays(of: target))
    var end = now() + grace
    while true {
      // Who ignores the request has the grace, whatever he waits for.
      let result = awaitExit(
        of: target, deadline: min(end, limit), endsAtStandstill: false, meanwhile: meanwhile)
      guard case .timedOut = result, end < limit else { return result }
      end = period.end(delays(of: target))
      guard end > now() else { return result }
    }
  }

  private func delays(of target: TargetNumber) -> GracePeriod.Delays {
    ask(isLook: true) { loop in
      var delays = GracePeriod.Delays(supervisor: .ofThisThread)
      for process in loop.processes.values where process.target == target {
        for thread in process.threads {
          let probe = ThreadStateProbe(
            process: process.identifier.number, thread: thread.number, keepsFilesOpen: false)
          delays.threads[thread] = probe.scheduleStatistics().delay
        }
      }
      return delays
    }
  }

  /// Kills all processes of a target, including starting ones.
  package func killTree(of target: TargetNumber) {
    ask { loop in
      for process in loop.processes.values.sorted(by: { $0.ordinal < $1.ordinal })
      where process.target == target {
        kill(process.identifier.number, SIGKILL)
      }
      loop.endNewcomers(of: target)
    }
    _ = pause(until: now() + .seconds(5), orEndOf: target)
  }

  private func now() -> Nanoseconds { RunnerClock.now() }
}
