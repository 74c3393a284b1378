internal import Foundations
internal import Glibc

/// An errno value with the words that belong to it.
struct SystemError: Error, Hashable {
  let code: Int32

  /// The errno of this thread's last failed call.
  static var last: SystemError { SystemError(code: errno) }

  /// The system's own words.
  var text: String { SystemText.error(code) }

  /// Advice for a file that cannot be written, where there is a usual cause.
  func help(forWriting path: String) -> String? {
    switch code {
    case EACCES, EPERM:
      "choose a path that this user can write to, or change the folder's permissions"
    case EROFS: "choose a path on a writable file system"
    case ENOSPC, EDQUOT: "free some space, or choose a path on another file system"
    case ENOTDIR, EEXIST: "a part of the path is a file; choose a path whose parts are folders"
    case EISDIR: "name a file, such as \"\(path)/TEST-scenario.xml\""
    case ENAMETOOLONG: "choose a shorter path"
    default: nil
    }
  }
}
