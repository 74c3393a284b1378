internal import Glibc

/// The number of processors that this process may use.
package enum ProcessorCount {
  /// Returns the number of processors in the affinity mask, bounded by the quota of the control
  /// groups; 1 at least.
  package static func available() -> Int {
    let allowed = affinity() ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let groups = (try? FileTree.read("/proc/self/cgroup")) ?? []
    let quota = CPUQuota.count(groups: String(decoding: groups, as: UTF8.self)) { path in
      (try? FileTree.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }
    return max(1, min(allowed, quota ?? allowed))
  }

  /// The number of processors that the kernel lets this thread use, as proc(5)'s /proc/self/status shows the mask that
  /// sched_getaffinity(2) gives.
  private static func affinity() -> Int? {
    let bytes = (try? FileTree.read("/proc/self/status")) ?? []
    return AffinityMask.count(status: String(decoding: bytes, as: UTF8.self))
  }
}

/// The processors that a thread may use.
enum AffinityMask {
  /// Returns the number of processors in the text of /proc/self/status; `nil` if it has none.
  static func count(status: String) -> Int? {
    let name = "Cpus_allowed:"
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
      return nil
    }
    // Groups of 32 processors in hexadecimal, with commas between.
    let count = line.dropFirst(name.count).reduce(0) {
      $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0)
    }
    return count > 0 ? count : nil
  }
}

/// The bound that control groups set on processor time.
enum CPUQuota {
  /// Returns the number of processors that may run at once; `nil` if there is no bound.
  ///
  /// - Parameters:
  ///   - groups: proc(5)'s /proc/self/cgroup.
  ///   - read: the text of a file; `nil` if there is none.
  static func count(groups: String, read: (String) -> String?) -> Int? {
    var least: Double?
    func take(_ quota: Double, _ period: Double) {
      guard quota > 0, period > 0 else { return }
      least = min(least ?? .infinity, quota / period)
    }
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      // Version 2 has one tree and no controllers in its line.
      let isSecond = fields[1].isEmpty
      guard isSecond || fields[1].split(separator: ",").contains("cpu") else { continue }
      let root = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/\(fields[1])"
      for folder in folders(of: String(fields[2])) {
        if isSecond,
          let words = read("\(root)\(folder)/cpu.max")?.split(whereSeparator: \.isWhitespace),
          words.count == 2, let quota = Double(words[0]), let period = Double(words[1])
        {
          take(quota, period)
        }
        if !isSecond, let quota = number(read("\(root)\(folder)/cpu.cfs_quota_us")),
          let period = number(read("\(root)\(folder)/cpu.cfs_period_us"))
        {
          take(quota, period)
        }
      }
    }
    return least.map { max(1, Int($0.rounded(.up))) }
  }

  /// A group and those around it: the least of their bounds counts.
  private static func folders(of group: String) -> [String] {
    var folders: [String] = [""]
    var path = ""
    for name in group.split(separator: "/") where name != ".." {
      path += "/\(name)"
      folders.append(path)
    }
    return folders
  }

  private static func number(_ text: String?) -> Double? {
    text.flatMap { Double($0.filter { !$0.isWhitespace }) }
  }
}
