internal import CSupervisor
internal import Glibc
internal import ScenarioPlan

/// The processes of a scenario reach each other, and no others.
extension SupervisorLoop {
  /// Whether a call was one that is kept within the tree, and is dealt with.
  func keepsWithinTree(_ registers: Registers, of tracee: Tracee) -> Bool {
    if runnerGuard.isNeeded, SystemCallNumber.opens.contains(registers.systemCall) {
      return keepsRunnerClosed(registers, of: tracee)
    }
    guard ForeignCall.isOne(registers.systemCall) else { return false }
    let memory = tracee.process.memory
    guard
      let call = ForeignCall(
        registers.systemCall, { registers[argument: $0] },
        word: { address in
          memory?.read(UInt64.self, at: address).map {
            (Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $0 >> 32))
          }
        })
    else { return false }
    switch verdict(on: call.receiver, of: tracee) {
    case .own:
      return false
    case .foreign(let name):
      refuse(tracee, registers, reaching: name, by: call.deed)
    case .mixed(let members):
      guard call.deed == .signal else {
        refuse(tracee, registers, reaching: nil, by: call.deed)
        return true
      }
      broadcast(to: members, by: tracee, registers)
    }
    return true
  }

  // MARK: - Who is meant

  /// Whom a call means.
  private enum Verdict {
    /// Nobody but processes of the scenario, or nobody at all.
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
      guard isInOwnNamespace(tracee) else { return .own }
      let own = tracee.process.identifier
      return .mixed(livingMembers.filter { $0 != own }.map(\.number))
    }
  }

  private func verdict(onProcess number: Int32, of tracee: Tracee) -> Verdict {
    let identifier = ThreadIdentifier(number)
    guard number > 0, tracees[identifier] == nil, processes[identifier] == nil,
      !unannounced.contains(identifier), !unborn.contains(identifier),
      // Who has ended gets nothing, and who does not exist is for the kernel to say.
      kill(number, 0) == 0 || errno != ESRCH
    else { return .own }
    let status = ProcessStatus(of: number)
    guard !(status?.hasEnded ?? false), isInOwnNamespace(tracee) else { return .own }
    return .foreign(status?.name)
  }

  /// Groups are made by processes of the scenario, but for one that a process has gone to by setpgid(2).
  private func verdict(onGroup group: Int32, of tracee: Tracee) -> Verdict {
    let members = livingMembers.filter { getpgid($0.number) == group }.map(\.number)
    let leader = ThreadIdentifier(group)
    if processes[leader] != nil { return .own }
    guard isInOwnNamespace(tracee), kill(-group, 0) == 0 || errno != ESRCH else { return .own }
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

  /// The processes that have not ended, in the order of births.
  private var livingMembers: [ThreadIdentifier] {
    processes.values.filter { !$0.threads.isEmpty }.sorted { $0.ordinal < $1.ordinal }
      .map(\.identifier)
  }

  /// Whether a thread counts processes as this program does (pid_namespaces(7)): in a namespace of its own it
  /// reaches nobody outside of that.
  func isInOwnNamespace(_ tracee: Tracee) -> Bool {
    guard let own = runnerGuard.namespace,
      let other = SmallFile.link("/proc/\(tracee.identifier.number)/ns/pid")
    else { return true }
    return own == other
  }

  /// The process that a descriptor stands for; `nil` if it stands for none, or for one that has ended.
  private func number(behind descriptor: Int32, of tracee: Tracee) -> Int32? {
    let thread = tracee.identifier.number
    let lines = SmallFile.read("/proc/\(thread)/fdinfo/\(descriptor)")?.split(separator: "\n")
    if let line = lines?.first(where: { $0.hasPrefix("Pid:") }) {
      return Int32(line.dropFirst(4).filter { !$0.isWhitespace }).flatMap { $0 > 0 ? $0 : nil }
    }
    // pidfd_send_signal(2): a folder of /proc does as well.
    return SmallFile.link("/proc/\(thread)/fd/\(descriptor)").flatMap { ProcessEntry($0)?.number }
  }

  // MARK: - What becomes of it

  private func refuse(
    _ tracee: Tracee, _ registers: Registers, reaching name: String?, by deed: ForeignCall.Deed
  ) {
    let call = SystemCallTable.current.name(of: registers.systemCall)
    let victim = name.map { ", \"\($0)\"" } ?? ""
    let words: String
    switch deed {
    case .signal: words = "signals a process that is not of the scenario\(victim)"
    case .ownership:
      words = "wants signals sent to a process that is not of the scenario\(victim)"
    case .access: words = "reaches for a process that is not of the scenario\(victim)"
    }
    notice(
      "\"\(tracee.process.programName)\" \(words): \(call) fails with EPERM", of: tracee.process)
    answer(tracee, registers, error: KernelError.notPermitted)
  }

  /// Lets a call fail that is not made.
  func answer(_ tracee: Tracee, _ registers: Registers, error: Int) {
    var answered = registers
    answered.skipSystemCall(returning: -error)
    finish(tracee, with: answered)
  }

  /// Sends a signal to these processes, the sender itself last.
  private func broadcast(to members: [Int32], by tracee: Tracee, _ registers: Registers) {
    if tracee.broadcast?.isMade(by: registers) ?? false {
      return continueBroadcast(of: tracee, registers)
    }
    notice(
      "\"\(tracee.process.programName)\" signals processes all over the machine: only those of the"
        + " scenario get it", of: tracee.process)
    guard !members.isEmpty else { return answer(tracee, registers, error: KernelError.noProcess) }
    let own = tracee.process.identifier.number
    let others = members.filter { $0 != own }
    tracee.broadcast = SignalBroadcast(
      place: (registers.instructionPointer, registers.stackPointer),
      rest: (others + (others.count < members.count ? [own] : []))[...])
    continueBroadcast(of: tracee, registers)
  }

  private func continueBroadcast(of tracee: Tracee, _ registers: Registers) {
    guard let next = tracee.broadcast?.rest.popFirst() else {
      tracee.broadcast = nil
      return answer(tracee, registers, error: 0)
    }
    var changed = registers
    changed[argument: 0] = UInt64(next)
    complete(tracee, original: registers, with: changed) { _, exit in
      guard var broadcast = tracee.broadcast else { return }
      if exit.result != -KernelError.notPermitted { broadcast.result = exit.result }
      tracee.broadcast = broadcast.rest.isEmpty ? nil : broadcast
      if broadcast.rest.isEmpty {
        exit.result = broadcast.result
      } else {
        exit.restartSystemCall()
      }
    }
  }

  /// Whether an open was of what the runner keeps to itself, and has failed.
  private func keepsRunnerClosed(_ registers: Registers, of tracee: Tracee) -> Bool {
    let index = registers.systemCall == SystemCallNumber.open ? 0 : 1
    guard let memory = tracee.process.memory,
      let text = memory.readText(at: registers[argument: index]),
      // A path that counts from a folder may count from the runner's.
      !text.hasPrefix("/") || text.contains("/proc/")
    else { return false }
    let reader = CallSubjectReader(
      process: tracee.process.identifier.number, thread: tracee.identifier.number, memory: memory)
    guard
      let path = reader.path(
        .path(argument: index, directory: index == 0 ? nil : 0), registers),
      let entry = ProcessEntry(path), !entry.isHarmless,
      processes[ThreadIdentifier(entry.number)] == nil, RunnerGuard.isRunner(entry.number),
      isInOwnNamespace(tracee)
    else { return false }
    notice(
      "\"\(tracee.process.programName)\" opens \"\(entry.names.joined(separator: "/"))\" of the"
        + " process that runs the scenario: it fails with EACCES", of: tracee.process)
    answer(tracee, registers, error: Int(EACCES))
    return true
  }
}

extension SystemCallNumber {
  /// Calls that open what a path names.
  static let opens: Set<Int> = [open, openat, openat2]
}
