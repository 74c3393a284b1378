internal import Foundations
internal import Glibc

/// The processor time of a tree of processes.
struct TreeProcessorTime {
  /// The processor time that each process has used itself.
  let own: [ThreadIdentifier: Nanoseconds]
  /// The processor time of the processes and of the children that they have waited for, exact to a
  /// tick.
  let withChildren: Nanoseconds

  init(own: [ThreadIdentifier: Nanoseconds], withChildren: Nanoseconds) {
    (self.own, self.withChildren) = (own, withChildren)
  }

  /// Reads the times of processes that live.
  init(of processes: some Sequence<ThreadIdentifier>) {
    let processes = Array(processes)
    own = Dictionary(
      processes.map { ($0, RealClock.processorTime(ofProcess: $0.number)) }
    ) { $1 }
    withChildren = Self.used(by: processes)
  }

  /// Returns the processor time that the processes which live have used themselves.
  static func ofLiving(_ processes: some Sequence<ThreadIdentifier>) -> Nanoseconds {
    processes.reduce(.zero) { $0 + RealClock.processorTime(ofProcess: $1.number) }
  }

  /// Returns the least processor time used since an earlier reading: that of processes which have
  /// ended since is known only once they have been waited for.
  func used(since former: TreeProcessorTime) -> Nanoseconds {
    let usedByTheLiving = own.reduce(Nanoseconds.zero) { sum, process in
      let before = former.own[process.key] ?? .zero
      // A process that has its number from another one begins at nought.
      return sum + (process.value < before ? process.value : process.value - before)
    }
    return max(usedByTheLiving, withChildren - former.withChildren)
  }

  /// Returns the processor time of processes and of the children that they have waited for
  /// (proc(5): /proc/PID/stat, the fields `utime`, `stime`, `cutime` and `cstime`), exact to a
  /// tick.
  static func used(by processes: some Sequence<ThreadIdentifier>) -> Nanoseconds {
    let ticks = processes.reduce(Int64(0)) { sum, process in
      let text = SmallFile.read("/proc/\(process.number)/stat") ?? ""
      // The first field behind the name, which may hold anything, is the third of all.
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 14 ? sum &+ fields[11...14].reduce(0) { $0 &+ (Int64($1) ?? 0) } : sum
    }
    return Nanoseconds(ticks &* (1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))))
  }
}
