internal import CSupervisor
internal import Glibc

/// Watches calls for the sake of branches.
final class BranchGuard: Interceptor {
  private unowned let kernel: any TraceKernel
  private let branch: Branch?
  private let keepsTime: Bool
  private let stop: () -> Void
  /// The hazards of processes: what they share with others, or would not hand on.
  private var hazards: [ThreadIdentifier: ForkHazards] = [:]

  let calls: Set<Int>? = nil
  let filterRules = BranchCalls.filterRules

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - branch: what the loop holds as a branch; `nil` for the trunk.
  ///   - keepsTime: whether time is other than the machine's.
  ///   - stop: ends the branch.
  init(
    kernel: any TraceKernel, branch: Branch?, keepsTime: Bool, stop: @escaping () -> Void
  ) {
    self.kernel = kernel
    self.branch = branch
    self.keepsTime = keepsTime
    self.stop = stop
  }

  // MARK: - Hazards

  var obstacleToFork: String? {
    for hazards in hazards.values {
      if let reason = hazards.memory ?? hazards.lasting { return reason }
      if hazards.hasTimers, !keepsTime {
        return "the program has timers, which a child does not inherit"
      }
    }
    return nil
  }

  /// Returns whether a process has ever set a timer of the kernel's.
  func hasTimers(_ process: TargetProcess) -> Bool {
    hazards[process.identifier]?.hasTimers ?? false
  }

  /// Returns whether a process has ever locked a file.
  func hasLocked(_ process: TargetProcess) -> Bool {
    hazards[process.identifier]?.hasLocked ?? false
  }

  func inherit(from trunk: any Interceptor) {
    if let trunk = trunk as? BranchGuard { hazards = trunk.hazards }
  }

  func processCopied(
    _ process: ThreadIdentifier, as copy: ThreadIdentifier, thread: ThreadIdentifier
  ) {
    hazards[copy] = hazards.removeValue(forKey: process)
  }

  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier) {
    guard kernel.processes[thread] != nil, let maker = kernel.tracees[maker] else { return }
    hazards[thread] = hazards[maker.process.identifier]
  }

  func programStarted(in process: ThreadIdentifier) { hazards[process]?.dropAddressSpace() }

  func processEnded(_ process: ThreadIdentifier) { hazards[process] = nil }

  // MARK: - Calls

  func enter(_ call: InterceptedCall) -> CallDisposition {
    isOver(by: call.registers, of: call.tracee) ? .taken : .pass
  }

  /// Checks a call that is about to be made, for the sake of branches; true if later interceptors
  /// must not see it.
  ///
  /// Of the trunk it records what a fork would not hand on. A branch that is about to change what
  /// is not its own comes to its end: the call is not made.
  private func isOver(by registers: Registers, of tracee: Tracee) -> Bool {
    guard let effect = BranchCalls.effect(of: registers) else { return false }
    let process = tracee.process
    hazards[process.identifier, default: ForkHazards()].record(
      effect, registers, of: process.identifier, process.memory)
    if let branch, branch.objection == nil,
      let objection = objection(to: effect, registers, of: tracee, branch)
    {
      branch.objection = objection
      branch.isOver = true
      stop()
      return true
    }
    return false
  }

  /// Returns the reason why a branch must not make a call.
  private func objection(
    to effect: BranchCalls.Effect, _ registers: Registers, of tracee: Tracee, _ branch: Branch
  ) -> String? {
    let name = SystemCallTable.current.name(of: registers.systemCall)
    let reach = BranchSandbox(
      roots: branch.roots, processes: kernel.processes.keys.map(\.number),
      thread: tracee.identifier,
      readFolders: branch.readFolders)
    guard let memory = tracee.process.memory else { return nil }
    func argument(_ path: Int, _ folder: Int?) -> PathArgument {
      PathArgument(
        address: registers[argument: path],
        directory: folder.map { Int32(truncatingIfNeeded: registers[argument: $0]) } ?? AT_FDCWD)
    }
    let foreign: String?
    switch effect {
    case .mapping, .advice, .filter, .timer, .lock:
      return nil
    case .address where registers.systemCall == SystemCallTable.current.number(of: "bind"):
      return "the branch binds an address"
    case .address(let index):
      return reach.mayReach(registers[argument: index], registers[argument: index + 1], memory)
        ? nil : "the branch communicates with another process by \(name)"
    case .messages(let index, let count):
      return reach.mayReach(
        messages: registers[argument: index], count.map { registers[argument: $0] }, memory)
        ? nil : "the branch communicates with another process by \(name)"
    case .attributes: return "the branch changes extended attributes by \(name)"
    case .machine: return "the branch makes the call \(name), which acts on the machine"
    case .sharing(let what):
      return registers.systemCall == SystemCallTable.current.number(of: "io_setup") ? nil : what
    case .signal(let place):
      let receiver = Int32(truncatingIfNeeded: registers[argument: place])
      return reach.mayBeSignalled(receiver)
        ? nil
        : "the branch makes the call \(name) for process \(receiver), which is not its own"
    case .open(let path, let folder, let place):
      let flags: UInt64
      switch place {
      case .argument(let index): flags = registers[argument: index]
      case .memory(let index): flags = memory.read(UInt64.self, at: registers[argument: index]) ?? 0
      case .creating: flags = UInt64(O_CREAT | O_WRONLY | O_TRUNC)
      }
      guard flags & BranchCalls.changingFlags != 0, flags & OpenFlags.path == 0 else { return nil }
      foreign = reach.foreignOpening(argument(path, folder), flags, memory)
    case .entries(let list):
      foreign =
        list.lazy.compactMap { reach.foreignEntry(argument($0.path, $0.folder), memory) }
        .first
    case .file(let path, let folder):
      foreign = reach.foreignFile(argument(path, folder), memory)
    case .descriptor(let index):
      foreign = reach.foreign(descriptor: Int32(truncatingIfNeeded: registers[argument: index]))
    }
    return foreign.map {
      "the branch changes \"\($0)\" by \(name), which is not in a watched folder, or in one that the"
        + " program is reading"
    }
  }
}
