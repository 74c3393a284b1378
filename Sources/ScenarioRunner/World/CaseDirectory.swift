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

  /// Makes the folders.
  init(root: String) throws(Failure) {
    self.root = root
    for folder in [root, work, home, temporary] {
      guard mkdir(folder, 0o700) == 0 else { throw Failure.system("cannot create \"\(folder)\"") }
    }
  }

  /// Removes everything.
  func remove() {
    FileTree.remove(root)
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

/// Texts that the system has for its numbers.
enum SystemText {
  /// The text of an errno (strerror(3)), in English whatever the locale, as no locale is set.
  static func error(_ number: Int32) -> String {
    String(cString: strerror(number))
  }
}
