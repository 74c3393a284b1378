/// An operation that the target is about to do on a file or folder, by the path that the kernel
/// will use.
package enum FileTouch: Sendable, Hashable {
  /// Reads a file's metadata.
  case look(String)
  /// Opens a file to read it.
  case read(String)
  /// Opens a file to write it, or makes it; `keepsContent` unless the call truncates it.
  case write(String, keepsContent: Bool)
  /// Opens a folder.
  case list(String)
  /// Reads a folder's metadata, or changes to it.
  case enter(String)
  /// Makes a folder.
  case makeFolder(String)
  /// Removes a name.
  case remove(String)
  /// Renames a file or folder, or has two exchange their names.
  case move(from: String, to: String, exchanges: Bool)
  /// Gives a file one more name.
  case link(from: String, to: String)
  /// Runs a program.
  case run(String)
  /// Follows a symbolic link, or reads its metadata.
  case follow(String)
  /// Changes a file's permission bits.
  case changeMode(String)
}

/// The receiver of the target's operations on files.
package struct FileWatch: Sendable {
  /// Receives an operation, on the supervisor's thread, at the entry of the call: the file is as it
  /// was before.
  package var sight: @Sendable (FileTouch) -> Void

  /// Creates a watch.
  package init(sight: @escaping @Sendable (FileTouch) -> Void) {
    self.sight = sight
  }
}
