internal import Glibc

/// What fstat(2) says of an open file.
///
/// It stands on this floor because `struct stat` cannot be named wherever Foundation's C module is linked
/// statically: there the compiler takes it for that module's.
public struct FileStatus: Sendable, Hashable {
  /// Whether it is a file with content of its own: no folder, device, FIFO or socket.
  public let isRegular: Bool
  /// How many bytes it says it holds.
  public let size: Int

  /// Asks for an open file; `nil`, with errno set, if there is no answer.
  public init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    isRegular = status.st_mode & S_IFMT == S_IFREG
    size = Int(status.st_size)
  }
}
