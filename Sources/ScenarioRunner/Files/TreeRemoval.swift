internal import Foundations
internal import Glibc

/// Removes a tree, whatever a target has made of it.
///
/// Nothing is looked up by a path that could be changed meanwhile: every folder is opened from its parent
/// without following a link, and names are bytes. However deep the tree is, only a few folders are open at
/// a time, because inner folders are moved up before they are emptied.
struct TreeRemoval {
  /// A file's name as the kernel has it, with its final zero.
  private typealias Name = [CChar]

  /// The largest number of problems that are reported.
  private static let reportLimit = 5

  /// The paths that could not be removed, with the reasons.
  private(set) var problems: [String] = []
  /// The number of further problems.
  private(set) var unreported = 0

  /// The time, on the runner's clock, from which no more is removed; `nil` for never.
  private let deadline: Nanoseconds?
  private var movedCount = 0

  init(deadline: Nanoseconds? = nil) {
    self.deadline = deadline
  }

  /// True if there is no more time.
  private var isOver: Bool { deadline.map { RealTime.monotonic() >= $0 } ?? false }

  /// Removes a file, a symbolic link, or a folder with all that is in it.
  mutating func remove(_ path: String) {
    let (parentPath, name) = Self.split(path)
    let parent = open(parentPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return errno == ENOENT ? () : record(path, errno) }
    defer { close(parent) }
    if Self.unlinkEntry(name, in: parent) { return }
    let error = errno
    guard error == EISDIR else { return record(path, error) }
    if unlinkat(parent, name, AT_REMOVEDIR) == 0 { return }
    // rmdir(2): something is mounted there, and what it holds is not the case's.
    if errno == EBUSY { return record(path, EBUSY) }
    guard let folder = Self.openFolder(name, in: parent) else { return record(path, errno) }
    empty(folder, path: path)
    close(folder)
    if unlinkat(parent, name, AT_REMOVEDIR) != 0, errno != ENOENT { record(path, errno) }
  }

  /// Removes what stands in an open folder.
  ///
  /// - Parameters:
  ///   - top: the folder, as its owner may change it.
  ///   - path: what it is called in problems.
  ///   - spared: the name of what stays.
  mutating func empty(_ top: Int32, path: String, but spared: String? = nil) {
    guard var pending = Self.names(in: top) else { return record(path, errno) }
    if let spared { pending.removeAll { Self.text($0) == spared } }
    while let name = pending.popLast() {
      if isOver { return record(path, ETIMEDOUT) }
      if Self.unlinkEntry(name, in: top) { continue }
      let error = errno
      if error == EISDIR {
        if unlinkat(top, name, AT_REMOVEDIR) == 0 { continue }
        // rmdir(2): something is mounted there, and what it holds is not the case's.
        if errno == EBUSY {
          record(path, name, EBUSY)
          continue
        }
      }
      guard error == EISDIR, let folder = Self.openFolder(name, in: top) else {
        record(path, name, error == EISDIR ? errno : error)
        continue
      }
      pending += moveUp(from: folder, to: top, path: "\(path)/\(Self.text(name))")
      close(folder)
      if unlinkat(top, name, AT_REMOVEDIR) != 0, errno != ENOENT { record(path, name, errno) }
    }
  }

  /// Removes the files of a folder and moves its folders to `top`; their names there.
  private mutating func moveUp(from folder: Int32, to top: Int32, path: String) -> [Name] {
    guard let names = Self.names(in: folder) else {
      record(path, errno)
      return []
    }
    var moved: [Name] = []
    for name in names {
      if isOver { break }
      if Self.unlinkEntry(name, in: folder) { continue }
      guard errno == EISDIR else {
        record(path, name, errno)
        continue
      }
      if unlinkat(folder, name, AT_REMOVEDIR) == 0 { continue }
      // rmdir(2): something is mounted there, whose mode is not the case's either.
      if errno == EBUSY {
        record(path, name, EBUSY)
        continue
      }
      if let place = move(name, from: folder, to: top) {
        moved.append(place)
      } else {
        record(path, name, errno)
      }
    }
    return moved
  }

  private mutating func move(_ name: Name, from folder: Int32, to top: Int32) -> Name? {
    // A folder that moves to another parent must be writable itself.
    fchmodat(folder, name, 0o700, AT_SYMLINK_NOFOLLOW)
    let attempts = 1_000
    for _ in 0..<attempts {
      movedCount += 1
      let place = Array("removing-\(movedCount)".utf8CString)
      if renameat(folder, name, top, place) == 0 { return place }
      guard [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) else { return nil }
    }
    return nil
  }

  // MARK: - Problems

  private mutating func record(_ folder: String, _ name: Name, _ errorNumber: Int32) {
    record("\(folder)/\(Self.text(name))", errorNumber)
  }

  private mutating func record(_ path: String, _ errorNumber: Int32) {
    guard problems.count < Self.reportLimit else {
      unreported += 1
      return
    }
    problems.append("cannot remove \"\(path)\": \(SystemText.error(errorNumber))")
  }

  // MARK: - Calls

  /// Returns whether an entry that is no folder is gone; else errno is EISDIR for a folder.
  private static func unlinkEntry(_ name: Name, in folder: Int32) -> Bool {
    unlinkat(folder, name, 0) == 0 || errno == ENOENT
  }

  /// Opens a folder that its owner may have locked.
  private static func openFolder(_ name: Name, in parent: Int32) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = openat(parent, name, flags)
    if folder < 0, errno == EACCES {
      fchmodat(parent, name, 0o700, AT_SYMLINK_NOFOLLOW)
      folder = openat(parent, name, flags)
    }
    guard folder >= 0 else { return nil }
    // Without the right to write, nothing in it can be removed; unlinkat says so if this fails.
    fchmod(folder, 0o700)
    return folder
  }

  /// Returns the entries of an open folder but `.` and `..`; `nil`, with errno set, if it cannot be
  /// read.
  private static func names(in folder: Int32) -> [Name]? {
    let reading = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard reading >= 0 else { return nil }
    guard let stream = fdopendir(reading) else {
      close(reading)
      return nil
    }
    defer { closedir(stream) }
    var names: [Name] = []
    while let entry = readdir(stream) {
      let name = entry.name.map { CChar(bitPattern: $0) } + [0]
      if text(name) != ".", text(name) != ".." { names.append(name) }
    }
    return names
  }

  private static func split(_ path: String) -> (parent: String, name: Name) {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return (".", Array(String(path).utf8CString)) }
    let parent = slash == path.startIndex ? "/" : String(path[..<slash])
    return (parent, Array(String(path[path.index(after: slash)...]).utf8CString))
  }

  private static func text(_ name: Name) -> String {
    String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
