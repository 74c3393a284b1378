internal import Glibc

/// The folder of a project in which its records stand.
enum RecordFolder {
  /// Opens it, made where it is missing.
  ///
  /// - Returns: its descriptor, or -1 and the error for which there is none.
  static func open(_ path: String) -> (descriptor: Int32, error: Int32) {
    let obstacle = mkdir(path, 0o755) == 0 ? 0 : errno
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor < 0 else { return (descriptor, 0) }
    // What could not be made is not there; why it could not be made says more.
    return (-1, errno == ENOENT && obstacle != 0 && obstacle != EEXIST ? obstacle : errno)
  }
}
