import Glibc

/// The bytes of a file that a reply carries.
enum ReplyBody {
  /// Why a file cannot be sent.
  struct ReadError: Error {
    let message: String
  }

  /// Reads a whole file.
  static func read(path: String) throws(ReadError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ReadError(message: "\"\(path)\" is not a regular file")
    }
    guard status.st_size <= HTTPLimits.maximumReplyFile else {
      throw ReadError(
        message: "\"\(path)\" is larger than \(HTTPLimits.maximumReplyFile) bytes")
    }
    return try read(descriptor, count: Int(status.st_size), path: path)
  }

  private static func read(
    _ descriptor: Int32, count: Int, path: String
  ) throws(ReadError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let length = Glibc.read(descriptor, base + filled, count - filled)
        if length < 0, errno == EINTR { continue }
        if length < 0 { code = errno }
        guard length > 0 else { break }
        filled += length
      }
    }
    guard code == 0 else { throw failure(path, code) }
    return bytes
  }

  private static func failure(_ path: String, _ code: Int32) -> ReadError {
    ReadError(message: "\"\(path)\" cannot be read: \(String(cString: strerror(code)))")
  }
}
