internal import Glibc

/// The properties by which a file, its content included, is recognized as unchanged (stat(2)).
struct FileVersion: Hashable, Sendable {
  private let device: UInt
  private let number: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// The version of a file by what stat(2) says of it.
  init(_ file: stat) {
    device = UInt(file.st_dev)
    number = UInt(file.st_ino)
    size = Int(file.st_size)
    seconds = file.st_mtim.tv_sec
    nanoseconds = file.st_mtim.tv_nsec
  }
}
