internal import Foundations

/// The folder out of which `include:` does not lead.
struct ProjectRoot: Hashable {
  /// The files that mark a project's folder.
  private static let marks = ["scenario.yml", ".scenario/config.yml", ".git"]
  /// The folder that explorations write to, one level below the files that they explored.
  private static let explored = "__explored__"

  /// The folder, absolute and without links.
  let folder: String
  /// A folder that is allowed as well, likewise.
  let widened: String?

  /// Finds the nearest folder of a project above a file; where there is none, it is the file's own.
  init(of file: String, widened: String?, _ access: FileAccess) {
    self.widened = widened
    let named = PathText.folder(of: file)
    let home = access.canonicalPath(named.isEmpty ? "." : named) ?? named
    var candidate = home
    while true {
      let prefix = candidate == "/" ? "/" : candidate + "/"
      if Self.marks.contains(where: { access.canonicalPath(prefix + $0) != nil }) {
        folder = candidate
        return
      }
      guard candidate.hasPrefix("/"), candidate != "/" else { break }
      candidate = PathText.folder(of: candidate)
    }
    folder = home.hasSuffix("/\(Self.explored)") ? PathText.folder(of: home) : home
  }

  /// Returns whether a path, absolute and without links, is below the folder.
  func holds(_ path: String) -> Bool {
    [folder, widened].contains { root in
      guard let root else { return false }
      return root == "/" || path.hasPrefix(root + "/")
    }
  }
}
