internal import Foundations

/// Identifies the content of a file without reading it again.
package enum FileFingerprint: Sendable, Hashable {
  /// No file, or one that cannot be read.
  case absent
  /// A file with this SHA-256, and whether anyone may execute it.
  case digest(String, isExecutable: Bool)
  /// A large file: its number, its size, its modification time, and whether anyone may execute it.
  case large(inode: UInt64, size: Int, modified: Int64, isExecutable: Bool)

  /// Larger files are not read to see whether they are the same.
  private static let digestLimit = 16 << 20

  /// Reads the fingerprint of the file at a path.
  package init(path: String) {
    guard let status = FileStatus(path: path), status.isRegular else {
      self = .absent
      return
    }
    let isExecutable = status.permissions & 0o111 != 0
    guard status.size <= Self.digestLimit else {
      self = .large(
        inode: status.inode, size: status.size, modified: status.modified.count,
        isExecutable: isExecutable)
      return
    }
    let digest = try? FileDigest.sha256(of: path)
    self = digest.map { .digest($0, isExecutable: isExecutable) } ?? .absent
  }
}
