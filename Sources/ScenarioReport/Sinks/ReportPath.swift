internal import Glibc

/// The place that a report's path leads to, for telling whether two reports would share one.
package struct ReportPath: Hashable, Sendable {
  private let resolved: String

  /// The path from the root, without links as far as it exists.
  package var absolute: String { resolved }

  /// Resolves as much of the path as there is; what is still to be made is taken as written.
  package init(_ path: String) {
    var existing = path.hasPrefix("/") ? path : "./" + path
    var rest: [Substring] = []
    while !existing.isEmpty {
      if let text = realpath(existing, nil) {
        defer { free(text) }
        resolved = ReportPath.joined(String(cString: text), rest)
        return
      }
      guard let slash = existing.lastIndex(of: "/") else { break }
      rest.insert(existing[existing.index(after: slash)...], at: 0)
      existing = String(existing[..<slash])
    }
    resolved = ReportPath.joined("", rest)
  }

  private static func joined(_ folder: String, _ names: [Substring]) -> String {
    var parts = folder.split(separator: "/")
    for name in names where !name.isEmpty && name != "." {
      if name == ".." { _ = parts.popLast() } else { parts.append(name) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
