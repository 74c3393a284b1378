internal import Glibc

/// A file whose code is mapped into a process.
struct LoadedObject {
  /// The properties by which a file is recognized as the same.
  struct Identity: Hashable {
    var device: UInt
    var number: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  /// The path as the process's mappings show it.
  var path: String
  /// The file's name without its folder.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  /// The load bias: the difference between addresses in memory and in the file.
  var base: UInt64
  /// The start address of its code.
  var code: UInt64
  /// The addresses of its mappings, from the first to the last.
  var range: Range<UInt64>

  /// Returns whether `name` means it: a library's name may leave out the part behind `.so`, or that
  /// as well.
  func isLibrary(named name: String) -> Bool {
    Self.isLibrary(path, named: name)
  }

  /// The same of a file that is not loaded yet.
  static func isLibrary(_ path: String, named name: String) -> Bool {
    let own = path.split(separator: "/").last.map(String.init) ?? path
    return own == name || own.hasPrefix(name + ".so") || own.hasPrefix(name + ".")
      || (name.contains("/") && path.hasSuffix(name))
  }
}
