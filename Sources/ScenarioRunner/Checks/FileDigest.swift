internal import Cryptography
internal import Foundations
internal import Glibc

/// The SHA-256 of files, however long they are.
package enum FileDigest {
  /// The digest of a regular file's bytes, in lower-case hexadecimal digits; a link to one is followed.
  package static func sha256(of path: String) throws(FileReadError) -> String {
    // Without O_NONBLOCK, opening a FIFO waits for a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errorNumber: errno) }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor) else { throw .system(errorNumber: errno) }
    guard status.isRegular else { throw .notRegular }
    guard status.size <= limit else { throw .tooLarge(limit: limit) }
    var digest = SecureDigest()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errorNumber: errno) }
      guard count > 0 else { break }
      digest.update(buffer[..<count])
    }
    return digest.text
  }

  /// The largest file that is read, in bytes: one of holes alone could be of any length.
  private static let limit = 4 << 30
}
