/// The permission bits that files of this process are made without (umask(2)).
package enum FileModeMask {
  /// The usual mask, if the kernel does not report one.
  private static let usual: UInt32 = 0o022

  /// The mask of this process.
  ///
  /// umask(2) tells it only by setting another one: two threads that ask so at once may leave the process without any.
  package static func current() -> UInt32 {
    guard let bytes = try? FileTree.read("/proc/self/status") else { return usual }
    return mask(in: String(decoding: bytes, as: UTF8.self)) ?? usual
  }

  /// The mask in a process's status (proc(5): `Umask:`, since Linux 4.7); `nil` if it has none.
  static func mask(in status: String) -> UInt32? {
    let field = "Umask:"
    return status.split(separator: "\n").first { $0.hasPrefix(field) }.flatMap {
      UInt32($0.dropFirst(field.count).filter(\.isNumber), radix: 8)
    }
  }
}
