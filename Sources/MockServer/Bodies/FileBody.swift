internal import Foundations
import Glibc
internal import NIOCore

/// A part of an open file.
struct FileBody {
  /// The reason why a file cannot be sent.
  struct ReadError: Error {
    let message: String
  }

  /// An open file, closed with its last reference.
  private final class OpenFile {
    let descriptor: Int32

    init(descriptor: Int32) {
      self.descriptor = descriptor
    }

    deinit {
      close(descriptor)
    }
  }

  private let file: OpenFile
  private let path: String
  private var range: Range<Int>

  /// Opens a regular file.
  ///
  /// - Parameter name: what messages call it; `nil` for the path.
  init(path opened: String, name: String? = nil) throws(ReadError) {
    let path = name ?? opened
    let descriptor = open(opened, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    file = OpenFile(descriptor: descriptor)
    self.path = path
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ReadError(message: "\"\(path)\" is not a regular file")
    }
    range = 0..<max(0, Int(status.st_size))
  }

  /// The bytes that are left.
  var length: Int { range.count }

  /// A part of the part.
  func part(_ part: Range<Int>) -> FileBody {
    var other = self
    let start = range.lowerBound + part.lowerBound
    other.range = Range(uncheckedBounds: (start, start + part.count)).clamped(to: range)
    return other
  }

  /// Reads at most so many bytes off the front; empty at the end.
  mutating func next(_ maximum: Int) throws(ReadError) -> ByteBuffer {
    let wanted = min(maximum, range.count)
    var buffer = ByteBuffer()
    while buffer.readableBytes < wanted {
      let offset = range.lowerBound + buffer.readableBytes
      let missing = wanted - buffer.readableBytes
      var code: Int32 = 0
      let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { space in
        let count = pread(file.descriptor, space.baseAddress, missing, off_t(offset))
        code = count < 0 ? errno : 0
        return max(0, count)
      }
      if code == EINTR { continue }
      guard code == 0 else { throw Self.failure(path, code) }
      guard count > 0 else {
        throw ReadError(message: "\"\(path)\" was truncated while it was read")
      }
    }
    range = (range.lowerBound + wanted)..<range.upperBound
    return buffer
  }

  private static func failure(_ path: String, _ code: Int32) -> ReadError {
    ReadError(message: "\"\(path)\" cannot be read: \(SystemText.error(code))")
  }
}
