internal import Glibc

/// A sink that writes a file which is whole or not there.
///
/// The text goes to `PATH.part`; `finish()` makes it durable and gives it its name. A reader never sees
/// half a report, and an earlier report stays until the new one is complete.
public final class FileSink: ReportSink {
  /// The report's path.
  public let path: String
  private let partialPath: String
  private var descriptor: Int32?

  /// Opens `PATH.part`, with the folders that lead to it.
  ///
  /// - Throws: If the file cannot be created.
  public init(path: String) throws(ReportError) {
    self.path = path
    self.partialPath = path + ".part"
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw ReportError(
        "the report \"\(path)\" has no usable path", path: path,
        help: "name a file, such as \"reports/TEST-scenario.xml\"")
    }
    try FileSink.createFolders(leadingTo: path)
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw FileSink.failure(path, SystemError(code: EISDIR))
    }
    let descriptor = open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileSink.failure(path, .last) }
    self.descriptor = descriptor
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Appends to `PATH.part`.
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
  /// - Throws: If the file system refuses either.
  public func finish() throws(ReportError) {
    guard let descriptor else { return }
    self.descriptor = nil
    let synchronised = fsync(descriptor) == 0 ? nil : SystemError.last
    let closed = close(descriptor) == 0 ? nil : SystemError.last
    // Pipes and some network file systems know no fsync; that is no reason to withhold the report.
    if let error = synchronised ?? closed, error.code != EINVAL, error.code != EROFS {
      throw FileSink.failure(path, error)
    }
    guard rename(partialPath, path) == 0 else { throw FileSink.failure(path, .last) }
  }

  private static func createFolders(leadingTo path: String) throws(ReportError) {
    var folder = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/").dropLast() {
      folder += name
      guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
        let error = SystemError.last
        var status = stat()
        // A folder that may not be created can be there all the same, above a read-only mount.
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
          throw failure(path, error)
        }
        folder += "/"
        continue
      }
      folder += "/"
    }
  }

  private static func failure(_ path: String, _ error: SystemError) -> ReportError {
    ReportError(
      "the report \"\(path)\" could not be written: \(error.text)", path: path,
      help: error.help(forWriting: path))
  }
}
