internal import Foundations

/// Paths and the addresses by which clients know files.
package enum DocumentPath {
  private static let scheme = "file://"

  /// The path that an address names, as messages show it: seen from a folder, where it lies below.
  ///
  /// The path of a document that is no file, such as one that was never saved, is the part behind the scheme.
  package static func path(of address: String, seenFrom folder: String) -> String {
    guard address.hasPrefix(scheme) else {
      let name = address.firstIndex(of: ":").map { address[address.index(after: $0)...] }
      return PercentEncoding.decoded(name ?? address[...])
    }
    // A host may stand there; that of this machine is left out (RFC 8089, 2).
    let rest = address.dropFirst(scheme.count)
    let start = rest.firstIndex(of: "/") ?? rest.startIndex
    let path = PathText.join("/", PercentEncoding.decoded(rest[start...]))
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  /// The address of a path.
  package static func address(of path: String, seenFrom folder: String) -> String {
    scheme + PercentEncoding.encodedPath(PathText.join(folder, path).utf8)
  }
}
