/// Something that the target is about to do with a file or folder, by the path that the kernel will know it by.
package enum FileTouch: Sendable, Hashable {
  /// It asks about a file.
  case look(String)
  /// It opens a file to read it.
  case read(String)
  /// It opens a file to write it, or makes it; `keepsContent` unless what is in it goes.
  case write(String, keepsContent: Bool)
  /// It opens a folder.
  case list(String)
  /// It asks about a folder, or goes there.
  case enter(String)
  /// It makes a folder.
  case makeFolder(String)
  /// It removes a name.
  case remove(String)
  /// It gives a file or folder another name in place of its own, or has two change places.
  case move(from: String, to: String, exchanges: Bool)
  /// It gives a file one more name.
  case link(from: String, to: String)
  /// It runs a program.
  case run(String)
  /// It goes through a symbolic link, or asks about one.
  case follow(String)
  /// It gives a file other permission bits.
  case changeMode(String)
}

/// Who is told what the target does with files.
package struct FileWatch: Sendable {
  /// Told on the supervisor's thread, at the entry of the call: the file is as it was before.
  package var sight: @Sendable (FileTouch) -> Void

  /// Creates a watch.
  package init(sight: @escaping @Sendable (FileTouch) -> Void) {
    self.sight = sight
  }
}
