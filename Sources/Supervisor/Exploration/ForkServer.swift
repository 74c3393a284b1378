internal import CSupervisor
internal import Glibc

/// What a trunk keeps from branch to branch.
final class ForkServer {
  /// What is to be tried.
  let plan: BranchPlan
  /// The folders whose changes are undone.
  let folders: WatchedFolders
  /// Why the trunk is no longer what it was; `nil` while it is.
  var disturbance: String?
  private var knownMailbox: Mailbox?

  init(_ plan: BranchPlan) {
    self.plan = plan
    folders = WatchedFolders(roots: plan.directories)
  }

  /// The mailbox of branches; `nil` where there is no descriptor left.
  func mailbox() -> Mailbox? {
    if knownMailbox == nil { knownMailbox = try? Mailbox(isRegistered: false) }
    return knownMailbox
  }
}

extension TracerLoop {
  /// Why the target cannot be branched where it stands; `nil` if it can.
  func reasonNotToBranch(_ tracee: Tracee, _ registers: Registers) -> String? {
    let process = tracee.process
    let number = process.identifier.number
    if let disturbance = branching?.disturbance { return disturbance }
    guard faults.disks == nil, configuration.limits == nil, !faults.rules.hasProcessEntries else {
      return "disks, limits and entries about processes count over the whole target"
    }
    guard processes.count == 1 else { return "the target has \(processes.count) processes" }
    guard process.threads.count == 1, tracees.count == 1 else {
      return "the program has \(tracees.count) threads"
    }
    guard tree.isSettled, pendingLaunches.isEmpty else {
      return "a process or a thread is about to begin"
    }
    guard targets.count == 1 else { return "the scenario has started several targets" }
    guard let target = targets.begun(by: process.identifier), target.status == nil,
      process.identifier == tracee.identifier
    else { return "the target's first process or thread has ended" }
    if let reason = process.entanglement.memory ?? process.entanglement.lasting { return reason }
    if let obstacle = interceptors.obstacleToFork { return obstacle }
    guard !process.entanglement.hasTimers || configuration.clock != nil else {
      return "the program has timers, which a child does not get"
    }
    guard externalDeadlines.isEmpty, !configuration.awaitsAnswer() else {
      return "an answer to the target is under way"
    }
    guard !hasTerminals else { return "the program has a terminal" }
    guard tracee.suspendedCalls.isEmpty, tracee.unfinishedReceipt == nil,
      tracee.callObserver == nil, tracee.pendingFault == nil, tracee.postponedSignals.isEmpty
    else { return "the thread is in the middle of a call that is watched" }
    if tree.processCount > 1 {
      let children = SmallFile.read("/proc/\(number)/task/\(number)/children")
      guard children?.allSatisfy(\.isWhitespace) == true else {
        return "the program has children"
      }
    }
    guard getsid(number) != number, getpgid(number) == number else {
      return "the program has left its process group"
    }
    guard scenario_has_pending_signal(number) == 0 else { return "a signal is under way" }
    let place = systemCallInstruction(for: tracee, registers)
    let instruction = process.memory?.readBytes(
      Architecture.systemCallInstruction.count, at: place)
    guard instruction == Architecture.systemCallInstruction else {
      return "the call is not made by a plain instruction"
    }
    return nil
  }
}
