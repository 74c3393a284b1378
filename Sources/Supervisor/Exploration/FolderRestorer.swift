internal import Foundations
internal import Glibc

/// Puts the entries of watched folders back where they were, and what they hold.
struct FolderRestorer {
  private let state: WatchedFolders.State
  private let held: [WatchedFolders.Inode: String]
  /// The inodes in place of the former ones, which may be lost.
  private var inodes: [String: WatchedFolders.Inode]
  private var moves = 0
  /// The names of entries that were moved aside.
  private var asideNames: Set<String> = []
  /// The folders in which anything has been moved, removed or made.
  private(set) var changedFolders: Set<WatchedFolders.Inode> = []

  init(state: WatchedFolders.State, held: [WatchedFolders.Inode: String]) {
    self.state = state
    self.held = held
    inodes = state.entries.mapValues(\.inode)
  }

  /// Returns whether an entry is new, another one or missing.
  func needsRound(_ entries: [String: WatchedFolders.Entry]) -> Bool {
    entries.count != inodes.count || entries.contains { inodes[$0.key] != $0.value.inode }
  }

  /// Moves what has been moved, removes what is new, makes what is lost; why that was not possible.
  mutating func round(_ entries: [String: WatchedFolders.Entry]) -> String? {
    for path in Set(entries.keys).union(inodes.keys) where inodes[path] != entries[path]?.inode {
      let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
      for inode in [inodes[String(folder)], entries[String(folder)]?.inode] {
        if let inode { changedFolders.insert(inode) }
      }
    }
    let homes = Dictionary(inodes.map { ($0.value, $0.key) }) { first, _ in first }
    // What stands where it did not: those that are farther down go first, with what they hold.
    for (path, entry) in entries.sorted(by: { $0.key > $1.key }) where inodes[path] != entry.inode {
      let home = homes[entry.inode]
      let isAtHome = home.flatMap { entries[$0] }?.inode == entry.inode
      // One that is held as well: who has it open sees the name that it was moved to (proc(5): /proc/PID/fd).
      if home != nil, !isAtHome {
        if isAside(path) { continue }
        let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        _ = chmodIfNeeded(String(folder))
        guard rename(path, "\(folder)/\(freshName(in: String(folder)))") == 0 else {
          return Self.failure(path)
        }
      } else if entry.isFolder {
        // Not empty while something in it has been moved there.
        _ = chmodIfNeeded(path)
        rmdir(path)
      } else {
        unlink(path)
      }
    }
    return putHome()
  }

  /// A name in a folder that nothing has; a program may have any.
  private mutating func freshName(in folder: String) -> String {
    while true {
      moves += 1
      let name = ".scenario-aside-\(getpid())-\(moves)"
      guard WatchedFolders.entry(at: "\(folder)/\(name)") == nil else { continue }
      asideNames.insert(name)
      return name
    }
  }

  /// Returns whether a path was moved aside, or is in a folder that was.
  private func isAside(_ path: String) -> Bool {
    path.split(separator: "/").contains { asideNames.contains(String($0)) }
  }

  /// Moves the entries aside back to their places, and makes lost ones, folders first.
  private mutating func putHome() -> String? {
    var aside: [WatchedFolders.Inode: String] = [:]
    for root in roots { collect(root, &aside) }
    for (path, entry) in state.entries.sorted(by: { $0.key < $1.key }) {
      guard let inode = inodes[path] else { continue }
      if WatchedFolders.entry(at: path)?.inode == inode { continue }
      // Something else is still in the way; the next round sees to it.
      guard WatchedFolders.entry(at: path) == nil else { continue }
      if let place = aside.removeValue(forKey: inode) {
        // What lay in it has moved with it.
        aside = aside.mapValues { other in
          other.hasPrefix(place + "/") ? path + other.dropFirst(place.count) : other
        }
        guard rename(place, path) == 0 else { return Self.failure(path) }
        continue
      }
      if let name = held[inode] {
        guard link(name, path) == 0 else { return Self.failure(path) }
        continue
      }
      guard make(path, entry) else { return Self.failure(path) }
      if let made = WatchedFolders.entry(at: path) { inodes[path] = made.inode }
    }
    return nil
  }

  private var roots: [String] {
    state.entries.keys.filter { path in
      let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
      return state.entries[String(folder)] == nil
    }
  }

  private func collect(_ folder: String, _ aside: inout [WatchedFolders.Inode: String]) {
    for name in FolderEntries.texts(in: folder) {
      let path = "\(folder)/\(name)"
      guard let entry = WatchedFolders.entry(at: path) else { continue }
      if asideNames.contains(name) { aside[entry.inode] = path }
      if entry.isFolder { collect(path, &aside) }
    }
  }

  private func make(_ path: String, _ entry: WatchedFolders.Entry) -> Bool {
    if entry.isFolder { return mkdir(path, entry.mode & 0o7777 | 0o700) == 0 }
    if entry.isLink {
      return (entry.target + [0]).withUnsafeBytes { buffer in
        // The array is never empty, so it has a first element.
        symlink(
          buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), path) == 0
      }
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, entry.mode & 0o7777)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  private func chmodIfNeeded(_ folder: String) -> Bool {
    access(folder, W_OK | X_OK) == 0 || chmod(folder, 0o700) == 0
  }

  private static func failure(_ path: String) -> String {
    "\"\(path)\" cannot be restored: \(SystemText.error(errno))"
  }

  // MARK: - Contents

  /// Puts bytes, permissions and times back; why that was not possible.
  func restoreContents(
    _ entries: [String: WatchedFolders.Entry],
    _ isUntouched: (String, WatchedFolders.Entry) -> Bool
  ) -> String? {
    // Folders last, and the inner ones before the outer: what is written in them changes their times.
    for (path, entry) in entries.sorted(by: { $0.key > $1.key }) {
      guard let old = state.entries[path] else { continue }
      if entry.isFile, !isUntouched(path, entry) {
        guard let kept = state.contents[path], write(kept.bytes, to: path, entry) else {
          return Self.failure(path)
        }
      }
      if entry.owner != old.owner || entry.group != old.group,
        lchown(path, old.owner, old.group) != 0
      {
        return Self.failure(path)
      }
      // A change of owner may have taken bits away.
      let entry = WatchedFolders.entry(at: path) ?? entry
      if entry.mode != old.mode, !entry.isLink, chmod(path, old.mode & 0o7777) != 0 {
        return Self.failure(path)
      }
      // To put access times back as well would change the time of change, by which tar(1) tells a busy file.
      guard let current = WatchedFolders.entry(at: path),
        !current.modification.isSame(as: old.modification)
      else { continue }
      let times = [old.access, old.modification]
      guard utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0 else {
        return Self.failure(path)
      }
    }
    return nil
  }

  /// Makes a file hold these bytes; one that does already is left alone.
  private func write(_ bytes: [UInt8], to path: String, _ entry: WatchedFolders.Entry) -> Bool {
    if entry.size == bytes.count, WatchedFolders.read(path, size: entry.size) == bytes {
      return true
    }
    var descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    if descriptor < 0, chmod(path, 0o600) == 0 {
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
      _ = chmod(path, entry.mode & 0o7777)
    }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var count = 0
    while count < bytes.count {
      let result = bytes.withUnsafeBytes { buffer in
        pwrite(
          descriptor, buffer.baseAddress.map { $0 + count }, bytes.count - count, off_t(count))
      }
      guard result > 0 else { return false }
      count += result
    }
    return ftruncate(descriptor, off_t(bytes.count)) == 0
  }
}
