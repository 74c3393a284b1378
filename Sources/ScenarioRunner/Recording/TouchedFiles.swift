internal import Foundations
internal import Glibc
internal import Supervisor
internal import Synchronization

/// The part of a file or folder that a program needs.
package enum FileUse: Sendable, Hashable, Comparable {
  /// The program needs nothing.
  case none
  /// The program needs the name to be in its folder.
  case name
  /// The program needs the file with its content.
  case content
}

/// The files below a folder that a program uses, each as it was before the program first did.
///
/// Recorded on the supervisor's thread, read when the program is over.
final class TouchedFiles: Sendable {
  /// A file as it was before.
  struct Original: Sendable {
    /// The content; `nil` where it did not exist, or was a link.
    var content: [UInt8]?
    /// The target of the link, if it was a symbolic link.
    var link: String?
    /// Its permission bits.
    var mode: UInt32 = 0o644
    /// The program's use of it.
    var use = FileUse.none
    /// True if the program may have changed it.
    var isChanged = false
    /// True if it may have been changed behind the end of the target.
    var isLate = false
  }

  /// A folder as it was before.
  struct Folder: Sendable {
    /// The program's use of it.
    var use: FileUse
    /// Its permission bits.
    var mode: UInt32
  }

  /// The largest file that is copied.
  static let sizeLimit = 16 << 20
  /// The largest number of bytes that are copied.
  static let totalLimit = 128 << 20
  /// The largest number of files that are kept.
  static let countLimit = 1_000

  private struct State {
    var files: [String: Original] = [:]
    var folders: [String: Folder] = [:]
    /// Folders that the program has made, or put where they are.
    var made: Set<String> = []
    var total = 0
    /// True for an operation behind the end of the target.
    var isOver = false
    var notes: [String] = []
  }

  private let prefix: String
  private let excluded: String
  private let isOver: @Sendable () -> Bool
  private let state = Mutex(State())

  /// Prepares to watch a folder, by its path without symbolic links.
  ///
  /// - Parameters:
  ///   - excluded: A folder below it that is none of the program's.
  ///   - isOver: whether the target has ended, and what is done comes from others that it has started.
  init(
    below folder: String, except excluded: String, isOver: @escaping @Sendable () -> Bool
  ) {
    self.isOver = isOver
    prefix = folder.hasSuffix("/") ? folder : folder + "/"
    self.excluded = excluded.hasSuffix("/") ? excluded : excluded + "/"
  }

  /// The files that were used, by paths relative to the folder.
  var files: [String: Original] { state.withLock { $0.files } }

  /// The folders that were there before, by paths relative to the folder.
  var folders: [String: Folder] { state.withLock { $0.folders } }

  /// The folders that the program has made, by paths relative to the folder.
  var madeFolders: [String] {
    state.withLock { state in state.made.compactMap { name(of: $0) }.sorted() }
  }

  /// The notes on what could not be kept.
  var notes: [String] { state.withLock { $0.notes } }

  /// Records the next operation of a program.
  func add(_ touch: FileTouch) {
    let isOver = isOver()
    state.withLock { state in
      state.isOver = isOver
      switch touch {
      case .look(let path), .read(let path), .run(let path), .follow(let path):
        need(path, .content, &state)
      case .changeMode(let path):
        need(path, .content, &state)
        change(path, &state)
      case .write(let path, let keepsContent):
        if keepsContent { need(path, .content, &state) }
        change(path, &state)
      case .remove(let path):
        enter(path, .content, &state)
        need(path, .content, &state)
        change(path, &state)
      case .enter(let path): enter(path, .content, &state)
      case .list(let path):
        enter(path, .content, &state)
        for entry in FileTree.entries(of: path) {
          let entryPath = path == "/" ? "/\(entry.name)" : "\(path)/\(entry.name)"
          if entry.isFolder {
            enter(entryPath, .name, &state)
          } else {
            need(entryPath, .name, &state)
          }
        }
      case .makeFolder(let path):
        enter(path.parentFolder, .content, &state)
        state.made.insert(path)
      case .move(let from, let to, let exchanges): move(from, to, exchanges, &state)
      case .link(let from, let to):
        need(from, .content, &state)
        change(to, &state)
      }
    }
  }

  private func need(_ path: String, _ use: FileUse, _ state: inout State) {
    guard let name = meet(path, &state), let known = state.files[name] else { return }
    state.files[name]?.use = max(known.use, use)
  }

  /// Keeps a folder that was there before the program came.
  private func enter(_ path: String, _ use: FileUse, _ state: inout State) {
    guard let name = name(of: path), !isBelowMade(path + "/", state.made),
      state.folders[name] != nil || state.folders.count < Self.countLimit,
      FileTree.isFolder(path, followsLinks: false)
    else { return }
    let known = state.folders[name]
    state.folders[name] = Folder(
      use: max(known?.use ?? .none, use),
      mode: known?.mode ?? FileStatus(path: path).map { $0.permissions & 0o777 } ?? 0o755)
  }

  /// A path below the folder; `nil` for what is none of the program's, or is the folder itself.
  private func name(of path: String) -> String? {
    guard path.hasPrefix(prefix), !"\(path)/".hasPrefix(excluded), path.count > prefix.count,
      // Python's caches hold the paths and times of what they were made from.
      !path.contains("/__pycache__")
    else { return nil }
    return String(path.dropFirst(prefix.count))
  }

  private func change(_ path: String, _ state: inout State) {
    guard let name = meet(path, &state) else { return }
    state.files[name]?.isChanged = true
    if state.isOver { state.files[name]?.isLate = true }
    enter(path.parentFolder, .content, &state)
  }

  private func move(_ from: String, _ to: String, _ exchanges: Bool, _ state: inout State) {
    if FileTree.isFolder(from, followsLinks: false) {
      enter(to.parentFolder, .content, &state)
      enter(from, .content, &state)
      let files = FileTree.files(below: from).prefix(Self.countLimit)
      for file in files {
        need("\(from)/\(file)", .content, &state)
        change("\(from)/\(file)", &state)
      }
      state.made.insert(to)
      for file in files { change("\(to)/\(file)", &state) }
      return
    }
    need(from, .content, &state)
    change(from, &state)
    if exchanges { need(to, .content, &state) }
    change(to, &state)
  }

  /// Keeps a file as it is, unless it is known; returns its path below the folder, `nil` for what
  /// is not kept.
  private func meet(_ path: String, _ state: inout State) -> String? {
    guard let name = name(of: path) else { return nil }
    if state.files[name] != nil { return name }
    guard state.files.count < Self.countLimit else {
      record(
        "the command uses more than \(Self.countLimit) files; the others are not recorded", &state)
      return nil
    }
    guard !isBelowMade(path, state.made) else {
      state.files[name] = Original()
      return name
    }
    if let link = FileTree.link(at: path) {
      state.files[name] = Original(link: link)
      return name
    }
    do throws(FileReadError) {
      let content = try FileTree.read(path, limit: Self.sizeLimit)
      guard state.total + content.count <= Self.totalLimit else {
        record(
          "the files that the command uses contain more than \(Self.totalLimit >> 20) MiB;"
            + " \"\(name)\" and others are not recorded", &state)
        return nil
      }
      state.total += content.count
      let mode = FileStatus(path: path).map { $0.permissions & 0o777 }
      state.files[name] = Original(content: content, mode: mode ?? 0o644)
    } catch {
      switch error {
      case .system(let number) where number == ENOENT: state.files[name] = Original()
      case .notRegular: return nil
      default:
        record("a file is not recorded: \(error.message(path: name))", &state)
        return nil
      }
    }
    return name
  }

  private func isBelowMade(_ path: String, _ made: Set<String>) -> Bool {
    guard !made.isEmpty else { return false }
    var folder = path.parentFolder
    while folder.count > prefix.count {
      if made.contains(folder) { return true }
      folder = folder.parentFolder
    }
    return made.contains(folder)
  }

  private func record(_ text: String, _ state: inout State) {
    if !state.notes.contains(text) { state.notes.append(text) }
  }
}
