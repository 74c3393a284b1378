internal import Glibc

/// A sink that writes a file which is whole or not there.
///
/// The text goes to `PATH.part`; `finish()` makes it durable and gives it its name. A reader never sees
/// half a report, and an earlier report stays until the new one is complete. A symbolic link stays one:
/// the file that it leads to is replaced. What is no file at all, such as a FIFO or a device, is written
/// to as it is.
public final class FileSink: ReportSink {
  /// The report's path, as the caller named it.
  public let path: String
  /// What is renamed at the end, and to what; `nil` where the text goes to its place at once.
  private let replacement: (partial: String, final: String)?
  private var descriptor: Int32?

  /// Opens `PATH.part`, with the folders that lead to it, or what stands at the path if it is no file.
  ///
  /// - Throws: If the path cannot be written to.
  public init(path: String) throws(ReportError) {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw ReportError(
        "the report \"\(path)\" has no usable path", path: path,
        help: "name a file, such as \"reports/TEST-scenario.xml\"")
    }
    try FileSink.createFolders(leadingTo: path)
    let replacement = try FileSink.replacement(for: path)
    self.replacement = replacement
    let descriptor: Int32
    if let replacement {
      // What an earlier run left must not decide where this one writes to.
      unlink(replacement.partial)
      descriptor = open(
        replacement.partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    } else {
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    }
    guard descriptor >= 0 else { throw FileSink.failure(path, .last) }
    self.descriptor = descriptor
  }

  deinit {
    guard let descriptor else { return }
    close(descriptor)
    if let replacement { unlink(replacement.partial) }
  }

  /// Appends to the text.
  ///
  /// - Throws: If the file system takes no more.
  public func write(_ text: String) throws(ReportError) {
    guard let descriptor else {
      throw ReportError("the report \"\(path)\" is already complete", path: path)
    }
    do {
      try writeAll(text, to: descriptor)
    } catch {
      throw FileSink.failure(path, error)
    }
  }

  /// Makes the file durable and gives it its name.
  ///
  /// - Throws: If the file system refuses either; nothing is left behind then.
  public func finish() throws(ReportError) {
    guard let descriptor else { return }
    self.descriptor = nil
    var error = FileSink.synchronise(descriptor)
    if close(descriptor) != 0 { error = error ?? .last }
    if error == nil, let replacement, rename(replacement.partial, replacement.final) != 0 {
      error = .last
    }
    guard let error else { return }
    if let replacement { unlink(replacement.partial) }
    throw FileSink.failure(path, error)
  }

  private static func synchronise(_ descriptor: Int32) -> SystemError? {
    guard fsync(descriptor) != 0 else { return nil }
    let error = SystemError.last
    // Pipes, some devices and some network file systems know no fsync; the report is good without.
    return [EINVAL, EROFS, EOPNOTSUPP].contains(error.code) ? nil : error
  }

  // MARK: - Places

  /// Where the text goes before it has its name; `nil` if there is something that is not to be replaced.
  private static func replacement(
    for path: String
  ) throws(ReportError) -> (partial: String, final: String)? {
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: throw failure(path, SystemError(code: EISDIR))
      case S_IFREG: break
      default: return nil
      }
    } else if errno != ENOENT {
      throw failure(path, .last)
    }
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
      return (path + ".part", path)
    }
    guard let target = realpath(path, nil) else {
      throw ReportError(
        "the report \"\(path)\" is a symbolic link that leads nowhere", path: path,
        help: "remove the link, or create the file that it leads to")
    }
    defer { free(target) }
    let final = String(cString: target)
    return (final + ".part", final)
  }

  private static func createFolders(leadingTo path: String) throws(ReportError) {
    var folder = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/").dropLast() {
      folder += name
      if mkdir(folder, 0o755) != 0, errno != EEXIST {
        let error = SystemError.last
        var status = stat()
        // A folder that may not be created can be there all the same, above a read-only mount.
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
          throw failure(path, error)
        }
      }
      folder += "/"
    }
  }

  private static func failure(_ path: String, _ error: SystemError) -> ReportError {
    ReportError(
      "the report \"\(path)\" could not be written: \(error.text)", path: path,
      help: error.help(forWriting: path), errorNumber: error.code)
  }
}
