package import Foundations

/// `file:` of a reply or of a piece of one.
package struct FileContent: Sendable {
  /// The file's path, relative to the scenario file.
  package enum Path: Sendable {
    /// A path that is written out.
    case fixed(Located<String>)
    /// An expression that sees the request.
    case computed(DataNode)
  }

  /// `path:`, or the value itself.
  package var path: Path
  /// `expressions:` whether the text of the file has expressions; no unless said.
  package var hasExpressions: Bool

  /// Creates content.
  package init(_ path: Path, hasExpressions: Bool = false) {
    self.path = path
    self.hasExpressions = hasExpressions
  }
}

extension FileContent {
  /// The content with its path below a folder, unless the path is absolute.
  package func moved(below folder: String) -> FileContent {
    guard !folder.isEmpty else { return self }
    var moved = self
    switch path {
    case .fixed(let path):
      moved.path = .fixed(Located(PathText.join(folder, path.value), at: path.range))
    case .computed(var node):
      guard case .template(var template) = node.content else { return self }
      if case .literal(let start)? = template.segments.first {
        guard !start.hasPrefix("/") else { return self }
        template.segments[0] = .literal(folder + "/" + start)
      } else {
        template.segments.insert(.literal(folder + "/"), at: 0)
      }
      node.content = .template(template)
      moved.path = .computed(node)
    }
    return moved
  }
}
