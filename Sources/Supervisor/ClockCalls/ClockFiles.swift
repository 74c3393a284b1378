internal import Foundations
internal import Glibc

/// Shows the scenario's time in the calls and files that give the uptime of the machine and the
/// start times of processes.
///
/// The target gets anonymous files (memfd_create(2)) where it opens those of /proc, so that the
/// descriptor is the one that the open would have returned, and neither a path nor a permission is
/// needed for it, in whatever root folder and as whatever user the target runs.
final class ClockFiles: Interceptor {
  private unowned let kernel: any TraceKernel
  private unowned let time: any VirtualTime
  /// The machine's boot clock at the beginning.
  private let firstBoot = RealClock.boot()
  /// The replacements of /proc/uptime where the target has opened it.
  private var uptimeFiles = UptimeFiles()
  /// The process namespace of this program, whose numbers the files have.
  private let runner = RunnerGuard.ofThisProcess()

  init(kernel: any TraceKernel, time: any VirtualTime) {
    self.kernel = kernel
    self.time = time
  }

  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.times: .trace,
    SystemCallNumber.sysinfo: .trace,
    // Opens that may be of such a file.
    SystemCallNumber.open: .traceIfNoneSet(argument: 1, bits: ~PlainOpening.harmlessFlags),
    SystemCallNumber.openat: .traceIfNoneSet(argument: 2, bits: ~PlainOpening.harmlessFlags),
    SystemCallNumber.openat2: .trace,
  ]

  var obstacleToFork: String? {
    hasOpenFiles ? "the program has /proc/uptime open" : nil
  }

  /// True if there are files that must be kept up to date while time flows.
  var hasOpenFiles: Bool { !uptimeFiles.isEmpty }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    switch call.number {
    case SystemCallNumber.times, SystemCallNumber.sysinfo: readUptime(call)
    default: openUptime(call) ?? openProcessTimes(call) ?? .pass
    }
  }

  /// Updates the files that the target has opened as /proc/uptime.
  func clocksMoved() {
    guard !uptimeFiles.isEmpty else { return }
    uptimeFiles.refresh(boot: time.moment.boot)
  }

  // MARK: - Calls

  /// Lets times(2) and sysinfo(2) be made, and replaces the machine's uptime in their results by
  /// virtual time.
  private func readUptime(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    return .observe { [self] exit in
      if exit.systemCall == SystemCallNumber.times {
        guard !exit.hasFailed else { return }
        // The kernel returns its tick count, which stands still while the machine is suspended, from a
        // start of its own: "an arbitrary point in the past" (times(2)).
        exit.result = Int(time.moment.monotonic.count / Self.tickLength)
      } else if exit.result == 0 {
        // `struct sysinfo` begins with the uptime, in seconds that have begun.
        let boot = TimeValue(time.moment.boot)
        let uptime = boot.seconds + (boot.fraction > 0 ? 1 : 0)
        _ = process.memory?.writeAsKernel(uptime, at: exit[argument: 0])
      }
    }
  }

  /// 1/_SC_CLK_TCK (sysconf(3)), in nanoseconds.
  private static let tickLength: Int64 = 10_000_000

  // MARK: - Files

  /// Gives the target an anonymous file where it opens /proc/uptime; `nil` if it opens something else.
  private func openUptime(_ call: InterceptedCall) -> CallDisposition? {
    guard let memory = call.tracee.process.memory,
      let opening = UptimeOpening(call.registers, memory)
    else { return nil }
    let process = call.tracee.process
    let thread = call.tracee.identifier
    let changed = replacement(
      of: call, path: opening.pathAddress, closesAtExec: opening.closesAtExec)
    return .make(changed) { [self] exit in
      guard !exit.hasFailed else { return }
      guard let file = UptimeFiles.open(descriptor: exit.result, of: thread) else {
        return kernel.report(
          .outOfReach(
            process: process.identifier.number,
            reason: "/proc/uptime of \(process.programName) cannot be filled"))
      }
      uptimeFiles.add(file, boot: time.moment.boot)
    }
  }

  /// Gives the target a copy with the scenario's times where it opens one of these files for reading; `nil` if
  /// it opens something else.
  private func openProcessTimes(_ call: InterceptedCall) -> CallDisposition? {
    let thread = call.tracee.identifier
    guard let memory = call.tracee.process.memory,
      let opening = PlainOpening(call.registers, memory),
      memory.read(UInt64.self, at: opening.pathAddress).map(Self.mayTellTimes) ?? false,
      let path = memory.readText(at: opening.pathAddress, limit: 256),
      let file = ProcessTimes.File(path), runner.sharesNamespace(with: thread)
    else { return nil }
    let process = call.tracee.process
    // What does not exist is for the kernel to say.
    guard content(of: file, for: process, thread.number) != nil else { return nil }
    let changed = replacement(
      of: call, path: opening.pathAddress, closesAtExec: opening.closesAtExec)
    return .make(changed) { [self] exit in
      guard exit.result >= 0,
        let copy = UptimeFiles.open(descriptor: exit.result, of: thread, named: path)
      else { return }
      defer { close(copy) }
      let content = content(of: file, for: process, thread.number) ?? []
      content.withUnsafeBytes { _ = pwrite(copy, $0.baseAddress, $0.count, 0) }
    }
  }

  /// An open as a memfd_create(2) with the same name.
  private func replacement(
    of call: InterceptedCall, path: UInt64, closesAtExec: Bool
  ) -> Registers {
    var changed = call.registers
    changed.systemCall = SystemCallNumber.memfdCreate
    changed[argument: 0] = path
    // MFD_CLOEXEC is 1.
    changed[argument: 1] = uptimeFiles.creationFlags | (closesAtExec ? 1 : 0)
    return changed
  }

  /// Returns the content of such a file as of now; `nil` if there is none.
  private func content(
    of file: ProcessTimes.File, for opener: TargetProcess, _ thread: Int32
  ) -> [UInt8]? {
    let moment = time.moment
    let start = (moment.wall(of: opener.wall(on: moment.clock)) + -moment.boot).seconds
    switch file {
    case .machine:
      return SmallFile.read("/proc/stat").map { Array(ProcessTimes.machine($0, start: start).utf8) }
    case .process(let number, let thread):
      let process = number ?? opener.identifier.number
      let path = thread.map { "/proc/\(process)/task/\($0)/stat" } ?? "/proc/\(process)/stat"
      // Who is not of the scenario has started before it, as a rule.
      let displacement =
        ProcessTimes.ticks(VirtualClock.initialMonotonic) - ProcessTimes.ticks(firstBoot)
      let birth = kernel.processes[ThreadIdentifier(process)]?.birth.map { ProcessTimes.ticks($0) }
      return SmallFile.read(path).map {
        Array(ProcessTimes.process($0) { birth ?? max(0, $0 + displacement) }.utf8)
      }
    case .logins:
      // As the opener sees it, which may have another root folder.
      let path = "/proc/\(thread)/root/run/utmp"
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size <= Self.loginLimit, let records = SmallFile.bytes(path),
        let machineStart = SmallFile.read("/proc/stat").flatMap(ProcessTimes.start)
      else { return nil }
      return ProcessTimes.logins(records, later: start - machineStart)
    }
  }

  /// Returns whether a path that begins so may be that of one of the files; every open is compared,
  /// so none is copied.
  private static func mayTellTimes(_ beginning: UInt64) -> Bool {
    beginning << 16 == folder || beginning == variables || beginning == runtime
  }

  /// The largest number of bytes of login records that are shown.
  private static let loginLimit = 1 << 20

  /// "/var/run" and "/run/utm".
  private static let variables: UInt64 = 0x6e75_722f_7261_762f
  private static let runtime: UInt64 = 0x6d74_752f_6e75_722f

  /// "/proc/", shifted by two bytes, on a machine that counts bytes from the low end.
  private static let folder: UInt64 = 0x2f63_6f72_702f_0000
}

extension Registers {
  /// True if the result is an errno.
  fileprivate var hasFailed: Bool { -4095..<0 ~= result }
}
