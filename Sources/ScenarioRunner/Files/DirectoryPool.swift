internal import Foundations
internal import Glibc
internal import Synchronization

/// The folders of cases that are over and have left nothing in them, for cases that come.
///
/// To make five folders and to remove them takes as long as all the rest of a small case, and longer on file
/// systems that tell the disk of each block they free (`discard` of ext4(5)). Only what nobody has
/// touched is handed on, so that each case finds its folders as if they had just been made.
final class DirectoryPool: Sendable {
  private struct State {
    var spares: [String] = []
    var count = 0
  }

  private let state = Mutex(State())
  private let folder: String

  /// A stock that keeps its folders in another one.
  init(in folder: String) {
    self.folder = folder
  }

  /// Moves a spare folder to where a case wants it; false if there is none.
  func place(at root: String) -> Bool {
    guard let spare = state.withLock({ $0.spares.popLast() }) else { return false }
    guard rename(spare, root) == 0 else {
      FileTree.remove(spare)
      return false
    }
    return true
  }

  /// Takes the folder of a case that is over; false if it could not be moved here.
  func take(_ root: String) -> Bool {
    let spare = state.withLock { state in
      state.count += 1
      return "\(folder)/spare-\(state.count)"
    }
    guard rename(root, spare) == 0 else { return false }
    state.withLock { $0.spares.append(spare) }
    return true
  }
}

/// What tells a folder that nobody has touched from any other.
///
/// Whatever happens to a folder, in it or to its attributes, changes the time of its last change (inode(7)), which
/// nobody can set. Where that time is as coarse as the kernel's tick, two changes may share it: so
/// what stands in the folder, and whose it is, is looked at as well.
struct FolderFingerprint {
  private let path: String
  private let names: Set<String>
  private let changed: Nanoseconds
  private let inode: UInt64

  /// Marks a folder that holds these entries and no others; `nil` if it is not as it is when it has just been made.
  init?(_ path: String, holding names: Set<String>) {
    guard let status = Self.untouched(path) else { return nil }
    self.path = path
    self.names = names
    changed = status.changed
    inode = status.inode
  }

  /// True if nothing has happened to the folder since.
  var isUntouched: Bool {
    guard let status = Self.untouched(path), status.inode == inode, status.changed == changed
    else { return false }
    return Set(FileTree.entries(of: path).map(\.name)) == names
  }

  private static func untouched(_ path: String) -> FileStatus? {
    guard let status = FileStatus(entry: path), status.kind == .folder, status.permissions == 0o700,
      status.owner == geteuid()
    else { return nil }
    return status
  }
}
