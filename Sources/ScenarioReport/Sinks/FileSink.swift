internal import Glibc

/// A sink that writes a file which is whole or not there.
///
/// The text goes to a file without a name where the file system has such (open(2), O_TMPFILE), so that nothing
/// stays of a run that is killed, and elsewhere to `PATH.RANDOM.part`; `finish()` makes it durable and gives it
/// its name. Two runs that write one report do not meet: the one that ends last has it. A reader never sees
/// half a report, and an earlier report stays until the new one is complete. A symbolic link stays one: the
/// file that it leads to is replaced. What is no file at all, such as a FIFO or a device, is written to as it
/// is.
package final class FileSink: ReportSink {
  /// The report's path, as the caller named it.
  package var path: String { file.path }
  /// The file's final path; `nil` where the text goes to its place at once.
  private let final: String?
  /// The file's path meanwhile; `nil` where it has no name.
  private var partial: String?
  private var file: OpenFile

  /// Opens a file to be renamed, with the folders that lead to it, or what stands at the path if it is no file.
  ///
  /// - Parameter mode: who may do what with the file, as far as umask(2) lets them.
  /// - Throws: If the path cannot be written to.
  package init(path: String, mode: UInt32 = 0o644) throws(ReportError) {
    try OpenFile.prepare(path)
    final = try FileSink.replaced(by: path)
    guard let final else {
      file = try OpenFile(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), path: path)
      return
    }
    if let nameless = FileSink.openNameless(besides: final, mode) {
      file = try OpenFile(nameless, path: path)
      return
    }
    let (partial, descriptor) = try FileSink.named(for: final, path) { name in
      open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    }
    self.partial = partial
    file = try OpenFile(descriptor, path: path)
  }

  deinit {
    if file.isOpen, let partial { unlink(partial) }
  }

  /// Appends to the text.
  ///
  /// - Throws: If the file system takes no more.
  package func write(_ text: String) throws(ReportError) {
    try file.write(text)
  }

  /// Makes the file durable and gives it its name.
  ///
  /// - Throws: If the file system refuses either; nothing is left behind then.
  package func finish() throws(ReportError) {
    guard file.isOpen else { return }
    var name = partial
    var error = try file.finish(isNamed: false) { [final, path] descriptor throws(ReportError) in
      guard let final, name == nil else { return }
      // rename(2) replaces what has the name, and linkat(2) does not.
      name = try FileSink.named(for: final, path) { name in
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW)
      }.name
    }
    if error == nil, let final, let name, rename(name, final) != 0 { error = .last }
    guard let error else { return }
    if let name { unlink(name) }
    throw OpenFile.failure(path, error)
  }

  // MARK: - Places

  /// O_TMPFILE of asm-generic/fcntl.h.
  private static let nameless: Int32 = 0o20_000_000 | O_DIRECTORY

  /// A file without a name in the folder of another; `nil` where there can be none, or where it could not be
  /// given one later (open(2) says how: by /proc).
  private static func openNameless(besides path: String, _ mode: mode_t) -> Int32? {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_WRONLY | nameless | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return nil }
    guard access("/proc/self/fd/\(descriptor)", F_OK) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Makes a file beside another, under a name that nothing has.
  ///
  /// - Parameter make: makes it; below 0, with EEXIST, where there is one.
  private static func named(
    for final: String, _ path: String, _ make: (String) -> Int32
  ) throws(ReportError) -> (name: String, result: Int32) {
    while true {
      let mark = String(UInt32.random(in: .min ... .max), radix: 36)
      let name = "\(final).\(mark).part"
      let result = make(name)
      if result >= 0 { return (name, result) }
      guard errno == EEXIST else { throw OpenFile.failure(path, .last) }
    }
  }

  /// The path of the file that is replaced; `nil` if there is something that is not to be replaced.
  private static func replaced(by path: String) throws(ReportError) -> String? {
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: throw OpenFile.failure(path, SystemError(code: EISDIR))
      case S_IFREG: break
      default: return nil
      }
    } else if errno != ENOENT {
      throw OpenFile.failure(path, .last)
    }
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let target = realpath(path, nil) else {
      throw ReportError(
        "the report \"\(path)\" is a broken symbolic link", path: path,
        help: "remove the link, or create its target")
    }
    defer { free(target) }
    return String(cString: target)
  }
}
