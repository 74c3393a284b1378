package import Foundations
internal import Glibc

/// How a target came to its end that was asked to end.
package enum TargetEnding: Sendable, Hashable {
  /// It had ended before, or was never started.
  case wasOver
  /// It has ended by itself.
  case ended(ExitStatus)
  /// It had to be killed.
  case killed(KillReason)

  /// Why a target had to be killed.
  package enum KillReason: Sendable, Hashable {
    /// Its grace was over.
    case graceOver
    /// It waits, and nothing will wake it: time stands still.
    case stuck
    /// The run is being stopped.
    case cancelled
  }
}

extension Supervisor {
  /// Asks a target to end, gives it time, and kills what is left of its tree.
  ///
  /// - Parameters:
  ///   - target: which one.
  ///   - signal: what it is asked by.
  ///   - grace: how long it may take, in real time.
  package func end(
    _ target: TargetNumber, by signal: Int32, grace: Nanoseconds
  ) -> TargetEnding {
    guard exitStatus(of: target) == nil, self.signal(signal, to: target) else { return .wasOver }
    // A stopped process takes no signal but KILL until it goes on.
    _ = self.signal(SIGCONT, to: target)
    let moment = now() + grace
    let reason: TargetEnding.KillReason
    switch awaitExit(of: target, deadline: moment) {
    case .happened, .targetEnded:
      return exitStatus(of: target).map { .ended($0) } ?? .wasOver
    case .stuck: reason = .stuck
    case .timedOut, .endless: reason = .graceOver
    case .cancelled: reason = .cancelled
    }
    killTree(of: target)
    return .killed(reason)
  }

  /// Kills all processes of a target, with whatever is being born in it.
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

  private func now() -> Nanoseconds { RealClock.monotonic() }
}
