internal import Glibc

/// Files of /proc and /sys: small, and whole in one read.
enum SmallFile {
  /// The file's text; `nil` if it cannot be read.
  static func read(_ path: String) -> String? {
    bytes(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The file's bytes; `nil` if it cannot be read.
  static func bytes(_ path: String) -> [UInt8]? {
    // Nobody waits for the other end of a pipe that a target has put in such a place.
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
    let descriptor = ProcessOwner.retrying(path) { open(path, flags) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    let chunk = 8192
    while true {
      let bytes = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, chunk))
      }
      guard !bytes.isEmpty else { break }
      text += bytes
    }
    return text
  }

  /// A field of hexadecimal digits in a file of such lines (proc(5): /proc/PID/status); `nil` if there is
  /// none.
  static func signalMask(_ field: String, in path: String) -> UInt64? {
    signalMasks([field], in: path)?.first
  }

  /// Reads several such fields, all as of one moment; `nil` if one is missing.
  static func signalMasks(_ fields: [String], in path: String) -> [UInt64]? {
    guard let lines = read(path)?.split(separator: "\n") else { return nil }
    let masks = fields.compactMap { field in
      lines.first { $0.hasPrefix(field) }.flatMap {
        UInt64($0.dropFirst(field.count).filter(\.isHexDigit), radix: 16)
      }
    }
    return masks.count == fields.count ? masks : nil
  }

  /// The names in a folder, but for those that begin with a dot; none if it cannot be read.
  static func names(in folder: String) -> [String] {
    FolderEntries.texts(in: folder).filter { !$0.hasPrefix(".") }
  }

  /// Returns the path that a symbolic link leads to; `nil` if it cannot be read.
  static func link(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      let count = ProcessOwner.retrying(path) {
        buffer.baseAddress.map { readlink(path, $0, buffer.count) } ?? 0
      }
      guard count > 0 else { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]),
        as: UTF8.self)
    }
  }
}
