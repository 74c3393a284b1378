internal import Glibc
internal import ScenarioModel

/// A call that a limit may let fail.
struct LimitedCall {
  /// Its number.
  var number: Int
  /// The limited resource that it takes.
  var resource: LimitAccount.Resource
  /// The memory that it takes: bytes, or for brk(2) the new break.
  var bytes: UInt64
}

/// The calls that fail where a limit is met.
enum LimitedCalls {
  private static func numbers(_ names: [String]) -> [Int] {
    names.compactMap { SystemCallTable.current.number(of: $0) }
  }

  /// mremap(2).
  static let mremap = SystemCallTable.current.number(of: "mremap") ?? -1

  /// The calls that take memory (getrlimit(2), RLIMIT_DATA).
  static let ofMemory = Set(numbers(["mmap", "brk", "mremap", "mprotect", "pkey_mprotect"]))

  /// The calls that make a descriptor, or fail with EMFILE; timerfd_create(2) is the supervisor's
  /// own.
  static let ofFiles = Set(
    numbers([
      "open", "openat", "openat2", "creat", "socket", "socketpair", "pipe", "pipe2", "dup", "fcntl",
      "accept", "accept4", "epoll_create", "epoll_create1", "eventfd", "eventfd2", "signalfd",
      "signalfd4", "inotify_init", "inotify_init1", "memfd_create", "pidfd_open",
    ]))

  /// Returns the rules by which a filter must show them.
  static func filterRules(for limits: TargetLimits) -> [Int: FilterRule] {
    var rules: [Int: FilterRule] = [:]
    if limits.memory != nil { for number in ofMemory { rules[number] = .trace } }
    guard limits.files != nil else { return rules }
    for number in ofFiles { rules[number] = .trace }
    if let fcntl = numbers(["fcntl"]).first {
      rules[fcntl] = .traceIfAmong([
        ArgumentValues(argument: 1, values: [UInt32(F_DUPFD), duplicateClosing])
      ])
    }
    return rules
  }

  /// F_DUPFD_CLOEXEC of `linux/fcntl.h`.
  private static let duplicateClosing: UInt32 = 1_030
}
