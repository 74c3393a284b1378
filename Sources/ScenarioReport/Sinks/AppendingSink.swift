internal import Glibc

/// A sink that adds to the end of a file, as GitHub's step summary wants it: what others have written
/// there stays.
package final class AppendingSink: ReportSink {
  private let path: String

  /// Creates a sink; the file is opened when there is something to write.
  package init(path: String) {
    self.path = path
  }

  /// Adds to the file.
  ///
  /// - Throws: If the file system does not take it.
  package func write(_ text: String) throws(ReportError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o644)
    guard descriptor >= 0 else { throw OpenFile.failure(path, .last) }
    defer { close(descriptor) }
    do {
      try writeAll(text, to: descriptor)
    } catch {
      throw OpenFile.failure(path, error)
    }
  }

  /// Does nothing: every text was written already.
  package func finish() throws(ReportError) {}
}
