internal import Glibc

/// Takes the place of init(8) for processes whose parents have ended: they fall to the runner
/// (``Supervisor/adoptOrphans()``), so that one that ends is gone at once, however late the machine's own init is.
///
/// To themselves they are children of process 1, as orphans as a rule are: programs ask for that to know that they are.
final class OrphanedProcesses: Interceptor {
  private unowned let kernel: any TraceKernel
  /// The processes that ended before their parents, which may not have waited for them.
  private var ended: [ThreadIdentifier: [ThreadIdentifier]] = [:]
  /// The parents of the processes that live.
  private var parents: [ThreadIdentifier: ThreadIdentifier] = [:]

  /// The largest number of ended children of one parent that are looked at when it ends.
  private static let endedLimit = 1_000
  /// The process that orphans fall to, as they see it.
  private static let initProcess = 1

  let filterRules: [Int: FilterRule] = [SystemCallNumber.getppid: .trace]

  /// - Parameter kernel: whose target it is.
  init(kernel: any TraceKernel) {
    self.kernel = kernel
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    // The runner's own children are the targets.
    guard process.parent != nil else { return .pass }
    return .observe { registers in
      if registers.result == Int(getpid()) { registers.result = Self.initProcess }
    }
  }

  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier) {
    guard let process = kernel.processes[thread], let parent = process.parent else { return }
    parents[thread] = parent
  }

  func processEnded(_ process: ThreadIdentifier) {
    for child in ended.removeValue(forKey: process) ?? [] { reap(child) }
    guard let parent = parents.removeValue(forKey: process), kernel.processes[parent] != nil
    else { return }
    var children = ended[parent] ?? []
    if children.count >= Self.endedLimit { children.removeFirst(Self.endedLimit / 2) }
    ended[parent] = children + [process]
  }

  /// Lets the kernel forget a process that ended before its parent and has fallen to the runner since.
  private func reap(_ process: ThreadIdentifier) {
    // Another process may have got its number: what is traced, or lives, is none of this one's.
    let lines = SmallFile.read("/proc/\(process.number)/status")?.split(separator: "\n") ?? []
    guard lines.contains(where: { $0.hasPrefix("State:\tZ") }),
      lines.contains("PPid:\t\(getpid())"), lines.contains("TracerPid:\t0")
    else { return }
    waitpid(process.number, nil, WNOHANG)
  }
}
