internal import Glibc
internal import Supervisor

/// The resources left to this process by getrlimit(2) and its control group.
package struct RunnerLimits: Sendable, Hashable {
  /// RLIMIT_NOFILE; `nil` is no limit.
  var descriptors: UInt64?
  /// Bytes that RLIMIT_AS leaves; `nil` for no limit.
  var addressSpace: UInt64?
  /// Bytes that RLIMIT_DATA leaves; `nil` for no limit.
  var data: UInt64?
  /// RLIMIT_STACK, in bytes, which bounds the first thread; `nil` is no limit.
  var stack: UInt64?
  /// The number of threads and processes that can be made, as far as it was counted; `nil` where
  /// nothing bounds them closely.
  var threads: UInt64?

  // MARK: - Needs

  /// The resources of one case that has a mock server and a target of one process, and those that
  /// cases share: as measured, and half as much again, for what is open for moments.
  private enum Need {
    static let descriptors: UInt64 = 64
    static let sharedDescriptors: UInt64 = 32
    static let descriptorsOfCase: UInt64 = 32
    static let sharedThreads: UInt64 = 6
    static let threadsOfCase: UInt64 = 5
    static let sharedMemory: UInt64 = 192 << 20
    static let memoryOfCase: UInt64 = 64 << 20
    static let stack: UInt64 = 1 << 20
  }

  /// The shortage for which not even one case can be run; `nil` if one can.
  package var shortage: MachineShortage? {
    if let stackShortage { return stackShortage }
    if let descriptors, descriptors < Need.descriptors {
      return MachineShortage(
        message:
          "this process may have \(descriptors) open files, but a run needs \(Need.descriptors)",
        help: "raise it: ulimit -n \(LimitFindings.wantedDescriptors)")
    }
    if let threads, threads < Need.sharedThreads + Need.threadsOfCase {
      return MachineShortage(
        message: """
          this process may have \(threads) more threads and processes, but a run needs \
          \(Need.sharedThreads + Need.threadsOfCase)
          """, help: Self.threadHelp)
    }
    return memoryShortage(Need.sharedMemory + Need.memoryOfCase, of: "a run")
  }

  /// The shortage for which not even a file can be read; `nil` if one can.
  package var readingShortage: MachineShortage? {
    stackShortage ?? memoryShortage(Self.readingMemory, of: "a file of scenarios")
  }

  private static let readingMemory: UInt64 = 48 << 20

  /// The number of cases that can be run at once, and why not more.
  ///
  /// - Parameter wanted: how many are to run.
  package func jobs(_ wanted: Int) -> (count: Int, reason: MachineShortage?) {
    var count = wanted
    var reason: MachineShortage?
    func bound(_ there: UInt64?, _ shared: UInt64, _ each: UInt64, _ what: String, _ help: String) {
      guard let there else { return }
      let most = Int(clamping: there < shared ? 0 : (there - shared) / each)
      guard most < count else { return }
      count = max(1, most)
      reason = MachineShortage(message: what, help: help)
    }
    bound(
      descriptors, Need.sharedDescriptors, Need.descriptorsOfCase,
      "this process may have \(descriptors ?? 0) open files",
      "raise it: ulimit -n \(max(1_024, Need.sharedDescriptors + Need.descriptorsOfCase * UInt64(wanted)))"
    )
    bound(
      threads, Need.sharedThreads, Need.threadsOfCase,
      "this process may have \(threads ?? 0) more threads and processes", Self.threadHelp)
    bound(
      addressSpace, Need.sharedMemory, Need.memoryOfCase,
      "this process may have \(Self.mebibytes(addressSpace ?? 0)) more of address space",
      "raise it: ulimit -v unlimited")
    bound(
      data, Need.sharedMemory, Need.memoryOfCase,
      "this process may have \(Self.mebibytes(data ?? 0)) more of data",
      "raise it: ulimit -d unlimited")
    return (count, count < wanted ? reason : nil)
  }

  private static let threadHelp =
    "raise it: ulimit -u unlimited, or pids.max of the control group (docker run --pids-limit=1000)"

  private var stackShortage: MachineShortage? {
    guard let stack, stack < Need.stack else { return nil }
    return MachineShortage(
      message: """
        this process may have a stack of \(stack >> 10) KiB, but needs \(Need.stack >> 10) KiB
        """,
      help: "raise it: ulimit -s 8192")
  }

  private func memoryShortage(_ need: UInt64, of what: String) -> MachineShortage? {
    func shortage(_ there: UInt64?, _ name: String, _ option: String) -> MachineShortage? {
      guard let there, there < need else { return nil }
      return MachineShortage(
        message: """
          this process may have \(Self.mebibytes(there)) more of \(name), but \(what) needs \
          \(Self.mebibytes(need))
          """, help: "raise it: ulimit \(option) unlimited")
    }
    return shortage(addressSpace, "address space", "-v") ?? shortage(data, "data", "-d")
  }

  private static func mebibytes(_ count: UInt64) -> String { "\(count >> 20) MiB" }

  // MARK: - Measuring

  /// The limits of this process, as it is now.
  ///
  /// - Parameter jobs: for how many cases at once threads are counted; 0 counts none.
  package static func current(jobs: Int = 0) -> RunnerLimits {
    var limits = RunnerLimits()
    limits.descriptors = LimitFindings.limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue))
    limits.stack = LimitFindings.limit(__rlimit_resource_t(RLIMIT_STACK.rawValue))
    let space = LimitFindings.limit(__rlimit_resource_t(RLIMIT_AS.rawValue))
    let data = LimitFindings.limit(__rlimit_resource_t(RLIMIT_DATA.rawValue))
    if space != nil || data != nil {
      // proc_pid_statm(5): size, resident, shared, text, lib, data.
      let pages = (SystemFile.line("/proc/self/statm") ?? "").split(separator: " ").map {
        UInt64($0) ?? 0
      }
      let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
      func left(_ limit: UInt64?, _ index: Int) -> UInt64? {
        let used = pages.count > index ? pages[index] * page : 0
        return limit.map { $0 > used ? $0 - used : 0 }
      }
      limits.addressSpace = left(space, 0)
      limits.data = left(data, 5)
    }
    if jobs > 0, areThreadsBounded() {
      let wanted = Need.sharedThreads + Need.threadsOfCase * UInt64(jobs)
      let count = UInt64(Supervisor.countThreads(atMost: Int(wanted)))
      if count < wanted { limits.threads = count }
    }
    return limits
  }

  /// Returns whether threads are so few that to count them is worth its while: a user's other processes count as well, which
  /// only the kernel sees.
  private static func areThreadsBounded() -> Bool {
    let found = LimitFindings.current()
    return [found.processes, found.groupRoom].contains { $0.map { $0 < closeBound } ?? false }
  }

  private static let closeBound: UInt64 = 16_384
}
