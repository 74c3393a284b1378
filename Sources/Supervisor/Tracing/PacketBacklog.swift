internal import Glibc

/// Packets that wait in the kernel between two sockets of this machine.
///
/// What is sent over loopback is as a rule delivered before the send returns; under load the kernel puts
/// it off. Sender and receiver both sleep then, and yet something is under way.
final class PacketBacklog {
  /// The column of /proc/net/softnet_stat that holds the length of a processor's queue, from 0; older
  /// kernels do not have it.
  private static let column = 11

  private let descriptor = open("/proc/net/softnet_stat", O_RDONLY | O_CLOEXEC)

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether no packet waits on any processor.
  func isEmpty() -> Bool {
    guard descriptor >= 0 else { return true }
    var position: off_t = 0
    var field = 0
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
      while true {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, position)
        guard count > 0 else { return true }
        for byte in buffer[..<count] {
          switch byte {
          case UInt8(ascii: "\n"): field = 0
          case UInt8(ascii: " "): field += 1
          default: if field == Self.column, byte != UInt8(ascii: "0") { return false }
          }
        }
        position += off_t(count)
      }
    }
  }
}
