package import Foundations

/// A file of which only the request says which one it is.
package struct PlannedFileName: Sendable, Hashable, Codable {
  /// The folder that no name leads out of.
  package var folder: String
  /// The path below the folder.
  package var name: PlannedText
  /// The texts of the files that it can be, by their paths, where expressions in them are filled in; `nil` if files are
  /// sent as they are.
  package var texts: [String: PlannedText]?
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates a name.
  package init(folder: String, name: PlannedText, range: SourceRange) {
    self.folder = folder
    self.name = name
    self.range = range
  }

  /// Returns the path of the file that a request means.
  ///
  /// - Throws: `RunScopeError` if an expression has no value, or leads to no file below the folder.
  package func path(in scope: some RunScope) throws(RunScopeError) -> String {
    let name = try self.name.resolve(in: scope)
    if let problem = PathText.problem(inDirectory: name) {
      let place = folder.isEmpty ? "the scenario file's folder" : "\"\(folder)\""
      throw RunScopeError(
        "the file's name is computed: \(problem)", at: range,
        help: "the name must be that of a file below \(place)")
    }
    return PathText.join(folder, name)
  }
}

extension PlannedFileName {
  /// Returns whether a folder below the scenario's own, or a text, is written in it.
  ///
  /// - Parameter home: the scenario's folder, empty for the working directory.
  package func restricts(to home: String) -> Bool {
    PathText.join("", folder) != PathText.join("", home)
      || name.segments.contains { if case .literal(let text) = $0 { text != "/" } else { false } }
  }

  /// Returns whether the name can be that of a file, by the texts that are written in it.
  package func mayMean(_ path: String) -> Bool {
    let start = folder.isEmpty ? "" : folder + "/"
    guard path.utf8.starts(with: start.utf8) else { return false }
    var rest = Substring(path.utf8.dropFirst(start.utf8.count))
    for (index, segment) in name.segments.enumerated() {
      guard case .literal(let text) = segment else { continue }
      if index == 0 {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
      } else if index == name.segments.count - 1 {
        return rest.hasSuffix(text)
      } else {
        guard let found = rest.firstRange(of: text) else { return false }
        rest = rest[found.upperBound...]
      }
    }
    return true
  }
}
