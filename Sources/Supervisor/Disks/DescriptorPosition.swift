internal import Glibc

/// Where a descriptor stands in its file, and how it was opened (proc(5): /proc/PID/fdinfo).
struct DescriptorPosition {
  /// Where the next byte is read or written.
  var place: Int64 = 0
  /// The flags of open(2).
  var flags: UInt64 = 0

  /// Reads it; `nil` if the descriptor is not open.
  init?(thread: ThreadIdentifier, descriptor: Int32) {
    guard let text = SmallFile.read("/proc/\(thread.number)/fdinfo/\(descriptor)"), !text.isEmpty
    else { return nil }
    for line in text.split(separator: "\n", maxSplits: 3) {
      if line.hasPrefix("pos:") {
        place = Int64(line.dropFirst(4).filter(\.isNumber)) ?? 0
      } else if line.hasPrefix("flags:") {
        flags = UInt64(line.dropFirst(6).filter(\.isNumber), radix: 8) ?? 0
      }
    }
  }

  /// Whether bytes may be written.
  var isWritable: Bool { flags & UInt64(O_ACCMODE) != UInt64(O_RDONLY) }
  /// Whether bytes are written behind the end.
  var appends: Bool { flags & UInt64(O_APPEND) != 0 }
  /// Whether bytes that are written are durable at once: O_DSYNC, which O_SYNC holds.
  var isDurable: Bool { flags & 0o10000 != 0 }
}
