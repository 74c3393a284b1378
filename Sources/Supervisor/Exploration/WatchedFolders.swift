internal import Foundations
internal import Glibc

/// Folders whose state is kept, compared and put back.
final class WatchedFolders {
  /// The state of a file or folder at a path.
  struct Entry {
    var inode: Inode
    /// Type and permissions (inode(7)).
    var mode: UInt32
    var owner: UInt32
    var group: UInt32
    var size: Int
    var names: UInt64
    var access: timespec
    var modification: timespec
    var change: timespec
    /// The target of a symbolic link.
    var target: [UInt8] = []

    var type: UInt32 { mode & UInt32(S_IFMT) }
    var isFile: Bool { type == UInt32(S_IFREG) }
    var isFolder: Bool { type == UInt32(S_IFDIR) }
    var isLink: Bool { type == UInt32(S_IFLNK) }
    /// True if it is of a kind that can be made again.
    var isKept: Bool { isFile || isFolder || isLink }

    /// The sum of its size and others'; files with holes may be of any.
    func adds(to total: Int) -> Int {
      let sum = total.addingReportingOverflow(size)
      return sum.overflow ? .max : sum.partialValue
    }
  }

  /// A file's number on its file system, and what it is: the number of one that is gone is given anew.
  struct Inode: Hashable {
    var device: UInt64
    var number: UInt64
    var type: UInt32
    /// The target of a symbolic link.
    var target: [UInt8] = []

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
      type = status.st_mode & UInt32(S_IFMT)
    }
  }

  /// The bytes of a file at one moment.
  struct Kept {
    var change: timespec
    var bytes: [UInt8]
    var digest: UInt64
    /// True if any later change would give the file another time of change.
    var isCertain: Bool
  }

  /// The entries and contents at one moment.
  struct State {
    /// The entries by path.
    var entries: [String: Entry]
    /// The bytes of the regular files.
    var contents: [String: Kept]
  }

  private let roots: [String]
  private var known: [Inode: Kept] = [:]

  /// The largest number of bytes that are kept.
  private static let byteLimit = 64 << 20
  /// The largest number of files and folders that are kept.
  private static let entryLimit = 20_000
  /// A file that was changed less than so many nanoseconds ago may be changed again without another time: as
  /// long as the coarsest clock of a file system on Linux takes from one tick to the next, twice.
  private static let tick = 20_000_000

  init(roots: [String]) {
    self.roots = roots
  }

  // MARK: - Looking

  /// Saves the entries and contents as they are.
  func keep() throws(BranchRefusal) -> State {
    guard let entries = look() else {
      throw BranchRefusal(reason: "a watched folder cannot be read, or contains too much")
    }
    var contents: [String: Kept] = [:]
    var fresh: [Inode: Kept] = [:]
    var total = 0
    // The first in order, so that the same reason is reported each time.
    if let path = entries.filter({ !$0.value.isKept }).keys.min() {
      throw BranchRefusal(reason: "\"\(path)\" is not a file, a folder or a link")
    }
    let several = entries.filter { $0.value.isFile && $0.value.names != 1 }
    if let path = several.filter({ !contentsAreHeld($0.value) }).keys.min() {
      throw BranchRefusal(reason: "\"\(path)\" has several names")
    }
    for (path, entry) in entries where entry.isFile {
      total = entry.adds(to: total)
      guard total <= Self.byteLimit, let kept = kept(path, entry) else {
        throw BranchRefusal(reason: "the files in the watched folders cannot be saved")
      }
      contents[path] = kept
      fresh[entry.inode] = kept
    }
    known = fresh
    return State(entries: entries, contents: contents)
  }

  /// A file that the trunk writes has a second name in the holding folder, and none but that.
  private func contentsAreHeld(_ entry: Entry) -> Bool {
    entry.names == 2 && held.contains(entry.inode)
  }
  /// The files that have a second name.
  var held: Set<Inode> = []

  private func kept(_ path: String, _ entry: Entry) -> Kept? {
    if let old = known[entry.inode], old.isCertain, old.change.isSame(as: entry.change),
      old.bytes.count == entry.size
    {
      return old
    }
    let now = RealClock.wall()
    guard let bytes = Self.read(path, size: entry.size) else { return nil }
    return Kept(
      change: entry.change, bytes: bytes, digest: ContentDigest.of(bytes),
      isCertain: now.nanoseconds(since: entry.change) > Self.tick)
  }

  /// Returns the entries of the folders, by path, the folders themselves as well; `nil` if they
  /// cannot be read.
  private func look() -> [String: Entry]? {
    var entries: [String: Entry] = [:]
    for root in roots {
      guard let entry = Self.entry(at: root), entry.isFolder else { return nil }
      entries[root] = entry
      guard look(root, &entries) else { return nil }
    }
    return entries
  }

  private func look(_ folder: String, _ entries: inout [String: Entry]) -> Bool {
    guard let names = FolderEntries.names(in: folder) else { return false }
    for bytes in names {
      guard let name = String(validating: bytes, as: UTF8.self) else { return false }
      let path = "\(folder)/\(name)"
      guard entries.count < Self.entryLimit, let entry = Self.entry(at: path) else { return false }
      entries[path] = entry
      if entry.isFolder, !look(path, &entries) { return false }
    }
    return true
  }

  static func entry(at path: String) -> Entry? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    var entry = Entry(
      inode: Inode(status), mode: status.st_mode, owner: status.st_uid, group: status.st_gid,
      size: Int(status.st_size),
      names: UInt64(status.st_nlink), access: status.st_atim, modification: status.st_mtim,
      change: status.st_ctim)
    if entry.isLink {
      entry.target = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = buffer.baseAddress.map { max(0, readlink(path, $0, 4096)) } ?? 0
      }
      entry.inode.target = entry.target
    }
    return entry
  }

  static func read(_ path: String, size: Int) -> [UInt8]? {
    // O_NOATIME is allowed for one's own files alone.
    var descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | noAccessTime)
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var isWhole = true
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = 0
      while count < size {
        let result = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        guard result > 0 else {
          isWhole = false
          break
        }
        count += result
      }
    }
    return isWhole ? bytes : nil
  }

  /// O_NOATIME of `asm-generic/fcntl.h`.
  private static let noAccessTime: Int32 = 0x4_0000

  // MARK: - Comparing

  /// The changes of the folders.
  struct Comparison {
    /// The files in the folders.
    var files: [BranchFile]
    /// The paths that are gone.
    var removed: [String]
  }

  /// Compares what is with what was; `nil` if it cannot be read.
  func compare(with state: State, limit: Int) -> Comparison? {
    guard let entries = look() else { return nil }
    let roots = Set(roots)
    var files: [BranchFile] = []
    var total = 0
    for (path, entry) in entries where !roots.contains(path) {
      let old = state.entries[path]
      var file = BranchFile(
        path: path, kind: entry.kind, permissions: entry.mode & 0o7777, size: 0, digest: 0,
        change: old == nil ? .made : old?.mode == entry.mode ? .none : .changed, contents: [])
      if entry.isLink {
        file.digest = ContentDigest.of(entry.target)
        file.contents = entry.target
        if let old, old.target != entry.target { file.change = .changed }
      }
      if entry.isFile {
        file.size = entry.size
        total = entry.adds(to: total)
        let kept = state.contents[path]
        if let old, let kept, isUntouched(entry, old, kept) {
          file.digest = kept.digest
          // The bytes are held anyhow: they are not copied.
          if kept.bytes.count <= limit { file.contents = kept.bytes }
        } else {
          guard total <= Self.byteLimit * 2, let bytes = Self.read(path, size: entry.size) else {
            return nil
          }
          file.digest = ContentDigest.of(bytes)
          if let kept {
            if kept.bytes != bytes { file.change = .changed }
          }
          file.contents = bytes.count <= limit ? bytes : Array(bytes.prefix(limit))
        }
      }
      files.append(file)
    }
    return Comparison(
      files: files.sorted { $0.path < $1.path },
      removed: state.entries.keys.filter { entries[$0] == nil }.sorted())
  }

  /// Returns whether a file has surely not been touched.
  private func isUntouched(_ entry: Entry, _ old: Entry, _ kept: Kept) -> Bool {
    kept.isCertain && entry.inode == old.inode && entry.size == old.size
      && entry.change.isSame(as: old.change) && entry.modification.isSame(as: old.modification)
  }

  // MARK: - Putting back

  /// Makes everything what it was.
  ///
  /// - Parameter held: other names of files, by inode, outside of the folders.
  /// - Returns: why that was not possible, or `nil`.
  func putBack(_ state: State, held: [Inode: String]) -> String? {
    var restorer = FolderRestorer(state: state, held: held)
    // Each round puts back what the one before has made room for.
    for _ in 0..<Self.roundLimit {
      guard let entries = look() else { return "a watched folder can no longer be read" }
      changedFolders = restorer.changedFolders
      guard restorer.needsRound(entries) else {
        let isUntouched = { (path: String, entry: Entry) -> Bool in
          guard let old = state.entries[path], let kept = state.contents[path] else { return false }
          return self.isUntouched(entry, old, kept)
        }
        return restorer.restoreContents(entries, isUntouched)
      }
      if let reason = restorer.round(entries) { return reason }
    }
    return "the watched folders cannot be restored"
  }

  /// The folders in which the last `putBack` has moved, removed or made anything.
  private(set) var changedFolders: Set<Inode> = []

  /// The largest depth of folders in each other, each of them moved.
  private static let roundLimit = 64
}

extension WatchedFolders.Entry {
  fileprivate var kind: BranchFile.Kind {
    isFile ? .file : isFolder ? .folder : isLink ? .link : .other
  }
}

extension timespec {
  /// Returns whether both are the same instant.
  func isSame(as other: timespec) -> Bool { tv_sec == other.tv_sec && tv_nsec == other.tv_nsec }

  /// Returns the time since another one, in nanoseconds; at most what fits.
  func nanoseconds(since other: timespec) -> Int {
    let seconds = tv_sec &- other.tv_sec
    guard abs(seconds) < 1 << 30 else { return seconds < 0 ? Int.min : Int.max }
    return seconds * 1_000_000_000 + (tv_nsec - other.tv_nsec)
  }
}
