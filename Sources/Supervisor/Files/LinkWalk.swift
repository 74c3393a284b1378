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
    follow(path, from: folder) { place, isLink in
      if isLink { found.append(place) }
    }
    return found
  }

  /// Returns a path whose way goes through a link that differs from process to process, with what that link leads to in
  /// the place of all before it; `nil` if it goes through none.
  ///
  /// - Parameters:
  ///   - links: The texts of these links, by their paths.
  ///   - folder: Where a relative path begins, without links.
  static func replacing(
    _ links: [String: String], in path: [UInt8], from folder: String
  ) -> [UInt8]? {
    var found: [UInt8]?
    walk(path, from: folder, links: [:]) { place, _, rest in
      guard let target = links[place], let parent = place.lastIndex(of: "/") else { return true }
      // path_resolution(7): a slash at the end asks for a folder.
      let end = path.last == UInt8(ascii: "/") ? [""] : []
      found = Array(([place[...parent] + target] + rest + end).joined(separator: "/").utf8)
      return false
    }
    return found
  }

  /// Goes the way of a path through symbolic links.
  ///
  /// - Parameters:
  ///   - folder: Where a relative path begins, without links.
  ///   - links: The texts of links that differ from process to process, by their paths (proc(5): /proc/self).
  ///   - visit: Called with the path, without links before its last name, of each file and link on the way.
  static func follow(
    _ path: [UInt8], from folder: String, links: [String: String] = [:],
    _ visit: (_ place: String, _ isLink: Bool) -> Void
  ) {
    walk(path, from: folder, links: links) { place, isLink, _ in
      visit(place, isLink)
      return true
    }
  }

  /// - Parameter visit: Gets the names behind a place, too, and returns whether the walk goes on.
  private static func walk(
    _ path: [UInt8], from folder: String, links: [String: String],
    _ visit: (_ place: String, _ isLink: Bool, _ rest: ArraySlice<String>) -> Bool
  ) {
    var count = 0
    var place = folder == "/" || path.first == UInt8(ascii: "/") ? "" : folder
    var rest = parts(of: path)[...]
    while let name = rest.popFirst() {
      if name == ".." {
        place = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
        continue
      }
      let entry = "\(place)/\(name)"
      let target = links[entry].map { Array($0.utf8) } ?? target(of: entry)
      guard visit(entry, target != nil, rest) else { return }
      guard let target else {
        place = entry
        continue
      }
      count += 1
      guard count < limit else { break }
      if target.first == UInt8(ascii: "/") { place = "" }
      rest = parts(of: target)[...] + rest
    }
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
