internal import Glibc

/// The folder of a thread's descriptors (proc(5): /proc/TID/fd), which stays open.
///
/// From here reading a link costs three quarters of what it costs by the whole path. The kernel
/// looks the descriptor up anew each time, and finds none once the thread is gone, even if another
/// has its number then.
final class DescriptorFolder {
  private let folder: Int32

  /// Opens the folder; `nil` if the thread is gone.
  init?(of thread: ThreadIdentifier) {
    folder = open("/proc/\(thread.number)/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
  }

  deinit {
    close(folder)
  }

  /// Returns the path that a descriptor leads to; `nil` if it is not open, or its link cannot be
  /// read.
  func link(_ number: Int32) -> String? {
    guard number >= 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.pathLimit) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      // The name is read before the answer is written over it.
      var position = Self.digitLimit
      start[position] = 0
      var rest = number
      repeat {
        position -= 1
        start[position] = CChar(truncatingIfNeeded: 48 + rest % 10)
        rest /= 10
      } while rest > 0
      let count = readlinkat(folder, start + position, start, buffer.count)
      guard count > 0 else { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  private static let pathLimit = 4096
  /// The size of a buffer for the digits of any descriptor.
  private static let digitLimit = 16
}
