internal import Glibc

/// The offset of a descriptor in its file, and the flags of its opening (proc(5):
/// /proc/PID/fdinfo).
struct DescriptorPosition {
  /// The offset, in bytes, at which the next byte is read or written.
  var place: Int64 = 0
  /// The flags of open(2).
  var flags: UInt64 = 0

  /// Reads it; `nil` if the descriptor is not open.
  init?(thread: ThreadIdentifier, descriptor: Int32) {
    guard let text = SmallFile.read("/proc/\(thread.number)/fdinfo/\(descriptor)"),
      let information = DescriptorInformation(text)
    else { return nil }
    place = information.position
    flags = UInt64(UInt32(bitPattern: information.flags))
  }

  /// True if bytes may be written.
  var isWritable: Bool { flags & UInt64(O_ACCMODE) != UInt64(O_RDONLY) }
  /// True if bytes are written behind the end.
  var appends: Bool { flags & UInt64(O_APPEND) != 0 }
  /// True if bytes that are written are durable at once: O_DSYNC, which O_SYNC holds.
  var isDurable: Bool { flags & 0o10000 != 0 }
}
