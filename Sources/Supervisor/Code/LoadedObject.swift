internal import Glibc

/// A file whose code is mapped into a process.
struct LoadedObject {
  /// What makes a file the same as another.
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
  /// What addresses in the file are raised by.
  var base: UInt64
  /// Where its code begins.
  var code: UInt64
  /// Which addresses its mappings take, from the first to the last.
  var range: Range<UInt64>

  /// Returns whether `name` means it: a library's name may leave out what stands behind `.so`, or that as well.
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
