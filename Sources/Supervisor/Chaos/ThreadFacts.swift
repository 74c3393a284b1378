internal import FaultEngine
internal import Foundations

/// The facts about the caller of a call.
protocol ThreadFacts: ChaosFacts {
  /// The thread.
  var tracee: Tracee { get }
  /// The kernel, for the clocks.
  var kernel: any FaultKernel { get }
}

extension ThreadFacts {
  var processOrdinal: Int { tracee.process.ordinal }
  var lineage: [UInt32] { kernel.tree.path(of: tracee.identifier).path }

  func program() -> ProgramNames { tracee.process.names }

  func threadName() -> String {
    let process = tracee.process.identifier.number
    let text = SmallFile.read("/proc/\(process)/task/\(tracee.identifier.number)/comm") ?? ""
    return String(text.prefix { $0 != "\n" })
  }

  func elapsed() -> Nanoseconds { kernel.clock.elapsed(real: RealClock.monotonic()) }

  func wall() -> WallInstant { kernel.clock.wall(real: RealClock.monotonic()) }
}
