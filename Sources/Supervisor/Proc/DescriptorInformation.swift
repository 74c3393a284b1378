internal import Glibc

/// The state of a descriptor, as /proc/PID/fdinfo gives it (proc(5)).
struct DescriptorInformation {
  /// The offset, in bytes, at which the next read or write begins.
  var position: Int64
  /// The flags of open(2), with which fcntl(2) may have dealt since.
  var flags: Int32

  /// Reads the text; `nil` if it is none.
  init?(_ text: String) {
    func value(_ name: String, _ radix: Int) -> Int64? {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
      return line.flatMap { Int64($0.dropFirst(name.count).filter(\.isNumber), radix: radix) }
    }
    guard let position = value("pos:", 10), let flags = value("flags:", 8) else { return nil }
    self.position = position
    self.flags = Int32(truncatingIfNeeded: flags)
  }
}
