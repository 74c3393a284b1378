internal import Glibc

/// The way of a path through symbolic links (path_resolution(7)).
enum LinkWalk {
  /// The largest number of links that are followed; more are a circle: ELOOP.
  private static let limit = 40

  /// The symbolic links that a path goes through, by paths without links, in order; one at its end is among them.
  ///
  /// - Parameter folder: Where a relative path begins, without links.
  static func links(through path: [UInt8], from folder: String) -> [String] {
    var found: [String] = []
    var place = folder == "/" ? "" : folder
    var rest = parts(of: path)[...]
    while let name = rest.popFirst() {
      if name == ".." {
        place = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
        continue
      }
      let entry = "\(place)/\(name)"
      guard let target = target(of: entry) else {
        place = entry
        continue
      }
      found.append(entry)
      guard found.count < limit else { break }
      if target.first == UInt8(ascii: "/") { place = "" }
      rest = parts(of: target)[...] + rest
    }
    return found
  }

  private static func parts(of path: [UInt8]) -> [String] {
    path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." }
  }

  /// Returns the path that a link leads to; `nil` for what is none.
  private static func target(of path: String) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &buffer, buffer.count)
    return count < 0 ? nil : buffer.prefix(count).map { UInt8(bitPattern: $0) }
  }
}
