internal import Glibc
internal import ScenarioEvents

extension FileTree {
  /// Returns the text of a symbolic link, as readlink(2) gives it; `nil` for what is none.
  static func link(at path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a symbolic link, and replaces a file that exists at its path.
  static func makeLink(to target: String, at path: String) throws(Failure) {
    try makeParents(of: path)
    if symlink(target, path) == 0 { return }
    guard errno == EEXIST, unlink(path) == 0, symlink(target, path) == 0 else {
      throw Failure.system("cannot make the link \"\(path)\"")
    }
  }

  /// Makes a folder, or gives one that is there this mode.
  static func makeFolder(_ path: String, mode: UInt32) throws(Failure) {
    try makeParents(of: path)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST && isFolder(path, followsLinks: false) else {
      throw Failure.system("cannot create \"\(path)\"")
    }
    guard chmod(path, mode_t(mode)) == 0 else {
      throw Failure.system("cannot set the mode of \"\(path)\"")
    }
  }
}
