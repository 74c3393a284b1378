internal import Glibc

/// Names that were made, removed and changed, and that no `fsync` of their folders has made durable.
struct NameLog {
  /// One change.
  struct Entry {
    /// What was done.
    enum Change {
      case made(isFolder: Bool)
      case removed(PinnedFile)
      /// Moved to a name, where something may have stood.
      case moved(folder: PinnedFile, name: [UInt8], replaced: PinnedFile?)
      case exchanged(folder: PinnedFile, name: [UInt8])
    }

    var number: Int
    var folder: PinnedFile
    var name: [UInt8]
    var path: String
    var change: Change

    /// The folder that must be made durable.
    fileprivate var decisiveFolder: PinnedFile {
      switch change {
      case .made, .removed: folder
      case .moved(let target, _, _), .exchanged(let target, _): target
      }
    }
  }

  private(set) var entries: [Entry] = []
  private var lastNumber = 0

  /// The number of the change that came last.
  var mark: Int { lastNumber }

  mutating func add(
    _ change: Entry.Change, in folder: PinnedFile, _ name: [UInt8], path: String
  ) {
    lastNumber += 1
    entries.append(
      Entry(number: lastNumber, folder: folder, name: name, path: path, change: change))
  }

  /// A folder has been made durable as it was at a mark; `nil` for all.
  mutating func endSync(of folder: FileIdentity?, mark: Int) {
    entries.removeAll { entry in
      guard entry.number <= mark else { return false }
      guard let folder else { return true }
      return entry.decisiveFolder.status.map { FileIdentity($0) } == folder
    }
  }

  mutating func removeAll() { entries = [] }

  // MARK: - The crash

  /// Undoes changes, the last one first.
  ///
  /// - Parameter isMeant: whether a path is among those that lose something.
  func undo(_ isMeant: (String) -> Bool) {
    for entry in entries.reversed() where isMeant(entry.path) {
      switch entry.change {
      case .made(let isFolder):
        Self.call(entry.name) {
          _ = unlinkat(entry.folder.descriptor, $0, isFolder ? AT_REMOVEDIR : 0)
        }
      case .removed(let file):
        Self.putBack(file, in: entry.folder, entry.name)
      case .moved(let folder, let name, let replaced):
        Self.call(name) { new in
          Self.call(entry.name) { old in
            _ = renameat(folder.descriptor, new, entry.folder.descriptor, old)
          }
        }
        if let replaced { Self.putBack(replaced, in: folder, name) }
      case .exchanged(let folder, let name):
        Self.call(name) { new in
          Self.call(entry.name) { old in
            Self.exchange(folder, new, entry.folder, old)
          }
        }
      }
    }
  }

  /// Gives a file that was removed its name back: itself where it has another one, else a copy.
  private static func putBack(_ file: PinnedFile, in folder: PinnedFile, _ name: [UInt8]) {
    guard let status = file.status else { return }
    call(name) { name in
      if status.isFolder {
        _ = mkdirat(folder.descriptor, name, status.st_mode & 0o7777)
      } else if status.st_nlink > 0 {
        _ = linkat(
          AT_FDCWD, "/proc/self/fd/\(file.descriptor)", folder.descriptor, name,
          Int32(AT_SYMLINK_FOLLOW))
      } else if status.isLink {
        var text = [CChar](repeating: 0, count: 4097)
        // readlinkat(2): an empty path means the link itself.
        guard readlinkat(file.descriptor, "", &text, 4096) > 0 else { return }
        _ = symlinkat(text, folder.descriptor, name)
      } else if status.isRegular {
        copy(file, status, to: folder, name)
      }
    }
  }

  private static func copy(
    _ file: PinnedFile, _ status: stat, to folder: PinnedFile, _ name: UnsafePointer<CChar>
  ) {
    let source = file.reopen(O_RDONLY)
    let mode = status.st_mode & 0o7777
    let target = openat(
      folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0o200)
    defer {
      if source >= 0 { close(source) }
      if target >= 0 { close(target) }
    }
    guard source >= 0, target >= 0 else { return }
    while sendfile(target, source, nil, 1 << 20) > 0 {}
    fchmod(target, mode)
  }

  /// By way of a third name, as nobody looks meanwhile.
  private static func exchange(
    _ folder: PinnedFile, _ name: UnsafePointer<CChar>, _ other: PinnedFile,
    _ otherName: UnsafePointer<CChar>
  ) {
    let third = ".exchanged-\(getpid())"
    guard renameat(folder.descriptor, name, folder.descriptor, third) == 0 else { return }
    _ = renameat(other.descriptor, otherName, folder.descriptor, name)
    _ = renameat(folder.descriptor, third, other.descriptor, otherName)
  }

  private static func call(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Void) {
    (name + [0]).withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      body(start)
    }
  }
}
