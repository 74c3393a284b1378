package import Patterns

/// Globs on files, where a folder that one names includes all that is in it.
///
/// A glob that begins neither with `/` nor with `**` counts from the case's directory; `.` is that
/// directory.
package struct DiskGlobs: Sendable {
  private struct Part: Sendable {
    var glob: CompiledGlob?
    /// True if the glob counts from the directory.
    var isRelative: Bool
    /// The folder that contains everything that the glob may match.
    var folder: String
    /// The same of a glob without wildcards.
    var mount: String?
  }

  private let parts: [Part]
  /// The case's directory, with a slash at its end.
  private let directory: String?

  /// Compiles globs.
  ///
  /// - Parameters:
  ///   - files: the globs.
  ///   - directory: the case's directory.
  package init(_ files: [GlobPattern], directory: String?) {
    let directory = directory.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    self.directory = directory
    parts = files.map { pattern in
      let path = PathGlob(pattern.text)
      let (text, isRelative) = (Self.plain(path.text), path.isRelative)
      let literal = text.prefix { !"*?[\\".contains($0) }
      let folder =
        literal.count == text.count ? text : String(literal.prefix(upTo: literal.lastSlash))
      let place =
        isRelative ? Self.joined(directory, folder) : folder.isEmpty ? "/" : folder
      return Part(
        glob: text.isEmpty ? nil : CompiledGlob(text), isRelative: isRelative, folder: place,
        mount: literal.count == text.count ? place : nil)
    }
  }

  /// A glob without `/` behind it, which changes nothing.
  private static func plain(_ text: String) -> String {
    var text = text[...]
    while text.count > 1, text.hasSuffix("/") { text = text.dropLast() }
    if text == "/" { return "/**" }
    return text == "." ? "" : String(text)
  }

  private static func joined(_ directory: String?, _ folder: String) -> String {
    let directory = String((directory ?? "/").dropLast())
    return folder.isEmpty ? directory : "\(directory)/\(folder)"
  }

  /// Returns whether a file matches: it, or a folder that it is in.
  ///
  /// - Parameter path: an absolute path without `.`, `..` and symbolic links.
  package func cover(_ path: String) -> Bool {
    parts.contains { part in
      var rest = path
      if part.isRelative {
        guard let directory else { return false }
        guard rest.hasPrefix(directory) else {
          return part.glob == nil && rest + "/" == directory
        }
        rest.removeFirst(directory.count)
      }
      guard let glob = part.glob else { return true }
      return Self.prefixes(of: rest).contains { glob.matches($0) }
    }
  }

  /// Returns whether a path is a folder that a glob names outright: where the disk itself would be mounted.
  package func areMounted(at path: String) -> Bool { parts.contains { $0.mount == path } }

  /// The files and folders below which all matches are; the case's directory for globs that may
  /// match anywhere.
  package var roots: [String] {
    let directory = directory.map { $0.count > 1 ? String($0.dropLast()) : $0 }
    let all = Set(parts.compactMap { $0.folder == "/" ? directory : $0.folder })
    return all.filter { path in
      !all.contains { $0 != path && path.hasPrefix($0 == "/" ? $0 : $0 + "/") }
    }.sorted()
  }

  /// Returns whether matching files may be in a folder, or below it.
  package func mayStand(in folder: String) -> Bool {
    cover(folder) || parts.contains { $0.folder == folder || folder == "/" }
  }

  /// Returns a path, and the folders that it is in, the longest first.
  private static func prefixes(of path: String) -> [String] {
    var list = [path]
    var rest = path[...]
    while let slash = rest.lastIndex(of: "/"), slash > rest.startIndex {
      rest = rest[..<slash]
      list.append(String(rest))
    }
    return list
  }
}

extension Substring {
  /// The place of the last slash; the beginning if there is none.
  fileprivate var lastSlash: Index { lastIndex(of: "/") ?? startIndex }
}
