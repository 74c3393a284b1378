internal import CSupervisor
internal import Foundations
internal import Glibc

/// Shows the scenario's time in the calls and files that give the uptime of the machine and the
/// start times of processes.
///
/// The target gets anonymous files (memfd_create(2)) in place of those that it has opened. Which those are is asked of
/// the descriptor, as only the kernel knows where links, mounts and folders have led it.
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
    default: watchOpening(call)
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

  /// Looks at what an open has opened, if its path may be that of a file that tells a time.
  private func watchOpening(_ call: InterceptedCall) -> CallDisposition {
    guard let memory = call.tracee.process.memory,
      let opening = PlainOpening(call.registers, memory),
      let name = TimeFileName(ofPath: opening.path, in: memory)
    else { return .pass }
    let tracee = call.tracee
    return .watch { [self] exit in
      guard let exit, exit.result >= 0,
        let file = TimeFile(behind: exit.result, of: tracee.identifier),
        let content = content(of: file, for: tracee)
      else { return }
      let copy = replace(name, closesAtExec: opening.closesAtExec, exit, of: tracee)
      fill(copy, of: tracee, with: content, as: file)
    }
  }

  /// Makes a thread that has opened a file put an anonymous one in its place.
  ///
  /// - Parameter exit: the registers at the exit of its open.
  /// - Returns: the descriptor of that file, which the open returns; negative for an error, where the descriptor stays
  ///   that of the file which was opened.
  private func replace(
    _ name: TimeFileName, closesAtExec: Bool, _ exit: Registers, of tracee: Tracee
  ) -> Int {
    let thread = tracee.identifier
    // The thread has just made a call by this instruction.
    let instruction = exit.instructionPointer &- UInt64(Architecture.systemCallInstruction.count)
    func makeCall(_ number: Int, _ arguments: UInt64...) -> Int? {
      let unused = [UInt64](repeating: 0, count: 6 - arguments.count)
      return kernel.makeCall(number, arguments + unused, in: tracee, exit, at: instruction)
    }
    var mask: UInt64 = 0
    guard scenario_trace_hold_signals(thread.number, &mask) == 0 else { return -Int(EIO) }
    var registers = exit
    // MFD_CLOEXEC is 1.
    let flags = uptimeFiles.creationFlags | (closesAtExec ? 1 : 0)
    var made = makeCall(SystemCallNumber.memfdCreate, name.address, flags) ?? -Int(EIO)
    if made >= 0 {
      let moved = makeCall(
        SystemCallNumber.dup3, UInt64(made), UInt64(exit.result),
        closesAtExec ? UInt64(O_CLOEXEC) : 0)
      _ = makeCall(SystemCallNumber.close, UInt64(made))
      made = moved ?? -Int(EIO)
    } else if made == -Int(EMFILE), makeCall(SystemCallNumber.close, UInt64(exit.result)) == 0 {
      // A process that may open no more has room for one again.
      made = makeCall(SystemCallNumber.memfdCreate, name.address, flags) ?? -Int(EIO)
      registers.result = made
    }
    try? registers.write(to: thread)
    scenario_trace_release_signals(thread.number, mask)
    kernel.sendPostponedSignals(to: tracee)
    return made
  }

  private func fill(
    _ descriptor: Int, of tracee: Tracee, with content: [UInt8], as file: TimeFile
  ) {
    guard descriptor >= 0,
      let copy = UptimeFiles.open(descriptor: descriptor, of: tracee.identifier)
    else {
      let process = tracee.process
      return kernel.report(
        .outOfReach(
          process: process.identifier.number,
          reason: "\(file.path) of \(process.programName) cannot be filled"
            + (descriptor < 0
              ? ", as memfd_create or dup3 fails: \(SystemText.error(Int32(-descriptor)))" : "")))
    }
    if file.kind == .uptime { return uptimeFiles.add(copy, boot: time.moment.boot) }
    defer { close(copy) }
    content.withUnsafeBytes { _ = pwrite(copy, $0.baseAddress, $0.count, 0) }
  }

  // MARK: - Content

  /// Returns the content of a file as of now; `nil` if it has none that tells a time.
  private func content(of file: TimeFile, for opener: Tracee) -> [UInt8]? {
    let moment = time.moment
    let start = (moment.wall(of: opener.process.wall(on: moment.clock)) + -moment.boot).seconds
    switch file.kind {
    case .uptime:
      return Array(UptimeFiles.text(boot: moment.boot).utf8)
    case .machine:
      return file.text().map { Array(ProcessTimes.machine($0, start: start).utf8) }
    case .process:
      guard let text = file.text(), let birth = ProcessTimes.birth(text) else { return nil }
      // Who is not of the scenario has started before it, as a rule.
      let displacement =
        ProcessTimes.ticks(VirtualClock.initialMonotonic) - ProcessTimes.ticks(firstBoot)
      let known = process(birth.number, startedAt: birth.ticks, seenBy: opener.identifier)?.birth
      return Array(
        ProcessTimes.process(text) {
          known.map { ProcessTimes.ticks($0) } ?? max(0, $0 + displacement)
        }.utf8)
    case .logins:
      guard file.size <= Self.loginLimit, let records = file.bytes(),
        let machineStart = SmallFile.read("/proc/stat").flatMap(ProcessTimes.start)
      else { return nil }
      return ProcessTimes.logins(records, later: start - machineStart)
    }
  }

  /// The process of the scenario that a thread sees by a number, be it that of one of its threads; `nil` if there is
  /// none.
  ///
  /// - Parameter ticks: when it has started, as the kernel counts.
  private func process(
    _ number: Int32, startedAt ticks: Int64, seenBy thread: ThreadIdentifier
  ) -> TargetProcess? {
    func isMeant(_ candidate: ThreadIdentifier) -> Bool {
      SmallFile.read("/proc/\(candidate.number)/stat").flatMap(ProcessTimes.birth)?.ticks == ticks
    }
    let same = ThreadIdentifier(number)
    if let process = kernel.processes[same] ?? kernel.tracees[same]?.process, isMeant(same) {
      return process
    }
    // In a namespace of its own it has another number there (pid_namespaces(7)).
    guard !runner.sharesNamespace(with: thread) else { return nil }
    return kernel.tracees.values.first {
      $0.identifier.innermostNumber == number && isMeant($0.identifier)
    }?.process
  }

  /// The largest number of bytes of login records that are shown.
  private static let loginLimit: Int64 = 1 << 20
}

extension ThreadIdentifier {
  /// The number in its own process namespace (proc(5): NSpid of /proc/PID/status).
  fileprivate var innermostNumber: Int32? {
    SmallFile.read("/proc/\(number)/status")?.split(separator: "\n")
      .first { $0.hasPrefix("NSpid:") }?.split(separator: "\t").last.flatMap { Int32($0) }
  }
}

extension Registers {
  /// True if the result is an errno.
  fileprivate var hasFailed: Bool { -4095..<0 ~= result }
}
