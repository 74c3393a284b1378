internal import CSupervisor
internal import Glibc
internal import Synchronization

/// Calls that the supervisor is to answer, and that a filter from outside refuses before it can: a container's
/// default profile refuses to set clocks.
///
/// seccomp(2): of the results of all filters the one that comes first counts, and a TRAP comes before an ERRNO,
/// a TRACE behind it. So the supervisor's filter returns TRAP for these. The thread gets SIGSYS, which the
/// tracer sees before it is delivered, and takes away: the call was not made, and returns what the supervisor
/// says, or what the outer filter had it return.
struct RefusedCalls: Sendable {
  /// The errno with which each is refused, by its number.
  let errors: [Int: Int32]

  /// None.
  static let none = RefusedCalls(errors: [:])

  /// Returns those of some calls that are refused to this process, determined in a child once for
  /// each.
  static func among(_ numbers: Set<Int>) -> RefusedCalls {
    guard isConfined, !numbers.isEmpty else { return none }
    return known.withLock { known in
      ask(numbers.subtracting(known.keys), &known)
      return RefusedCalls(
        errors: known.filter { numbers.contains($0.key) }.compactMapValues { $0 > 0 ? $0 : nil })
    }
  }

  /// The calls that read or set the rate of the wall clock.
  static let ofClocks: Set<Int> = [
    SystemCallNumber.adjtimex, SystemCallNumber.clockAdjtime, SystemCallNumber.settimeofday,
    SystemCallNumber.clockSettime,
  ]

  /// Calls by which a process ends, or which cannot be tried.
  private static let untried: Set<Int> = Set(
    ["exit", "exit_group", "rt_sigreturn", "restart_syscall"].compactMap {
      SystemCallTable.current.number(of: $0)
    })

  /// True if a seccomp filter applies to this process (proc(5): Seccomp of /proc/PID/status is 2).
  private static let isConfined = SmallFile.signalMask("Seccomp:", in: "/proc/self/status") == 2

  /// The results so far: an errno, 0 for calls that pass, −1 where that cannot be determined.
  private static let known = Mutex<[Int: Int32]>([:])

  private static func ask(_ numbers: Set<Int>, _ known: inout [Int: Int32]) {
    let numbers = numbers.subtracting(untried).sorted().map { Int32(clamping: $0) }
    guard !numbers.isEmpty else { return }
    var errors = [Int32](repeating: -1, count: numbers.count)
    guard scenario_probe_refusals(numbers, numbers.count, &errors) == 0 else { return }
    for (number, error) in zip(numbers, errors) { known[Int(number)] = error }
  }
}
