internal import Glibc
internal import ScenarioEvents

/// A file system that is full, in which programs fail for want of space.
struct DiskShortage: Equatable {
  /// The folder whose file system it is.
  let folder: String
  /// The number of bytes that can still be written.
  let freeBytes: UInt64
  /// The number of files that can still be made; `nil` if the file system has no bound.
  let freeFiles: UInt64?

  /// Less than a few blocks are no space: file systems keep some for what is about files.
  private static let leastBytes: UInt64 = 64 << 10

  /// Looks at the file system of a folder; `nil` if it has space, or cannot be asked.
  init?(of folder: String) {
    var fileSystem = statvfs()
    // File systems without blocks, such as those of a network, have no number of free ones either.
    guard statvfs(folder, &fileSystem) == 0, fileSystem.f_blocks > 0 else { return nil }
    // statvfs(3): some blocks are kept for root.
    let blocks = geteuid() == 0 ? fileSystem.f_bfree : fileSystem.f_bavail
    let (bytes, overflow) = UInt64(blocks).multipliedReportingOverflow(
      by: UInt64(fileSystem.f_frsize))
    self.folder = folder
    freeBytes = overflow ? .max : bytes
    freeFiles = fileSystem.f_files == 0 ? nil : UInt64(fileSystem.f_favail)
    guard freeBytes < Self.leastBytes || freeFiles == 0 else { return nil }
  }

  /// A line about it.
  var text: String {
    "the file system of the case's folder, \"\(folder)\", is full: \(freeBytes) bytes free"
      + (freeFiles == 0 ? ", no inode free" : "")
  }
}

extension Failure {
  /// Returns the failure with the full disk that it may come from.
  func with(_ shortage: DiskShortage?) -> Failure {
    guard let shortage else { return self }
    var copy = self
    copy.details.append(shortage.text)
    copy.help = "make room there, or set TMPDIR to a folder with more space"
    return copy
  }
}
