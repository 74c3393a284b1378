internal import Foundations
internal import Glibc

/// A file of the user's own that leads a browser to an address.
///
/// Everybody on the machine may read the command line of a process (proc(5), cmdline), and so the address that it is given; a
/// file is read by whom its mode allows.
final class RedirectFile: Sendable {
  /// The address of the file.
  let address: String
  private let path: String
  private let folder: String

  /// Makes it in a folder of its own; `nil` if that cannot be.
  init?(to address: String) {
    var template = Array("\(ProcessEnvironment.temporaryFolder)/scenario-open.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    folder = String(cString: made)
    path = "\(folder)/open.html"
    self.address = "file://\(PercentEncoding.encodedPath(path.utf8))"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // The address has no character that HTML would read as its own.
    let page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>scenario</title>
      </head>
      <body><a href="\(address)">open the report</a></body>
      </html>

      """
    let isWritten =
      descriptor >= 0 && write(descriptor, page, page.utf8.count) == page.utf8.count
    if descriptor >= 0 { close(descriptor) }
    guard isWritten else {
      remove()
      return nil
    }
  }

  /// Removes it, and its folder.
  func remove() {
    unlink(path)
    rmdir(folder)
  }
}
