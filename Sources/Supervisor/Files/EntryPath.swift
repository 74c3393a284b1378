/// A path, split into the folder and the name of the entry in it that a call makes or removes.
///
/// Names are bytes, not text: the kernel forbids only "/" and zero in them.
struct EntryPath: Equatable {
  /// The path of the folder; empty where it is the one from which the path counts.
  var folder: [UInt8]
  /// The entry's name.
  var name: [UInt8]

  /// Splits a path; `nil` where its end is no entry's name, which every such call refuses.
  ///
  /// path_resolution(7): slashes at the end do not count.
  init?(_ path: [UInt8]) {
    let slash = UInt8(ascii: "/")
    guard let last = path.lastIndex(where: { $0 != slash }) else { return nil }
    let start = path[...last].lastIndex(of: slash).map { $0 + 1 } ?? 0
    name = Array(path[start...last])
    folder = Array(path[..<start])
    let dot = UInt8(ascii: ".")
    guard name != [dot], name != [dot, dot] else { return nil }
  }
}
