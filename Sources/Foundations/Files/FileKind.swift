/// The kind of node at a path.
package enum FileKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// A regular file.
  case file
  /// A folder.
  case folder
  /// A symbolic link.
  case link = "symlink"
  /// A fifo, a socket or a device.
  case other
}
