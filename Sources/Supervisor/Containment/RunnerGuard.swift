internal import CSupervisor
internal import Glibc

/// Keeps a target that is root from the runner's own files of /proc.
///
/// Because the runner is not dumpable, its files of /proc are root's, and the kernel asks for CAP_SYS_PTRACE in addition
/// where a file shows or changes the process's memory; for others, such as `oom_score_adj`, to be root is enough.
struct RunnerGuard {
  /// True if targets are root or inherit a capability to the same effect, so that the supervisor must check their
  /// opens.
  let isNeeded: Bool
  /// The process namespace of the runner (pid_namespaces(7)).
  let namespace: String?

  /// Returns the guard that this process needs.
  static func ofThisProcess() -> RunnerGuard {
    let effective = SmallFile.signalMask("CapEff:", in: "/proc/thread-self/status") ?? 0
    // CAP_DAC_OVERRIDE and CAP_SYS_PTRACE of `linux/capability.h`.
    return RunnerGuard(
      isNeeded: geteuid() == 0 || effective & (1 << 1 | 1 << 19) != 0,
      namespace: SmallFile.link("/proc/self/ns/pid"))
  }

  /// The rules of opens that the supervisor must check, and of what may lead them.
  var filterRules: [Int: FilterRule] {
    guard isNeeded else { return [:] }
    return OpenCall.filterRules.merging(
      [SystemCallNumber.symlink: .trace, SystemCallNumber.symlinkat: .trace]
    ) { $0.or($1) }
  }

  /// Returns whether a thread counts processes as this program does (pid_namespaces(7)): in a
  /// namespace of its own it reaches no process outside of that.
  func sharesNamespace(with thread: ThreadIdentifier) -> Bool {
    guard let own = namespace, let other = SmallFile.link("/proc/\(thread.number)/ns/pid")
    else { return true }
    return own == other
  }

  /// Returns whether a number is this process's, or one of its threads', or that of another one with this program: a
  /// copy of this process, or one that runs other scenarios.
  static func isRunner(_ number: Int32) -> Bool {
    if number == getpid() || access("/proc/self/task/\(number)", F_OK) == 0 { return true }
    let program = FileIdentity(path: "/proc/self/exe")
    return program != nil && program == FileIdentity(path: "/proc/\(number)/exe")
  }
}

/// A path into the folder of a process below /proc.
struct ProcessEntry: Equatable {
  /// The process or thread.
  var number: Int32
  /// The names behind it, without a thread's folder.
  var names: [String]

  /// Reads an absolute path, which must be plain; `nil` if it leads elsewhere.
  init?(_ path: String) {
    // /proc/self/root/proc/… is one as well.
    guard path.hasPrefix("/") else { return nil }
    let all = path.split(separator: "/").map(String.init)
    guard let place = all.lastIndex(of: "proc") else { return nil }
    var parts = Array(all[(place + 1)...])
    guard let number = parts.first.flatMap({ Int32($0) }), number > 0 else { return nil }
    parts.removeFirst()
    self.number = number
    if parts.first == "task", parts.count > 1, let thread = Int32(parts[1]) {
      self.number = thread
      parts.removeFirst(2)
    }
    names = parts
  }

  /// Reads a path by the number in it that is the runner's (`RunnerGuard.isRunner`), wherever its file system may be
  /// mounted; `nil` if it has none.
  init?(runnerIn path: String) {
    guard Self.hasNumber(path) else { return nil }
    var parts = path.split(separator: "/").map(String.init)[...]
    while let part = parts.popFirst() {
      guard let number = Int32(part), number > 0, RunnerGuard.isRunner(number) else { continue }
      self.number = number
      if parts.first == "task", parts.count > 1, Int32(parts[parts.startIndex + 1]) != nil {
        parts = parts.dropFirst(2)
      }
      names = Array(parts)
      return
    }
    return nil
  }

  /// Returns whether a name of a path begins with a digit: of most, none does.
  private static func hasNumber(_ path: String) -> Bool {
    var isBeginning = true
    for byte in path.utf8 {
      if isBeginning, UInt8(ascii: "1")...UInt8(ascii: "9") ~= byte { return true }
      isBeginning = byte == UInt8(ascii: "/")
    }
    return false
  }

  /// True if it is one of those that show no more than a list of processes does; who writes to one changes the process.
  ///
  /// The kernel shows these of a process that is not dumpable to everybody.
  var isHarmless: Bool {
    guard let first = names.first else { return true }
    return Self.harmless.contains(first)
  }

  private static let harmless: Set<String> = [
    "cgroup", "cmdline", "comm", "cpuset", "limits", "loginuid", "oom_score", "sched", "schedstat",
    "sessionid", "stat", "statm", "status", "task", "wchan",
  ]
}
