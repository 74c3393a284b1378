internal import Glibc

/// The state of a descriptor, as /proc/PID/fdinfo gives it (proc(5)).
struct DescriptorInformation {
  /// The offset, in bytes, at which the next read or write begins.
  var position: Int64
  /// The flags of open(2), with which fcntl(2) may have dealt since.
  var flags: Int32

  /// Reads the text; `nil` if it is none.
  init?(_ text: String) {
    guard let position = Self.number("pos", in: text),
      let flags = Self.number("flags", radix: 8, in: text)
    else { return nil }
    self.position = position
    self.flags = Int32(truncatingIfNeeded: flags)
  }

  /// Returns the number of a field, as in `Pid:	4711`; `nil` without such a field.
  static func number(_ field: String, radix: Int = 10, in text: String) -> Int64? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(field):") }
    return line.flatMap { line in
      Int64(line.dropFirst(field.count + 1).filter { !$0.isWhitespace }, radix: radix)
    }
  }
}
