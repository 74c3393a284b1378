internal import Glibc

/// Event descriptors of a process, as proc(5) shows them.
enum EventDescriptor {
  /// The state of an event descriptor in the kernel.
  struct State: Equatable {
    /// The kernel's number of the event behind it.
    var event: UInt64
    /// True if the counter holds anything.
    var isSet: Bool
  }

  /// The kernel's number of the event behind a descriptor; `nil` if it is no event descriptor.
  static func event(_ number: Int32, of process: ThreadIdentifier) -> UInt64? {
    let file = open(number, of: process)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return state(in: file)?.event
  }

  /// Opens the fdinfo file of a descriptor; negative if the process has no such number now.
  static func open(_ number: Int32, of process: ThreadIdentifier) -> Int32 {
    Glibc.open("/proc/\(process.number)/fdinfo/\(number)", O_RDONLY | O_CLOEXEC)
  }

  /// Reads such a file; `nil` if what has the number now is no event descriptor.
  static func state(in file: Int32) -> State? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      let text = UnsafeBufferPointer(buffer)[..<max(0, count)]
      guard let event = value(after: "eventfd-id:", in: text),
        let counter = value(after: "eventfd-count:", radix: 16, in: text)
      else { return nil }
      return State(event: event, isSet: counter > 0)
    }
  }

  /// The number on the line that begins with `field`.
  private static func value(
    after field: StaticString, radix: UInt64 = 10, in text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> UInt64? {
    var line = text
    while !line.isEmpty {
      let end = line.firstIndex(of: UInt8(ascii: "\n")) ?? line.endIndex
      if field.withUTF8Buffer({ line.starts(with: $0) }) {
        return line[..<end].dropFirst(field.utf8CodeUnitCount).reduce(UInt64?.none) {
          number, byte in
          guard let digit = digit(byte) else { return number }
          return (number ?? 0) &* radix &+ digit
        }
      }
      line = line[end...].dropFirst()
    }
    return nil
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }

  /// Returns the event descriptors of a process.
  static func numbers(in process: ThreadIdentifier) -> [Int32] {
    let folder = "/proc/\(process.number)/fd"
    return SmallFile.names(in: folder).compactMap { name in
      SmallFile.link("\(folder)/\(name)") == "anon_inode:[eventfd]" ? Int32(name) : nil
    }.sorted()
  }
}
