internal import CSupervisor
internal import Foundations
internal import Glibc

/// What the kernel's scheduler counts of a thread (proc(5) and the kernel's Documentation/scheduler/sched-stats.rst:
/// /proc/PID/task/TID/schedstat); zero where it does not.
struct ScheduleStatistics {
  /// The processor time that the thread has used.
  var processorTime = Nanoseconds.zero
  /// The time in which the thread was ready to run, and waited for a processor.
  var delay = Nanoseconds.zero
  /// The number of times that it has been given a processor.
  private(set) var runCount: UInt64 = 0

  /// Creates those of a thread that has not run.
  init() {}

  /// Reads the file's text: three numbers.
  init(_ text: some Sequence<UInt8>) {
    var numbers: (UInt64, UInt64, UInt64) = (0, 0, 0)
    var place = 0
    for byte in text {
      switch (byte, place) {
      case (UInt8(ascii: " "), _): place += 1
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), 0): Self.add(byte, to: &numbers.0)
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), 1): Self.add(byte, to: &numbers.1)
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), 2): Self.add(byte, to: &numbers.2)
      default: break
      }
    }
    processorTime = Nanoseconds(Int64(truncatingIfNeeded: numbers.0))
    delay = Nanoseconds(Int64(truncatingIfNeeded: numbers.1))
    runCount = numbers.2
  }

  private static func add(_ digit: UInt8, to number: inout UInt64) {
    number = number &* 10 &+ UInt64(digit - UInt8(ascii: "0"))
  }

  /// Those of the calling thread.
  static var ofThisThread: ScheduleStatistics {
    let descriptor = scenario_open_own_file("/proc/thread-self/schedstat")
    guard descriptor >= 0 else { return ScheduleStatistics([]) }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      return ScheduleStatistics(buffer[..<max(0, count)])
    }
  }
}
