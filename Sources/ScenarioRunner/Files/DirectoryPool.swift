internal import Foundations
internal import Glibc
internal import Synchronization

/// The folders of cases that are over and have left nothing in them, for cases that come.
///
/// To make five folders and to remove them takes as long as all the rest of a small case, and
/// longer on file systems that report each block they free to the disk (`discard` of ext4(5)). Only
/// untouched folders are handed on, so that each case finds its folders as if they had just been
/// made.
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

  /// Stores the folder of a finished case; returns false if it could not be moved here.
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

/// The fingerprint of an untouched folder.
///
/// Any change in a folder, or of its attributes, changes the time of its last change (inode(7)),
/// which no program can set. Where that time is as coarse as the kernel's tick, two changes may
/// share it: so the folder's entries and owner are compared as well.
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
