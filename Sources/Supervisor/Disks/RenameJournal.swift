internal import Glibc

/// Names that were made, removed and changed, and that no `fsync` of their folders has made durable.
struct RenameJournal {
  /// One change.
  struct Entry {
    /// The change.
    enum Change {
      case made(isFolder: Bool)
      case removed(FileHandle)
      /// A move to a name that may have been another file's.
      case moved(folder: FileHandle, name: [UInt8], replaced: FileHandle?)
      case exchanged(folder: FileHandle, name: [UInt8])
    }

    var number: Int
    var folder: FileHandle
    var name: [UInt8]
    /// The paths of all names that it is about.
    var paths: [String]
    var change: Change

    /// The names that it is about, and their folders.
    fileprivate var places: [(folder: FileHandle, name: [UInt8])] {
      switch change {
      case .made, .removed: [(folder, name)]
      case .moved(let target, let targetName, _), .exchanged(let target, let targetName):
        [(folder, name), (target, targetName)]
      }
    }

    /// The folder that must be made durable.
    fileprivate var decisiveFolder: FileHandle {
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
    _ change: Entry.Change, in folder: FileHandle, _ name: [UInt8], paths: [String]
  ) {
    lastNumber += 1
    entries.append(
      Entry(number: lastNumber, folder: folder, name: name, paths: paths, change: change))
  }

  /// The folders that a call makes durable.
  enum Extent: Equatable {
    case all
    case device(dev_t)
    case folder(FileIdentity)
  }

  /// Folders have been made durable as they were at a mark.
  mutating func endSync(of extent: Extent, mark: Int) {
    entries.removeAll { entry in
      guard entry.number <= mark else { return false }
      switch extent {
      case .all: return true
      case .device(let device): return entry.decisiveFolder.status?.st_dev == device
      case .folder(let folder):
        return entry.decisiveFolder.status.map { FileIdentity($0) } == folder
      }
    }
  }

  /// Forgets names that another process changed: they keep their current state.
  mutating func forget(_ places: Set<NamePlace>) {
    guard !entries.isEmpty, !places.isEmpty else { return }
    entries.removeAll { entry in
      entry.places.contains { folder, name in
        folder.status.map { places.contains(NamePlace(folder: FileIdentity($0), name: name)) }
          ?? false
      }
    }
  }

  mutating func removeAll() { entries = [] }

  // MARK: - The crash

  /// Undoes changes, the last one first.
  ///
  /// - Parameter isMeant: whether a path is among those that lose something: of a move, either.
  func undo(_ isMeant: (String) -> Bool) {
    for entry in entries.reversed() where entry.paths.contains(where: isMeant) {
      switch entry.change {
      case .made(let isFolder):
        Self.call(entry.name) {
          _ = unlinkat(entry.folder.descriptor, $0, isFolder ? AT_REMOVEDIR : 0)
        }
      case .removed(let file):
        Self.call(entry.name) { file.putBack(in: entry.folder, $0) }
      case .moved(let folder, let name, let replaced):
        Self.call(name) { new in
          Self.call(entry.name) { old in
            _ = renameat(folder.descriptor, new, entry.folder.descriptor, old)
          }
        }
        if let replaced { Self.call(name) { replaced.putBack(in: folder, $0) } }
      case .exchanged(let folder, let name):
        Self.call(name) { new in
          Self.call(entry.name) { old in
            Self.exchange(folder, new, entry.folder, old)
          }
        }
      }
    }
  }

  /// Exchanges two names by way of a third, as no process looks meanwhile.
  private static func exchange(
    _ folder: FileHandle, _ name: UnsafePointer<CChar>, _ other: FileHandle,
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
