internal import Foundations

extension SpinDetector {
  /// Publishes its clock to a program that has just been started; one of a great many has to read
  /// it by system calls, so that it is known whether it does.
  func publishFirstClock(to process: TargetProcess) {
    guard programs.countStart(), !kernel.clock.flows else {
      return kernel.publishClock(to: process)
    }
    process.isNewcomer = true
    kernel.letAskForClock(process)
  }

  /// Holds one of many programs that reads the clock for the first time; true if it is held until
  /// time has moved.
  ///
  /// Where time does not move, programs may read it as often as they like, each once or many.
  func holdNewcomer(_ tracee: Tracee, _ registers: Registers) -> Bool {
    tracee.process.isNewcomer = false
    kernel.publishClock(to: tracee.process)
    guard !kernel.clock.flows,
      kernel.clock.movesByItself || kernel.mayPassTime,
      programs.countReader(
        now: kernel.virtualNow, spent: { TreeProcessorTime.used(by: kernel.processes.keys) })
    else { return false }
    park(tracee, at: registers, readsClock: true, newcomerSince: kernel.clockGeneration)
    held.lastTurn = RealClock.monotonic().count
    return true
  }

  /// True if a program is held that only reads the clock as many have done before.
  var holdsNewcomers: Bool {
    !held.threads.isEmpty && parkedTracees.contains { $0.newcomerSince != nil }
  }
}

extension Tracee {
  /// The instant at which the thread was held as one of many programs; `nil` for all others.
  var newcomerSince: UInt64? {
    if case .parked(let parking) = state { return parking.newcomerSince }
    return nil
  }
}
