package import Foundations
internal import Glibc

extension Supervisor {
  /// The TCP ports that processes of a target listen on, in ascending order.
  package func listeningPorts(of target: TargetNumber) -> [UInt16] {
    ask { loop in
      ListeningPorts(of: loop.processes.values.filter { $0.target == target }).all
    }
  }

  /// Returns whether time moves to the next deadline when everything sleeps.
  package func timeMovesByItself() -> Bool { ask { $0.clock.movesByItself } }

  /// Returns whether some thread waits for virtual time, asleep or reading the clock again and again.
  package func awaitsTime() -> Bool {
    ask { loop in
      loop.nextDeadline != nil
        || loop.spinnerGoal(after: loop.virtualNow) != nil
    }
  }

  /// Returns the situation of every thread of the targets.
  package func situations() -> [ThreadSituation] { ask { $0.situations() } }

  /// Waits until a target has ended, or a moment of real time has come; false if the run is being stopped.
  package func pause(until moment: Nanoseconds, orEndOf target: TargetNumber) -> Bool {
    let result = OneShot<Bool>()
    post { $0.begin(Pause(until: moment, orEndOf: target, result: result)) }
    return result.value()
  }
}

/// Waits for a moment of real time, or for the end of a target.
final class Pause: PendingWait {
  let deadline: Nanoseconds
  private let target: TargetNumber
  private let result: OneShot<Bool>

  init(until moment: Nanoseconds, orEndOf target: TargetNumber, result: OneShot<Bool>) {
    deadline = moment
    self.target = target
    self.result = result
  }

  func wantsQuiescence(_ loop: any TargetView) -> Bool { false }

  func letsTimePass(_ loop: any TargetView) -> Bool { false }

  func poll(_ loop: any TargetView) -> Bool {
    let hasEnded = loop.targets[target].map { $0.status != nil } ?? true
    guard hasEnded || RealClock.monotonic() >= deadline else { return false }
    result.leave(true)
    return true
  }

  func demand(_ loop: any TargetView) -> TimeDemand { .stand }

  func isStuck(_ loop: any TargetView) -> Bool { false }

  func isEndless(_ report: WaiterReport) {
    result.leave(true)
  }

  func cancel() {
    result.leave(false)
  }
}

extension ConnectionTable {
  /// The ports on which those of some sockets listen that do.
  func listeningPorts(of sockets: Set<UInt64>) -> [UInt16] {
    listeners.filter { sockets.contains($0.inode) }.compactMap { listener in
      listener.local.split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
  }
}
