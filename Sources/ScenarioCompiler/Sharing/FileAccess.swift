/// The queries on the machine about files that others use.
package struct FileAccess: Sendable {
  /// The result of reading a file.
  package enum Content: Sendable {
    /// Its bytes.
    case bytes([UInt8])
    /// The reason why it cannot be read: lower case, no full stop.
    case problem(String)
  }

  /// Reads a file.
  package var read: @Sendable (String) -> Content
  /// The absolute path without links, `.` and `..` (realpath(3)); `nil` if there is nothing.
  package var canonicalPath: @Sendable (String) -> String?

  /// Creates the two questions.
  package init(
    read: @escaping @Sendable (String) -> Content,
    canonicalPath: @escaping @Sendable (String) -> String?
  ) {
    self.read = read
    self.canonicalPath = canonicalPath
  }
}
