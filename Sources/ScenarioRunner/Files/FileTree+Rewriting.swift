internal import Foundations
internal import Glibc

extension FileTree {
  /// Replaces a file's content at one moment.
  ///
  /// A reader sees it as it was or as it is to be. Its mode and owner stay, and a symbolic link
  /// stays one.
  ///
  /// - Throws: If the file system refuses; the file is then as it was, and nothing is left beside
  ///   it.
  package static func rewrite(_ path: String, with bytes: [UInt8]) throws(FileReadError) {
    guard let resolved = realpath(path, nil) else { throw .system(errorNumber: errno) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    guard let status = FileStatus(path: target) else { throw .system(errorNumber: errno) }
    var template = Array("\(target).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw .system(errorNumber: errno) }
    let partial = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var code = writeAll(bytes, to: descriptor)
    // Only root may give a file away; others keep what they own.
    _ = fchown(descriptor, status.owner, status.group)
    if code == 0, fchmod(descriptor, mode_t(status.permissions)) != 0 { code = errno }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    close(descriptor)
    if code == 0, rename(partial, target) != 0 { code = errno }
    guard code != 0 else { return }
    unlink(partial)
    throw .system(errorNumber: code)
  }

  /// Writes everything; the errno that ends it early, or 0.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}
