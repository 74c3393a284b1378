internal import Glibc

/// The path of an open file or of a program, read from the kernel's links (proc(5): /proc/PID/fd, /proc/PID/exe).
enum KernelPath {
  /// The text that the kernel adds to the path of a file whose name is gone.
  private static let mark = " (deleted)"

  /// Where one of the kernel's links leads, without what the kernel adds; `nil` if it cannot be read.
  static func target(of place: String) -> String? {
    SmallFile.link(place).map { plain($0, of: place) }
  }

  /// Returns the path in one of the kernel's links, without the kernel's suffix.
  static func plain(_ link: String, of place: String) -> String {
    plain(link) {
      var own = stat()
      var named = stat()
      return stat(place, &own) == 0 && lstat(link, &named) == 0
        && FileIdentity(own) == FileIdentity(named)
    }
  }

  /// A path without what the kernel adds to it.
  ///
  /// A file that has lost its name has its last one. One that never had a name (open(2): O_TMPFILE)
  /// is called `#` in its folder, as the number that the kernel gives it is another in each run.
  ///
  /// - Parameters:
  ///   - link: the text of the kernel's link.
  ///   - isName: whether the file has just that name, mark and all.
  static func plain(_ link: String, isName: () -> Bool) -> String {
    guard link.hasSuffix(mark), !isName() else { return link }
    let path = link.dropLast(mark.count)
    guard let slash = path.lastIndex(of: "/") else { return String(path) }
    let name = path[path.index(after: slash)...]
    let isNameless =
      name.first == "#" && name.count > 1 && name.dropFirst().allSatisfy(\.isASCIIDigit)
    return String(isNameless ? path[...slash] + "#" : path)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
