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

  /// Reads a text that ends with a zero byte; `nil` if there is none.
  package func text(at address: UInt64) -> String? {
    memory.readText(at: address, limit: 1 << 16)
  }

  /// Writes bytes where the process itself may; false if it may not.
  @discardableResult
  package func write(_ bytes: [UInt8], at address: UInt64) -> Bool {
    bytes.isEmpty || bytes.withUnsafeBytes { memory.writeAsKernel($0, at: address) }
  }

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
