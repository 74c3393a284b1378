internal import ScenarioModel

/// What tells whether a file is still what it was.
public enum FileMark: Sendable, Hashable {
  /// There is none, or it cannot be read.
  case absent
  /// Its bytes have this SHA-256.
  case digest(String)
  /// It is large: its number, its size and when it was written.
  case large(inode: UInt64, size: Int, modified: Int64)

  /// Larger files are not read to see whether they are the same.
  private static let digestLimit = 16 << 20

  /// Looks at what stands at a path.
  public init(path: String) {
    guard let status = FileStatus(path: path), status.isRegular else {
      self = .absent
      return
    }
    guard status.size <= Self.digestLimit else {
      self = .large(
        inode: status.inode, size: status.size, modified: status.modified.count)
      return
    }
    self = (try? FileDigest.sha256(of: path)).map { .digest($0) } ?? .absent
  }
}
