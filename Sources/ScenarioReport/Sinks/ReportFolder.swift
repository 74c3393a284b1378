internal import Glibc

/// A folder that reports are written to, a file each.
package struct ReportFolder: Sendable {
  private let root: String

  /// Makes the folder, with those that lead to it.
  ///
  /// - Throws: If it cannot be made or written to.
  package init(path: String) throws(ReportError) {
    var root = path
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    self.root = root
    // A file that is made and taken away again tells more than permissions do.
    _ = try FileSink(path: "\(root)/.scenario-report")
  }

  /// Returns whether a report's path means a folder: it ends in `/`, or is one already.
  package static func isMeant(by path: String) -> Bool {
    var status = stat()
    return path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
  }

  /// The path of a file in it.
  func path(of name: String) -> String { "\(root)/\(name)" }
}
