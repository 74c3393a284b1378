internal import Foundations
internal import Glibc
internal import ScenarioPlan

/// The files below a folder, as they are at one moment; symbolic links are not followed.
///
/// Folders count where nothing is in them: those with files are known by these.
final class TreeListing: Sendable {
  /// One file, link or other entry, or a folder with nothing in it.
  struct Entry: Sendable {
    var node: FileNode
    /// The target of a symbolic link.
    var destination: [UInt8] = []
  }

  /// A path that cannot be read.
  struct Problem: Sendable {
    var path: TreePath
    var errorNumber: Int32
  }

  /// The entries by their paths.
  let entries: [TreePath: Entry]
  /// The paths of what there is, in the order of their bytes.
  let paths: [TreePath]
  /// The paths that cannot be read, in order.
  let problems: [Problem]
  private let root: Int32

  /// Lists a folder; `nil`, with errno set, if it cannot be opened.
  init?(_ folder: String, ignoring ignored: GlobSet) {
    root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { return nil }
    var walk = Walk(root: root, ignored: ignored)
    walk.run()
    entries = walk.entries
    paths = walk.entries.keys.sorted()
    problems = walk.problems.sorted { $0.path < $1.path }
  }

  deinit {
    if root >= 0 { close(root) }
  }

  /// Opens a file for reading; below 0, with errno set, if that cannot be.
  func openFile(_ path: TreePath) -> Int32 {
    // Meanwhile it may have become a FIFO, which would wait for a writer.
    openat(root, path.terminated, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
  }

  private struct Walk {
    let root: Int32
    let ignored: GlobSet
    var entries: [TreePath: Entry] = [:]
    var problems: [Problem] = []

    mutating func run() {
      var pending = [TreePath(bytes: [])]
      while let folder = pending.popLast() {
        guard let names = names(in: folder) else {
          problems.append(Problem(path: folder, errorNumber: errno))
          continue
        }
        for name in names where add(folder.appending(name), in: folder) == .folder {
          pending.append(folder.appending(name))
        }
      }
    }

    /// Adds the entry at a path; returns its kind, if it counts.
    private mutating func add(_ path: TreePath, in folder: TreePath) -> FileKind? {
      let text = path.glob
      guard !ignored.matches(text) else { return nil }
      guard let node = FileNode(path: path.terminated, in: root) else {
        problems.append(Problem(path: path, errorNumber: errno))
        return nil
      }
      guard node.kind != .folder || !ignored.matches(text + "/") else { return nil }
      entries[path] = Entry(
        node: node, destination: node.kind == .link ? destination(of: path) : [])
      // What is in a folder tells of it.
      if !folder.bytes.isEmpty { entries[folder] = nil }
      return node.kind
    }

    private func destination(of path: TreePath) -> [UInt8] {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(root, path.terminated, &buffer, buffer.count)
      return buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    }

    /// Lists a folder; `nil`, with errno set, if it cannot be read.
    private func names(in folder: TreePath) -> [[UInt8]]? {
      let path = folder.bytes.isEmpty ? TreePath(bytes: Array(".".utf8)) : folder
      let descriptor = openat(
        root, path.terminated, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      guard let stream = fdopendir(descriptor) else {
        close(descriptor)
        return nil
      }
      defer { closedir(stream) }
      var names: [[UInt8]] = []
      while true {
        errno = 0
        guard let entry = readdir(stream) else { return errno == 0 ? names : nil }
        let name = Array(entry.name)
        if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
      }
    }
  }
}
