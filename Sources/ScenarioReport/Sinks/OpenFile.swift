internal import Glibc

/// A report's file while it is written.
struct OpenFile: ~Copyable {
  /// The report's path, as the caller named it.
  let path: String
  private var descriptor: Int32?

  /// Takes ownership of a descriptor, as open(2) has given it.
  ///
  /// - Throws: If it is none.
  init(_ descriptor: Int32, path: String) throws(ReportError) {
    self.path = path
    guard descriptor >= 0 else { throw Self.failure(path, .last) }
    self.descriptor = descriptor
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// True if the file is still open.
  var isOpen: Bool { descriptor != nil }

  /// Appends to the file.
  ///
  /// - Throws: If the file system takes no more.
  func write(_ text: String) throws(ReportError) {
    guard let descriptor else {
      throw ReportError("the report \"\(path)\" is already complete", path: path)
    }
    do {
      try writeAll(text, to: descriptor)
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Makes the file durable and closes it.
  ///
  /// - Parameters:
  ///   - isNamed: whether it has its name already, and is lost if that was taken away.
  ///   - beforeClosing: gets the descriptor once all is durable.
  /// - Returns: what went wrong.
  /// - Throws: What `beforeClosing` throws; the file is closed then.
  mutating func finish(
    isNamed: Bool, _ beforeClosing: (Int32) throws(ReportError) -> Void = { _ in }
  ) throws(ReportError) -> SystemError? {
    guard let descriptor else { return nil }
    self.descriptor = nil
    var error = Self.synchronise(descriptor)
    do throws(ReportError) {
      if error == nil { try beforeClosing(descriptor) }
    } catch {
      close(descriptor)
      throw error
    }
    var status = stat()
    if isNamed, error == nil, fstat(descriptor, &status) == 0, status.st_nlink == 0 {
      error = SystemError(code: ENOENT)
    }
    if close(descriptor) != 0 { error = error ?? .last }
    return error
  }

  /// Makes what was written to a descriptor durable; `nil` if that is done or need not be.
  private static func synchronise(_ descriptor: Int32) -> SystemError? {
    guard fsync(descriptor) != 0 else { return nil }
    let error = SystemError.last
    // Pipes, some devices and some network file systems know no fsync; the report is good without.
    return [EINVAL, EROFS, EOPNOTSUPP].contains(error.code) ? nil : error
  }

  // MARK: - Places

  /// Refuses what no file can be called, and makes the folders that lead to a path, as far as they are
  /// missing.
  static func prepare(_ path: String) throws(ReportError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw ReportError(
        "the report \"\(path)\" has no usable path", path: path,
        help: "name a file, such as \"reports/TEST-scenario.xml\"")
    }
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

  /// Returns the reason why a report was not written, for its reader.
  static func failure(_ path: String, _ error: SystemError) -> ReportError {
    ReportError(
      "the report \"\(path)\" could not be written: \(error.text)", path: path,
      help: error.help(forWriting: path), errorNumber: error.code)
  }
}
