internal import Foundations
internal import Glibc
internal import ScenarioEvents

/// A case's own folders: the working directory, a home, a place for temporary files.
struct CaseDirectory {
  /// The folder that holds the others.
  let root: String
  /// The target's working directory: `${{ dir }}`.
  var work: String { root + "/work" }
  /// The target's HOME.
  var home: String { root + "/home" }
  /// The target's TMPDIR.
  var temporary: String { root + "/tmp" }

  /// The target's XDG_RUNTIME_DIR.
  ///
  /// Programs make the other folders of the XDG base directory specification as they need them;
  /// this one must exist.
  var runtime: String { home + "/.run" }

  /// The name of the folder that holds the others.
  let name: String

  /// The pool that the folders go back to if they are untouched.
  private let pool: DirectoryPool
  /// The fingerprints that show whether a folder is untouched.
  private let marks: [FolderFingerprint?]

  /// Makes the folders, or takes those of a case that has left them untouched.
  init(_ name: String, in folder: String, pool: DirectoryPool) throws(Failure) {
    self.name = name
    self.pool = pool
    root = "\(folder)/\(name)"
    let names = [
      root: ["work", "home", "tmp"], "\(root)/work": [], "\(root)/home": [".run"],
      "\(root)/tmp": [], "\(root)/home/.run": [],
    ]
    let folders = names.keys.sorted()
    if pool.place(at: root) {
      for folder in folders { utimensat(AT_FDCWD, folder, nil, AT_SYMLINK_NOFOLLOW) }
    } else {
      for folder in folders where mkdir(folder, 0o700) != 0 {
        throw Failure.system("cannot create \"\(folder)\"")
      }
    }
    marks = folders.map { FolderFingerprint($0, holding: Set(names[$0] ?? [])) }
  }

  /// The folder that a path names by a variable, and what the path begins with for it; `nil` if it names none.
  func place(of path: String) -> (folder: String, prefix: String)? {
    [(home, "$HOME/"), (temporary, "$TMPDIR/")].first { path.hasPrefix($0.1) }
  }

  /// Removes everything, or hands on what is as it was made.
  func remove() {
    if marks.allSatisfy({ $0?.isUntouched ?? false }), pool.take(root) { return }
    // Most targets leave nothing: then folder by folder is all there is to do.
    for folder in [work, runtime, home, temporary, root] where rmdir(folder) != 0 {
      FileTree.remove(root)
      return
    }
  }
}

extension Failure {
  /// The failure of a system call, with the text of errno behind the message.
  static func system(_ message: String, errorNumber: Int32 = errno) -> Failure {
    Failure(
      category: .error, type: "System",
      message: "\(message): \(SystemText.error(errorNumber))")
  }
}
