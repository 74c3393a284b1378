package import Foundations
internal import Glibc

extension Supervisor {
  /// Ends the whole tree: SIGTERM to each process, or what its target is stopped by, and SIGKILL to those that still
  /// live after a while.
  ///
  /// The while passes in both times at once: where the clocks are held, time moves on for as long, so that
  /// a process which sleeps before it ends can do so, and nobody waits for what virtual time decides.
  ///
  /// - Parameters:
  ///   - signals: by what targets are stopped that are not stopped by SIGTERM: their first processes get it.
  ///   - signal: what all others get; SIGTERM unless said.
  ///   - grace: how long processes have, in real time and in that of the target.
  /// - Returns: Those that had to be killed, in the order of births.
  package func endTree(
    signals: [TargetNumber: Int32] = [:], others signal: Int32? = nil, grace: Nanoseconds
  ) -> [LiveProcess] {
    let result = OneShot<[LiveProcess]>()
    let deadline = RealClock.monotonic() + grace
    mailbox.post { loop in
      // Whoever was waited for is waited for no more; this is a wait of its own.
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
}
