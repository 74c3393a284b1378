internal import Foundations
internal import Glibc

/// The symbolic links on the way to a file, and the path behind them.
package struct SymlinkChain: Sendable, Hashable {
  /// The links, each by a path whose folder has none.
  package private(set) var links: Set<String> = []
  /// The file behind them, as far as there is one.
  package private(set) var end = "/"

  /// The largest number of links that the kernel follows (path_resolution(7)).
  private static let limit = 40

  /// Follows a path from the root.
  package init(_ path: String) {
    var rest = Array(path.split(separator: "/").map(String.init).reversed())
    var count = 0
    while let part = rest.popLast() {
      guard part != "." else { continue }
      guard part != ".." else {
        end = end.parentFolder.isEmpty ? "/" : end.parentFolder
        continue
      }
      let place = end == "/" ? "/\(part)" : "\(end)/\(part)"
      guard count < Self.limit, let target = Self.target(of: place) else {
        end = place
        continue
      }
      count += 1
      links.insert(place)
      if target.hasPrefix("/") { end = "/" }
      rest += target.split(separator: "/").map(String.init).reversed()
    }
  }

  /// Reads a link; `nil` for what is none.
  private static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
