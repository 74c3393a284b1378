internal import Foundations
internal import Glibc

extension SpinDetector {
  /// Gives a program that has just been started its clock; one of a great many has to ask for it, so that
  /// it is known whether it does.
  func publishFirstClock(to process: TargetProcess) {
    guard programs.countStart(), !kernel.clock.flows else {
      return kernel.publishClock(to: process)
    }
    process.isNewcomer = true
    kernel.letAskForClock(process)
  }

  /// One of many programs reads the clock for the first time; true if it is held until time has moved.
  ///
  /// Where time stands, programs may read it as often as they like, each once or many.
  func holdNewcomer(_ tracee: Tracee, _ registers: Registers) -> Bool {
    tracee.process.isNewcomer = false
    kernel.publishClock(to: tracee.process)
    guard !kernel.clock.flows,
      kernel.clock.movesByItself || kernel.mayPassTime,
      programs.countReader(now: kernel.virtualNow, spent: processorTimeOfTree)
    else { return false }
    park(tracee, at: registers, readsClock: true, newcomerSince: kernel.clockGeneration)
    held.lastTurn = RealClock.monotonic().count
    return true
  }

  /// Whether a program is held that only reads the clock as many have done before.
  var holdsNewcomers: Bool {
    !held.threads.isEmpty && parkedTracees.contains { $0.newcomerSince != nil }
  }

  /// The processor time of all processes and of the children for which they have waited (proc(5):
  /// /proc/PID/stat, the fields `utime`, `stime`, `cutime` and `cstime`).
  private func processorTimeOfTree() -> Nanoseconds {
    let ticks = kernel.processes.keys.reduce(Int64(0)) { sum, process in
      let text = SmallFile.read("/proc/\(process.number)/stat") ?? ""
      // The first field behind the name, which may hold anything, is the third of all.
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 14 ? sum &+ fields[11...14].reduce(0) { $0 &+ (Int64($1) ?? 0) } : sum
    }
    return Nanoseconds(ticks &* (1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))))
  }
}

extension Tracee {
  /// The instant at which the thread was held as one of many programs; `nil` for all others.
  var newcomerSince: UInt64? {
    if case .parked(let parking) = state { return parking.newcomerSince }
    return nil
  }
}
