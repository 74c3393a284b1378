internal import Glibc

extension UnsafeMutablePointer<dirent> {
  /// The name of an entry that readdir(3) has returned, in bytes.
  ///
  /// The entry must not be copied: it ends behind its name, and with it, perhaps, the memory that is there, while the
  /// structure goes on for as long as a name can be.
  package var name: UnsafeBufferPointer<UInt8> {
    let start = UnsafeRawPointer(self) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
    return UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self),
      count: strlen(start.assumingMemoryBound(to: CChar.self)))
  }
}
