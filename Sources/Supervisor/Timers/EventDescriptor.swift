internal import Glibc

/// Event descriptors of a process, as proc(5) shows them.
enum EventDescriptor {
  /// The kernel's number of the event behind a descriptor; `nil` if it is no event descriptor.
  static func event(_ number: Int32, of process: ThreadIdentifier) -> UInt64? {
    let descriptor = open("/proc/\(process.number)/fdinfo/\(number)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      return value(after: "eventfd-id:", in: UnsafeBufferPointer(buffer)[..<max(0, count)])
    }
  }

  /// The number on the line that begins with `field`.
  private static func value(
    after field: StaticString, in text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> UInt64? {
    var line = text
    while !line.isEmpty {
      let end = line.firstIndex(of: UInt8(ascii: "\n")) ?? line.endIndex
      if field.withUTF8Buffer({ line.starts(with: $0) }) {
        return line[..<end].dropFirst(field.utf8CodeUnitCount).reduce(UInt64?.none) {
          number, byte in
          guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return number }
          return (number ?? 0) &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
        }
      }
      line = line[end...].dropFirst()
    }
    return nil
  }

  /// All event descriptors of a process.
  static func numbers(in process: ThreadIdentifier) -> [Int32] {
    let folder = "/proc/\(process.number)/fd"
    return SmallFile.names(in: folder).compactMap { name in
      SmallFile.link("\(folder)/\(name)") == "anon_inode:[eventfd]" ? Int32(name) : nil
    }.sorted()
  }
}
