internal import Foundations
internal import Glibc

/// The entries of folders (readdir(3)).
enum FolderEntries {
  /// The names in a folder but `.` and `..`, as bytes and in the kernel's order; `nil` if it cannot be read.
  static func names(in path: String) -> [[UInt8]]? {
    opendir(path).map(read)
  }

  /// The same as text; none if it cannot be read.
  static func texts(in path: String) -> [String] {
    (names(in: path) ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same of a folder behind a descriptor, which may be one of O_PATH and stays where it is.
  static func names(in descriptor: Int32) -> [[UInt8]]? {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return nil }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return nil
    }
    return read(stream)
  }

  private static func read(_ stream: OpaquePointer) -> [[UInt8]] {
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = Array(entry.name)
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }
}
