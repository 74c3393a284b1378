internal import Foundations
internal import Glibc

/// The processor time of processes and of the children for which they have waited.
enum TreeProcessorTime {
  /// Reads it (proc(5): /proc/PID/stat, the fields `utime`, `stime`, `cutime` and `cstime`), exact to a tick.
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
