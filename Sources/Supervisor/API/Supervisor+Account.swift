package import Foundations
internal import Glibc

extension Supervisor {
  /// Returns the programs of the live processes of the tree, in start order, without their folders.
  package func livePrograms() -> [String] {
    ask { loop in
      loop.processes.values.filter { !$0.threads.isEmpty }.sorted { $0.ordinal < $1.ordinal }
        .map(\.programName)
    }
  }

  /// Returns the processor time of the live processes of the tree, in their own code and in the
  /// kernel for them (proc(5): `utime` and `stime` of /proc/PID/stat, in ticks).
  package func liveProcessorTime() -> Nanoseconds {
    let tick = 1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))
    return ask { loop in
      let ticks = loop.processes.values.reduce(Int64(0)) { sum, process in
        let text = SmallFile.read("/proc/\(process.identifier.number)/stat") ?? ""
        // Behind the name, which may hold anything, stand the fields from the third on.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12 else { return sum }
        return sum &+ (Int64(fields[11]) ?? 0) &+ (Int64(fields[12]) ?? 0)
      }
      return Nanoseconds(ticks.multipliedReportingOverflow(by: tick).partialValue)
    }
  }

  /// Returns the number of calls of each point's functions, and where they were found, in the order
  /// of the points.
  package func functionAccount() -> [FunctionAccount] {
    ask { $0.faults.functions?.hooks.account() ?? [] }
  }

  /// Sets at which call of a point, counted from 1 since the target was started, it is asked next; `nil`
  /// for never.
  package func setDue(_ occurrence: UInt64?, ofFunctionPoint point: Int) {
    ask { $0.faults.functions?.hooks.setDue(occurrence, of: point) }
  }
}
