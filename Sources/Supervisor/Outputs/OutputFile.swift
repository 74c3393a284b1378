internal import Foundations
internal import Glibc
internal import Patterns

/// A file without a name that holds a stream which is too long for the memory; gone with the last who holds it.
final class OutputFile: @unchecked Sendable {
  /// The reason why the file could not be made.
  struct CreationError: Error {
    /// An errno.
    let number: Int32
  }

  // Written by one thread only, behind what others read.
  private let descriptor: Int32

  /// Makes it in a folder.
  ///
  init(in folder: String) throws(CreationError) {
    // O_TMPFILE of asm-generic/fcntl.h: 020000000 with O_DIRECTORY; not every file system has it (open(2)).
    var descriptor = open(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor < 0, [EOPNOTSUPP, EISDIR, ENOENT, EINVAL].contains(errno) {
      var template = Array("\(folder)/.scenario-output-XXXXXX".utf8CString)
      descriptor = mkstemp(&template)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
      }
    }
    guard descriptor >= 0 else { throw CreationError(number: errno) }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Writes bytes at a place; the errno of what failed, or `nil`.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32? {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      if count > 0 {
        done += count
      } else if count == 0 {
        return ENOSPC
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// Reads the bytes of a range; the errno of what failed is thrown.
  func read(_ range: Range<Int>) throws(LongTextError) -> [UInt8] {
    var failed: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, range.count - count,
          off_t(range.lowerBound + count))
        if got > 0 {
          count += got
        } else if got == 0 || errno != EINTR {
          failed = got == 0 ? EIO : errno
          return
        }
      }
    }
    if let failed {
      throw LongTextError("cannot be read back: \(SystemText.error(failed))")
    }
    return bytes
  }
}
