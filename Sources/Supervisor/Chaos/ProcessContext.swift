internal import FaultEngine
internal import Foundations

/// The facts about a process that rules may use where there is no call.
struct ProcessContext: ChaosFacts {
  private let process: TargetProcess
  private let kernel: any FaultKernel
  /// True if it has only just been made, and shares its maker's memory until it runs a program.
  private let isBorrower: Bool

  init(of process: TargetProcess, _ kernel: any FaultKernel, isBorrower: Bool = false) {
    self.process = process
    self.kernel = kernel
    self.isBorrower = isBorrower
  }

  var processOrdinal: Int { process.ordinal }

  mutating func program() -> ProgramNames { isBorrower ? .unknown : process.names }

  mutating func elapsed() -> Nanoseconds { kernel.clock.elapsed(real: RealClock.monotonic()) }

  mutating func wall() -> WallInstant { kernel.clock.wall(real: RealClock.monotonic()) }
}
