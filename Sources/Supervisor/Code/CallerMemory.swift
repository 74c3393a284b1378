/// The memory of a process one of whose threads is stopped in a call of a function.
///
/// To be used only while a point is asked, on the supervisor's thread.
package struct CallerMemory {
  let memory: TargetMemory
  let process: Int32

  /// Reads up to `count` bytes; fewer at the end of a mapping.
  package func bytes(_ count: Int, at address: UInt64) -> [UInt8] {
    count > 0 ? memory.readBytes(min(count, Self.limit), at: address) : []
  }

  /// The number of bytes that are read at once.
  package static let limit = 1 << 20

  /// Returns the file whose code is at an address, and the offset from the file's beginning: the
  /// same in each run, wherever the file is loaded.
  package func place(of address: UInt64) -> (file: String, offset: UInt64)? {
    let list = MappingList(SmallFile.read("/proc/\(process)/maps") ?? "")
    guard let mapping = list.mappings.first(where: { $0.range.contains(address) }),
      mapping.path.hasPrefix("/")
    else { return nil }
    return (String(mapping.path), mapping.offset &+ (address - mapping.range.lowerBound))
  }
}
