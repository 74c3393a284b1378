internal import Glibc

/// Looks from outside whether a thread sleeps (proc(5): /proc/PID/task/TID/stat, …/schedstat).
///
/// The files stay open: one read of an open file is a microsecond, opening it is three.
final class ThreadSampler {
  /// What a thread is doing.
  enum Activity: Equatable {
    /// Runnable, in a stop that has not been told yet, or in a sleep that ends by itself (disk).
    case busy
    /// Asleep until something else wakes it.
    case asleep
    /// Asleep until a child of vfork lets it go, or something that ends by itself.
    case uninterruptible
    /// Ended.
    case gone
  }

  private let folder: String
  private var statDescriptor: Int32 = -1
  private var scheduleDescriptor: Int32 = -1

  init(process: Int32, thread: Int32) {
    folder = "/proc/\(process)/task/\(thread)"
  }

  deinit {
    if statDescriptor >= 0 { close(statDescriptor) }
    if scheduleDescriptor >= 0 { close(scheduleDescriptor) }
  }

  /// What the thread is doing now.
  func activity() -> Activity {
    if statDescriptor < 0 {
      statDescriptor = open(folder + "/stat", O_RDONLY | O_CLOEXEC)
      guard statDescriptor >= 0 else { return errno == ENOENT ? .gone : .busy }
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
      let count = pread(statDescriptor, buffer.baseAddress, 128, 0)
      guard count > 0 else { return .gone }
      // The state follows the name, which stands in parentheses and may hold any others.
      guard let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
        return .busy
      }
      switch buffer[end + 2] {
      case UInt8(ascii: "S"), UInt8(ascii: "T"): return .asleep
      case UInt8(ascii: "D"): return .uninterruptible
      case UInt8(ascii: "Z"), UInt8(ascii: "X"), UInt8(ascii: "x"): return .gone
      default: return .busy
      }
    }
  }

  /// How often the thread has been given a processor; equal numbers mean that it has not run between.
  func runCount() -> UInt64 {
    if scheduleDescriptor < 0 {
      scheduleDescriptor = open(folder + "/schedstat", O_RDONLY | O_CLOEXEC)
      guard scheduleDescriptor >= 0 else { return 0 }
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { buffer in
      let count = pread(scheduleDescriptor, buffer.baseAddress, 96, 0)
      var number: UInt64 = 0
      for byte in buffer[..<max(0, count)] {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          number = number &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: " "):
          number = 0
        default:
          return number
        }
      }
      return number
    }
  }
}
