internal import Glibc

/// Findings about how much this process may have.
struct LimitFindings {
  /// RLIMIT_NOFILE; `nil` is no limit.
  var descriptors: UInt64?
  /// RLIMIT_NPROC; `nil` is no limit.
  var processes: UInt64?
  /// The number of further processes that the control group allows; `nil` for no limit.
  var groupRoom: UInt64?

  /// A supervisor holds three descriptors for each of the first hundred threads, and one per process.
  static let wantedDescriptors: UInt64 = 1_024
  /// Threads that a target with a runtime of its own may make: the JVM makes some thirty.
  static let wantedProcesses: UInt64 = 100

  /// The limits of this process.
  static func current() -> LimitFindings {
    LimitFindings(
      descriptors: limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue)),
      processes: limit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue)), groupRoom: roomInGroup())
  }

  /// Advice that raises the limit which an errno names; `nil` for an errno that names none.
  static func help(for errorNumber: Int32) -> [String]? {
    switch errorNumber {
    case EMFILE: [descriptorHelp]
    case ENOMEM: ["raise this process's memory limit: ulimit -v unlimited"]
    case EAGAIN: [processHelp, groupHelp]
    default: nil
    }
  }

  private static let descriptorHelp = "raise it: ulimit -n \(wantedDescriptors)"
  private static let processHelp = "raise it: ulimit -u 1000"
  private static let groupHelp =
    "raise pids.max of the control group: docker run --pids-limit=1000"

  /// The finding for each limit.
  var findings: [DoctorFinding] {
    [
      finding(
        "open files", descriptors, Self.wantedDescriptors, help: Self.descriptorHelp),
      finding(
        "processes", processes, Self.wantedProcesses, help: Self.processHelp),
      finding(
        "processes of the group", groupRoom, Self.wantedProcesses, help: Self.groupHelp),
    ]
  }

  private func finding(
    _ subject: String, _ limit: UInt64?, _ wanted: UInt64, help: String
  ) -> DoctorFinding {
    guard let limit else { return DoctorFinding(.ok, subject, "no limit") }
    return limit >= wanted
      ? DoctorFinding(.ok, subject, "\(limit)")
      : DoctorFinding(
        .warn, subject, "\(limit), too few for large targets", help: [help])
  }

  /// A soft limit of this process (getrlimit(2)); `nil` if there is none.
  static func limit(_ resource: __rlimit_resource_t) -> UInt64? {
    var limits = rlimit()
    guard getrlimit(resource, &limits) == 0, limits.rlim_cur != rlim_t.max else { return nil }
    return UInt64(limits.rlim_cur)
  }

  /// The processes that cgroups(7) leave: the group's own pids.max less pids.current; limits above it are not seen.
  private static func roomInGroup() -> UInt64? {
    let group =
      SystemFile.text("/proc/self/cgroup")?.split(separator: "\n")
      .first { $0.hasPrefix("0::") }.map { $0.dropFirst(3) } ?? "/"
    let folder = "/sys/fs/cgroup\(group == "/" ? "" : group)"
    guard let most = SystemFile.line("\(folder)/pids.max").flatMap({ UInt64($0) }),
      let now = SystemFile.line("\(folder)/pids.current").flatMap({ UInt64($0) })
    else { return nil }
    return most > now ? most - now : 0
  }
}
