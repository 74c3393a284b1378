internal import CSupervisor
internal import FaultEngine
internal import Glibc

/// Confines the target to processes of the scenario: keeps it from others, by signals, ptrace(2)
/// and the like, and from the runner's own folder of /proc.
final class ProcessContainment: Interceptor {
  /// A call by which a program reaches for processes outside of the scenario.
  private struct Reach: Hashable {
    var program: String
    var call: Int
  }

  /// The maximum number of names that are reported for each program and call: pkill(1) tries all processes.
  private static let reportedNames = 3

  private unowned let kernel: any TraceKernel
  private let runner: RunnerGuard
  /// The names of the processes that calls have reached for.
  private var names: [Reach: Set<String?>] = [:]
  /// Signals to many that are still being sent, by their senders.
  private var broadcasts: [ThreadIdentifier: SignalBroadcast] = [:]

  /// True once the target has made a symbolic link whose text names the runner.
  private var runnersAreLinked = false

  init(kernel: any TraceKernel, runner: RunnerGuard = .ofThisProcess()) {
    self.kernel = kernel
    self.runner = runner
  }

  var filterRules: [Int: FilterRule] {
    ForeignCall.filterRules.merging(runner.filterRules) { $0.or($1) }
  }

  func inherit(from trunk: any Interceptor) {
    runnersAreLinked = (trunk as? ProcessContainment)?.runnersAreLinked ?? false
  }

  func threadEnded(_ thread: ThreadIdentifier) { broadcasts[thread] = nil }

  func programStarted(in process: ThreadIdentifier) { broadcasts[process] = nil }

  func enter(_ intercepted: InterceptedCall) -> CallDisposition {
    let (tracee, registers) = (intercepted.tracee, intercepted.registers)
    if runner.isNeeded {
      if OpenCall.numbers.contains(intercepted.number) {
        return keepRunnerClosed(registers, of: tracee)
      }
      if SystemCallNumber.linkMakers.contains(intercepted.number) {
        recordLink(to: registers[argument: 0], of: tracee)
        return .pass
      }
    }
    guard ForeignCall.isOne(intercepted.number) else { return .pass }
    let memory = tracee.process.memory
    guard
      let call = ForeignCall(
        intercepted.number, { registers[argument: $0] },
        word: { address in
          memory?.read(UInt64.self, at: address).map {
            (Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $0 >> 32))
          }
        })
    else { return .pass }
    switch verdict(on: call.receiver, of: tracee) {
    case .own:
      return .pass
    case .foreign(let name):
      return refuse(intercepted, reaching: name, by: call.deed)
    case .mixed(let members):
      guard call.deed == .signal else {
        return refuse(intercepted, reaching: nil, by: call.deed)
      }
      return broadcast(to: members, by: intercepted)
    }
  }

  // MARK: - Who is meant

  /// The receivers of a call.
  private enum Verdict {
    /// Only processes of the scenario, or none at all.
    case own
    /// Others, of which one is called so.
    case foreign(String?)
    /// These of the scenario, and perhaps others.
    case mixed([Int32])
  }

  private func verdict(on receiver: ForeignCall.Receiver, of tracee: Tracee) -> Verdict {
    switch receiver {
    case .process(let number):
      return verdict(onProcess: number, of: tracee)
    case .descriptor(let descriptor):
      return number(behind: descriptor, of: tracee).map { verdict(onProcess: $0, of: tracee) }
        ?? .own
    case .groupOfDescriptor(let descriptor):
      guard let number = number(behind: descriptor, of: tracee) else { return .own }
      let group = getpgid(number)
      return group > 0 ? verdict(onGroup: group, of: tracee) : .own
    case .group(let number):
      let group = number == 0 ? getpgid(tracee.process.identifier.number) : number
      return group > 0 ? verdict(onGroup: group, of: tracee) : .own
    case .everybody:
      guard runner.sharesNamespace(with: tracee.identifier) else { return .own }
      let own = tracee.process.identifier
      return .mixed(livingMembers.filter { $0 != own }.map(\.number))
    case .user:
      return runner.sharesNamespace(with: tracee.identifier) ? .foreign(nil) : .own
    case .terminal(let descriptor):
      return isOwnTerminal(descriptor, of: tracee) ? .own : .foreign(nil)
    }
  }

  /// Returns whether a terminal is the controlling one of the caller, in a session that the scenario has begun.
  ///
  /// The first is what the kernel asks of all who lack CAP_SYS_ADMIN. A target without a terminal of its own is in the
  /// runner's session.
  private func isOwnTerminal(_ descriptor: Int32, of tracee: Tracee) -> Bool {
    let thread = tracee.identifier.number
    var status = stat()
    // What is no terminal is for the kernel to refuse.
    guard stat("/proc/\(thread)/fd/\(descriptor)", &status) == 0, status.st_mode & S_IFMT == S_IFCHR
    else { return true }
    guard getsid(thread) != getsid(0), let terminal = ProcessStatus(of: thread)?.terminal,
      terminal != 0
    else { return false }
    // proc(5) has the device as stat(2) has it; 5:0 is /dev/tty, which stands for the controlling one.
    return status.st_rdev == 5 << 8 || status.st_rdev == UInt64(terminal)
  }

  private func verdict(onProcess number: Int32, of tracee: Tracee) -> Verdict {
    let identifier = ThreadIdentifier(number)
    guard number > 0, !kernel.isOfTarget(identifier),
      // Who has ended gets nothing, and who does not exist is for the kernel to say.
      kill(number, 0) == 0 || errno != ESRCH
    else { return .own }
    let status = ProcessStatus(of: number)
    guard !(status?.hasEnded ?? false), runner.sharesNamespace(with: tracee.identifier) else {
      return .own
    }
    return .foreign(status?.name)
  }

  /// Groups are made by processes of the scenario, but for one that a process has gone to by setpgid(2).
  private func verdict(onGroup group: Int32, of tracee: Tracee) -> Verdict {
    let members = livingMembers.filter { getpgid($0.number) == group }.map(\.number)
    let leader = ThreadIdentifier(group)
    if kernel.processes[leader] != nil { return .own }
    guard runner.sharesNamespace(with: tracee.identifier), kill(-group, 0) == 0 || errno != ESRCH
    else { return .own }
    let stranger = ProcessStatus(of: group)
    if !members.isEmpty, group != getpgrp(), stranger?.hasEnded ?? true { return .own }
    guard members.isEmpty else { return .mixed(members) }
    // What is left of a group of the scenario's may be processes that have ended.
    for name in SmallFile.names(in: "/proc") {
      guard let number = Int32(name), let status = ProcessStatus(of: number),
        status.group == group, !status.hasEnded
      else { continue }
      return .foreign(status.name)
    }
    return .own
  }

  /// The live processes, in start order.
  private var livingMembers: [ThreadIdentifier] {
    kernel.processes.values.filter { !$0.threads.isEmpty }.sorted { $0.ordinal < $1.ordinal }
      .map(\.identifier)
  }

  /// Returns the process of a descriptor; `nil` if it has none, or one that has ended.
  private func number(behind descriptor: Int32, of tracee: Tracee) -> Int32? {
    let thread = tracee.identifier.number
    let information = SmallFile.read("/proc/\(thread)/fdinfo/\(descriptor)") ?? ""
    if let number = DescriptorInformation.number("Pid", in: information) {
      return number > 0 ? Int32(number) : nil
    }
    // pidfd_send_signal(2): a folder of /proc does as well.
    return SmallFile.link("/proc/\(thread)/fd/\(descriptor)").flatMap { ProcessEntry($0)?.number }
  }

  // MARK: - What becomes of it

  private func refuse(
    _ call: InterceptedCall, reaching name: String?, by deed: ForeignCall.Deed
  ) -> CallDisposition {
    let process = call.tracee.process
    let reach = Reach(program: process.programName, call: call.number)
    let isNews = names[reach, default: []].insert(name).inserted
    let count = names[reach]?.count ?? 0
    if isNews, count <= Self.reportedNames + 1 {
      let victim =
        deed == .input
        ? "a terminal outside of the scenario"
        : count > Self.reportedNames
          ? "further processes outside of the scenario, which are not named"
          : "a process outside of the scenario" + (name.map { ", \"\($0)\"" } ?? "")
      let verb =
        switch deed {
        case .signal: "signals"
        case .ownership: "directs signals to"
        case .access: "accesses"
        case .input: "types into"
        }
      kernel.notice(
        "\"\(process.programName)\" \(verb) \(victim): \(SystemCallTable.current.name(of: call.number)) fails"
          + " with EPERM", of: process)
    }
    return .skip(result: -KernelError.notPermitted)
  }

  /// Sends a signal to these processes, the sender itself last.
  private func broadcast(to members: [Int32], by call: InterceptedCall) -> CallDisposition {
    let (tracee, registers) = (call.tracee, call.registers)
    if broadcasts[tracee.identifier]?.isMade(by: registers) ?? false {
      return continueBroadcast(of: call)
    }
    kernel.notice(
      "\"\(tracee.process.programName)\" signals all processes of the machine: only those of the"
        + " scenario get the signal", of: tracee.process)
    guard !members.isEmpty else { return .skip(result: -KernelError.noProcess) }
    let own = tracee.process.identifier.number
    let others = members.filter { $0 != own }
    broadcasts[tracee.identifier] = SignalBroadcast(
      place: (registers.instructionPointer, registers.stackPointer),
      rest: (others + (others.count < members.count ? [own] : []))[...])
    return continueBroadcast(of: call)
  }

  private func continueBroadcast(of call: InterceptedCall) -> CallDisposition {
    let thread = call.tracee.identifier
    guard let next = broadcasts[thread]?.rest.popFirst() else {
      broadcasts[thread] = nil
      return .skip(result: 0)
    }
    var changed = call.registers
    changed[argument: 0] = UInt64(next)
    return .make(changed) { [self] exit in
      guard var broadcast = broadcasts[thread] else { return }
      if exit.result != -KernelError.notPermitted { broadcast.result = exit.result }
      broadcasts[thread] = broadcast.rest.isEmpty ? nil : broadcast
      if broadcast.rest.isEmpty {
        exit.result = broadcast.result
      } else {
        exit.restartSystemCall()
      }
    }
  }

  /// Records that a symbolic link with a text is about to be made.
  private func recordLink(to address: UInt64, of tracee: Tracee) {
    guard !runnersAreLinked, let text = tracee.process.memory?.readText(at: address) else { return }
    runnersAreLinked = ProcessEntry(runnerIn: text) != nil
  }

  /// Refuses an open of what the runner keeps to itself.
  private func keepRunnerClosed(_ registers: Registers, of tracee: Tracee) -> CallDisposition {
    let search = RunnerEntrySearch(
      registers: registers, tracee: tracee, areLinked: runnersAreLinked)
    guard let entry = search.entry(),
      !entry.isHarmless || opensForWriting(registers, of: tracee),
      kernel.processes[ThreadIdentifier(entry.number)] == nil,
      runner.sharesNamespace(with: tracee.identifier)
    else { return .pass }
    kernel.notice(
      "\"\(tracee.process.programName)\" opens \"\(entry.names.joined(separator: "/"))\" of the"
        + " process that runs the scenario: it fails with EACCES", of: tracee.process)
    return .skip(result: -Int(EACCES))
  }

  private func opensForWriting(_ registers: Registers, of tracee: Tracee) -> Bool {
    guard let memory = tracee.process.memory, let open = OpenCall(registers, memory) else {
      return false
    }
    return !open.isForReading
  }
}

extension SystemCallNumber {
  /// Calls that make a symbolic link with the text that their first argument points to.
  static let linkMakers: Set<Int> = [symlink, symlinkat]
}
