internal import ScenarioModel

extension SupervisorLoop {
  /// Lets times(2) and sysinfo(2) be made, and puts virtual time where they tell the machine's uptime.
  func readUptime(for tracee: Tracee, _ registers: Registers) {
    guard configuration.clock != nil else { return resume(tracee) }
    let process = tracee.process
    complete(tracee, original: registers, with: registers) { loop, registers in
      let real = RealClock.monotonic()
      if registers.systemCall == SystemCallNumber.times {
        guard !registers.hasFailed else { return }
        // The kernel returns its tick count, which stands still while the machine is suspended, from a
        // start of its own: "an arbitrary point in the past" (times(2)).
        registers.result = Int(loop.clock.monotonic(real: real).count / Self.tickLength)
      } else if registers.result == 0 {
        // `struct sysinfo` begins with the uptime, in seconds that have begun.
        let boot = TimeValue(loop.clock.boot(real: real))
        let uptime = boot.seconds + (boot.fraction > 0 ? 1 : 0)
        _ = process.memory?.writeAsKernel(uptime, at: registers[argument: 0])
      }
    }
  }

  /// 1/_SC_CLK_TCK (sysconf(3)), in nanoseconds.
  private static let tickLength: Int64 = 10_000_000

  /// Gives the target an anonymous file where it opens /proc/uptime; false if it opens something else.
  ///
  /// The call becomes a memfd_create(2), so the descriptor is the one that the open would have returned,
  /// and neither a path nor a permission is needed for it, in whatever root folder and as whatever user
  /// the target runs.
  func openUptime(for tracee: Tracee, _ registers: Registers) -> Bool {
    guard configuration.clock != nil, let memory = tracee.process.memory,
      let opening = UptimeOpening(registers, memory)
    else { return false }
    var changed = registers
    changed.systemCall = SystemCallNumber.memfdCreate
    // The path is a good name for the file.
    changed[argument: 0] = opening.pathAddress
    // MFD_CLOEXEC is 1.
    changed[argument: 1] = uptimeFiles.creationFlags | (opening.closesAtExec ? 1 : 0)
    let process = tracee.process
    let thread = tracee.identifier
    complete(tracee, original: registers, with: changed) { loop, registers in
      guard !registers.hasFailed else { return }
      guard let file = UptimeFiles.open(descriptor: registers.result, of: thread) else {
        return loop.report(
          .outOfReach(
            process: process.identifier.number,
            reason: "/proc/uptime of \(process.programName) cannot be filled"))
      }
      loop.uptimeFiles.add(file, boot: loop.clock.boot(real: RealClock.monotonic()))
    }
    return true
  }

  /// Brings what the target has opened as /proc/uptime up to date.
  func refreshUptime() {
    guard !uptimeFiles.isEmpty else { return }
    uptimeFiles.refresh(boot: clock.boot(real: RealClock.monotonic()))
  }
}

extension Registers {
  /// Whether the result is an errno.
  fileprivate var hasFailed: Bool { -4095..<0 ~= result }
}
