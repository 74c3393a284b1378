internal import Glibc

/// The files outside of the case's folders that have got a name within (link(2)): what changes one of them by that
/// name changes it outside.
struct LinkedFiles {
  /// The largest number of files that are listed.
  private static let limit = 100_000

  private var paths: [FileIdentity: String] = [:]

  var isEmpty: Bool { paths.isEmpty }

  /// A file gets a name within.
  ///
  /// - Parameter path: its path outside.
  mutating func add(_ status: stat, path: String) {
    guard paths.count < Self.limit else { return }
    paths[FileIdentity(status)] = path
  }

  /// The path outside of a file; `nil` if it has none, or has it no more.
  func path(of status: stat?) -> String? {
    guard !paths.isEmpty, let status, status.st_nlink > 1 else { return nil }
    let identity = FileIdentity(status)
    guard let path = paths[identity] else { return nil }
    // Another file may have got the number of one that is gone.
    var named = stat()
    return lstat(path, &named) == 0 && FileIdentity(named) == identity ? path : nil
  }
}
