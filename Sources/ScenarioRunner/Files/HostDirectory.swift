internal import Supervisor

/// A folder in which a target runs for real: its own, with what is in it.
struct HostDirectory: Sendable {
  /// The folder's path from the root, without symbolic links.
  let folder: String
  /// The receiver of the target's operations on files.
  let watch: FileWatch
}
