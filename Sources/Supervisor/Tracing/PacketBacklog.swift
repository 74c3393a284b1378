internal import Glibc

/// Packets that wait in the kernel between two sockets of this machine.
///
/// A packet over loopback is as a rule delivered before the send returns; under load the kernel defers it.
/// Sender and receiver both sleep then, and yet something is under way.
final class PacketBacklog {
  /// The packets of all processors together.
  struct Count: Equatable {
    /// The number of packets that wait to be delivered.
    var waiting: UInt64 = 0
    /// The number of packets that have been delivered, as a number that changes with each; `nil`
    /// where the kernel does not say.
    var delivered: UInt64?
  }

  /// The column of /proc/net/softnet_stat that holds the length of a processor's queue, from 0.
  ///
  /// Older kernels do not have it. The first one counts what was delivered.
  private static let column = 11

  private let descriptor = open("/proc/net/softnet_stat", O_RDONLY | O_CLOEXEC)

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns the numbers of packets that wait now and that have been delivered.
  func count() -> Count {
    guard descriptor >= 0 else { return Count() }
    var position: off_t = 0
    var reader = Reader()
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
      while true {
        let size = pread(descriptor, buffer.baseAddress, buffer.count, position)
        guard size > 0 else { break }
        for byte in buffer[..<size] { reader.take(byte) }
        position += off_t(size)
      }
    }
    return reader.count
  }

  /// Reads the file byte by byte: a line for each processor, of columns of eight hexadecimal digits.
  struct Reader {
    /// The sums so far.
    private(set) var count = Count()
    private var column = 0
    private var number: UInt64 = 0

    /// Reads the next byte.
    mutating func take(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "\n"):
        endColumn()
        column = 0
      case UInt8(ascii: " "):
        endColumn()
        column += 1
      case _ where column != 0 && column != PacketBacklog.column:
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
      default:
        number = number << 4 | UInt64((byte | 0x20) &- UInt8(ascii: "a") &+ 10)
      }
    }

    private mutating func endColumn() {
      if column == 0 { count.delivered = (count.delivered ?? 0) &+ number }
      if column == PacketBacklog.column { count.waiting &+= number }
      number = 0
    }
  }
}
