internal import Glibc

/// A file from which random numbers are read.
enum RandomFile: Equatable {
  /// /dev/random or /dev/urandom, under whatever name (random(4)).
  case device
  /// /proc/sys/kernel/random/uuid: another UUID at each read from its beginning.
  case identifiers

  /// Finds the kind of the file at a path, seen from this process; `nil` if it is another file, or
  /// none.
  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFCHR where Self.devices.contains(status.st_rdev):
      self = .device
    case S_IFREG where status.st_size == 0 && status.st_blocks == 0:
      // Numbers of inodes in /proc/sys come and go; the name stays.
      guard let name = Self.realName(path), name.hasSuffix("/sys/kernel/random/uuid") else {
        return nil
      }
      self = .identifiers
    default:
      return nil
    }
  }

  /// Finds the kind of the file that a descriptor of a thread leads to.
  init?(descriptor: Int32, of thread: ThreadIdentifier) {
    self.init(at: "/proc/\(thread.number)/fd/\(descriptor)")
  }

  /// Major 1, minors 8 and 9, as `linux/major.h` and random(4) have them.
  private static let devices: [dev_t] = [0x108, 0x109]

  private static func realName(_ path: String) -> String? {
    if path.contains("/fd/"), let link = SmallFile.link(path) { return link }
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
