internal import Glibc

/// A sink that writes a file in its place, line by line: what a run has won so far can be read whatever
/// becomes of the run.
///
/// Each text is one write(2), so that a process that is killed leaves whole lines. Two runs that write to one
/// file would tear each other's lines: the second is refused (flock(2)). What is no file at all, such as a
/// FIFO, is written to as it is.
package final class JournalSink: ReportSink {
  private var file: OpenFile

  /// Opens the file, with the folders that lead to it, and empties it.
  ///
  /// - Throws: If the path cannot be written to, or another run writes there.
  package init(path: String) throws(ReportError) {
    try OpenFile.prepare(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o644)
    file = try OpenFile(descriptor, path: path)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    // Where a file system has no locks, writers cannot be distinguished.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw ReportError(
        "the report \"\(path)\" is being written by another run", path: path,
        help: "wait until that run ends, or give each run a path of its own")
    }
    guard ftruncate(descriptor, 0) == 0 else { throw OpenFile.failure(path, .last) }
  }

  /// Appends to the file.
  ///
  /// - Throws: If the file system takes no more.
  package func write(_ text: String) throws(ReportError) {
    try file.write(text)
  }

  /// Makes the file durable.
  ///
  /// - Throws: If the file system refuses, or if the file has been removed meanwhile.
  package func finish() throws(ReportError) {
    guard let error = try file.finish(isNamed: true) else { return }
    throw OpenFile.failure(file.path, error)
  }
}
