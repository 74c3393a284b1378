internal import Glibc

/// A name in a folder, whatever the folder is called.
struct NamePlace: Hashable {
  var folder: FileIdentity
  var name: [UInt8]

  /// All names on the way to what a path names, its own among them.
  ///
  /// - Parameter path: absolute, and without symbolic links; names that are not there are left out.
  static func way(to path: [UInt8]) -> Set<NamePlace> {
    var places: Set<NamePlace> = []
    var rest = path
    while let entry = EntryPath(rest), entry.folder.first == UInt8(ascii: "/") {
      if let folder = FileIdentity(path: String(decoding: entry.folder, as: UTF8.self)) {
        places.insert(NamePlace(folder: folder, name: entry.name))
      }
      rest = entry.folder
    }
    return places
  }
}
