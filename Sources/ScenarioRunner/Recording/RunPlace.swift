internal import Foundations
internal import Glibc
internal import ScenarioEvents

/// The place of a watched run's folders: the usual one, or one that has nothing in common with it.
///
/// What a run shows only in one of them depends on where the folders lie.
struct RunPlace {
  /// The folder in which the case's own is made.
  let path: String
  /// The number of the case.
  let caseNumber: Int
  /// The folder that is removed with all that is in it.
  private let folder: TemporaryFolder

  /// Makes a folder in the usual place.
  ///
  /// - Parameter parent: The folder for temporary files.
  init(in parent: String) throws(Failure) {
    folder = try TemporaryFolder(in: parent)
    path = folder.path
    caseNumber = 1
  }

  /// Makes a folder in another place.
  ///
  /// - Parameter usual: The folder for temporary files.
  init(besides usual: String) throws(Failure) {
    caseNumber = 27
    let place = FileTree.canonicalPath(usual) ?? usual
    for candidate in ["/var/tmp", "/dev/shm", "/tmp"] {
      guard Self.isFit(candidate), !Self.areRelated(candidate, place),
        let folder = try? TemporaryFolder(in: candidate)
      else { continue }
      self.folder = folder
      path = folder.path
      return
    }
    folder = try TemporaryFolder(in: usual)
    path = folder.path + "/elsewhere"
    guard mkdir(path, 0o700) == 0 else { throw Failure.system("cannot create \"\(path)\"") }
  }

  /// Removes all that is in it.
  func remove() {
    _ = FileTree.remove(folder.path)
  }

  /// Returns whether programs can be written to a folder, and run from there.
  private static func isFit(_ folder: String) -> Bool {
    access(folder, W_OK | X_OK) == 0
      && MountFlags(of: folder)?.isDisjoint(with: [.readOnly, .noExecution]) ?? false
  }

  /// Returns whether one folder is the other, or lies in it.
  private static func areRelated(_ one: String, _ other: String) -> Bool {
    (one + "/").hasPrefix(other + "/") || (other + "/").hasPrefix(one + "/")
  }
}
