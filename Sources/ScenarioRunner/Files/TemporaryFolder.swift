internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import Supervisor

/// A fresh folder below the one for temporary files, which a later runner removes if this one is
/// killed.
///
/// The folder has a file that this process has locked (flock(2)) for as long as it lives: a lock
/// ends with its holder, however that ends, while its process's number may be another's by then.
final class TemporaryFolder: Sendable {
  /// Its path from the root, without symbolic links.
  let path: String
  /// The locked file; negative where there is none.
  private let lock: Int32

  /// Makes the folder, which only its owner can enter.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of its name, one of `AbandonedFolders.prefixes`, by which it is
  ///     recognized.
  ///   - parent: the folder in which it is made.
  ///   - isKept: whether only its creator removes it.
  init(
    _ prefix: String = AbandonedFolders.prefixes[0], in parent: String, isKept: Bool = false
  ) throws(Failure) {
    var failure = Failure.system("cannot create a folder in \"\(parent)\"", errorNumber: ENOENT)
    failure.help =
      "set TMPDIR to a folder that exists and that you may write to, or unset it to use /tmp"
    var absolute = parent
    // Without symbolic links, as the kernel tells the paths of open files, which entries of chaos match.
    if let resolved = realpath(parent, nil) {
      defer { free(resolved) }
      absolute = String(cString: resolved)
    } else if !parent.hasPrefix("/") {
      throw failure
    }
    AbandonedFolders(in: absolute).remove()
    var template = Array((absolute + "/\(prefix)XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      failure.message = Failure.system("cannot create a folder in \"\(parent)\"").message
      throw failure
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    lock = isKept ? -1 : RunnerLock.take(in: path)
  }

  deinit {
    if lock >= 0 { close(lock) }
  }
}

/// The file by which a runner's folder is recognized, and whose lock shows whether that runner
/// lives.
enum RunnerLock {
  /// Its name in the folder.
  static let name = ".scenario-runner"
  private static let content = Array("a runner of scenarios locks this file while it lives\n".utf8)

  /// Makes and locks it; its descriptor, negative where that was not possible: then the folder is as any other.
  ///
  /// It gets its name when it is locked, so that no other runner finds one that is not.
  static func take(in folder: String) -> Int32 {
    let draft = "\(folder)/\(name).new"
    let lock = open(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard lock >= 0 else { return lock }
    let count = content.withUnsafeBytes { write(lock, $0.baseAddress, $0.count) }
    guard count == content.count, flock(lock, LOCK_EX | LOCK_NB) == 0,
      rename(draft, "\(folder)/\(name)") == 0
    else {
      unlink(draft)
      close(lock)
      return -1
    }
    return lock
  }

  /// Takes over the lock that a runner has left in an open folder; `nil` where there is none, or
  /// its runner lives.
  ///
  /// - Returns: A descriptor that holds the lock, to be closed.
  static func takeOver(in folder: Int32) -> Int32? {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let lock = openat(folder, name, flags)
    guard lock >= 0 else { return nil }
    // Whoever else has removed the folder meanwhile had the lock, too: then the file has no name any more.
    guard isOurs(lock), flock(lock, LOCK_EX | LOCK_NB) == 0, isOurs(lock) else {
      close(lock)
      return nil
    }
    return lock
  }

  private static func isOurs(_ lock: Int32) -> Bool {
    guard let status = FileStatus(descriptor: lock), status.isRegular, status.owner == geteuid(),
      status.nameCount == 1, status.size == content.count
    else { return false }
    let found = [UInt8](unsafeUninitializedCapacity: content.count) { buffer, count in
      count = max(0, pread(lock, buffer.baseAddress, buffer.count, 0))
    }
    return found == content
  }
}

/// The folders of runners that were killed (SIGKILL, or the end of the machine's power) before they could remove them.
///
/// Only what is surely such a folder is touched: a folder of this user's, and no link to one, that nobody else may enter,
/// with the file of a runner in it that nobody has locked. All is looked up in folders that are open already, so that
/// it cannot be exchanged between the look and the removal.
struct AbandonedFolders {
  /// The beginnings of the names of runners' folders.
  static let prefixes = ["scenario-", "scn-"]

  /// The real time for which folders are searched and removed; what is left then is a later run's.
  private static let patience = Nanoseconds.seconds(2)
  /// The maximum number of names that are examined.
  private static let nameLimit = 100_000

  private let parent: String
  private let isShared: (Int32) -> Bool

  /// Creates a cleaner of a folder.
  ///
  /// - Parameters:
  ///   - parent: the folder in which temporary folders are made.
  ///   - isShared: whether other machines have an open folder as well.
  init(in parent: String, isShared: @escaping (Int32) -> Bool = SharedFileSystem.holds) {
    self.parent = parent
    self.isShared = isShared
  }

  /// Removes those that there are, as far as it can be done soon; how many that were.
  @discardableResult
  func remove() -> Int {
    let deadline = RealTime.monotonic() + Self.patience
    let top = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard top >= 0 else { return 0 }
    defer { close(top) }
    // Where other machines have it as well, locks say nothing of their runners.
    guard !isShared(top) else { return 0 }
    return candidates(deadline).count { remove($0, in: top, deadline) }
  }

  private func candidates(_ deadline: Nanoseconds) -> [String] {
    guard let stream = opendir(parent) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    var count = 0
    while let entry = readdir(stream), count < Self.nameLimit {
      count += 1
      if count % 1_024 == 0, RealTime.monotonic() >= deadline { break }
      let type = Int(entry.pointee.d_type)
      guard type == DT_DIR || type == DT_UNKNOWN else { continue }
      let name = entry.name
      guard Self.prefixes.contains(where: { name.starts(with: $0.utf8) }) else { continue }
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }

  /// Removes a folder if its runner is dead; whether it is gone.
  private func remove(_ name: String, in top: Int32, _ deadline: Nanoseconds) -> Bool {
    guard RealTime.monotonic() < deadline else { return false }
    let folder = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return false }
    defer { close(folder) }
    guard let status = FileStatus(descriptor: folder), status.owner == geteuid(),
      status.permissions & 0o077 == 0, let lock = RunnerLock.takeOver(in: folder)
    else { return false }
    defer { close(lock) }
    fchmod(folder, 0o700)
    var removal = TreeRemoval(deadline: deadline)
    // The file goes last: what one run does not get done, the next one finds.
    removal.empty(folder, path: "\(parent)/\(name)", but: RunnerLock.name)
    guard removal.problems.isEmpty, unlinkat(folder, RunnerLock.name, 0) == 0 else { return false }
    return unlinkat(top, name, AT_REMOVEDIR) == 0
  }
}
