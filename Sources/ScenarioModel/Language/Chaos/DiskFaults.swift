package import Foundations

/// The fault of a disk.
package enum DiskFault: Sendable, Hashable, Codable {
  /// `full`: no byte more, also none of those that are given back.
  case full
  /// `{ free: 10MiB }`: so many bytes more; what is deleted gives room.
  case free(Int64)
  /// `{ quota: 1MiB }`: likewise, and the error is another.
  case quota(Int64)
  /// `read_only`: nothing can be changed.
  case readOnly
}

/// The fate, when a machine crashes, of names of files that no `fsync` of their folder covers, and
/// of lengths that no `fsync` of the file covers.
package enum NameLoss: String, Sendable, Hashable, Codable, CaseIterable {
  /// Names are as they were at the crash, and so are lengths that were set (truncate(2), O_TRUNC of open(2),
  /// fallocate(2)), while the bytes are lost.
  case kept
  /// Names that were made, renamed or deleted, and lengths that were changed, are restored.
  case lost
}

/// `lose: unsynced`, and the keys beside it.
package struct UnsyncedLoss: Sendable {
  /// `files:` globs; none for what is in the case's directory, or on the entry's disk.
  package var files: [Located<String>]
  /// `metadata:` the loss of names.
  package var names: NameLoss
  /// The same as an expression, whose value the row of a matrix decides.
  package var nameExpression: DataNode?
  /// `torn:` how many bytes of the last write arrive all the same.
  package var torn: Int?

  /// Creates a loss.
  package init(files: [Located<String>] = [], names: NameLoss = .kept, torn: Int? = nil) {
    self.files = files
    self.names = names
    self.torn = torn
  }
}
