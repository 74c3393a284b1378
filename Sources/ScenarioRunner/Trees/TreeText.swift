internal import Foundations

/// The files of a folder as one text, which is a snapshot.
///
/// Each begins with a line `-- path --`; the lines of a text are indented by two spaces.
enum TreeText {
  /// The maximum number of bytes that the text may have.
  private static let limit = 16 << 20

  /// The reason why there is no text.
  enum Problem: Error {
    /// A file cannot be read.
    case unreadable(FileReadError, path: String)
    /// The text is longer than a snapshot may be.
    case tooLong
  }

  /// The text of a folder; files that are no text, or long, are known by their digest.
  static func text(of listing: TreeListing, modes: Bool) throws(Problem) -> String {
    if let problem = listing.problems.first {
      throw .unreadable(.system(errorNumber: problem.errorNumber), path: problem.path.text)
    }
    var text = ""
    for path in listing.paths {
      guard let entry = listing.entries[path] else { continue }
      do throws(FileReadError) {
        try add(path, entry, listing, modes: modes, to: &text)
      } catch {
        throw .unreadable(error, path: path.text)
      }
      guard text.utf8.count <= limit else { throw .tooLong }
    }
    return text
  }

  private static func add(
    _ path: TreePath, _ entry: TreeListing.Entry, _ listing: TreeListing, modes: Bool,
    to text: inout String
  ) throws(FileReadError) {
    let name = name(of: path)
    switch entry.node.kind {
    case .folder: text += "-- \(name)/ --\n"
    case .other: text += "-- \(name) (no file) --\n"
    case .link: text += "-- \(name) -> \(TreePath(bytes: entry.destination).text) --\n"
    case .file:
      var remarks = modes && entry.node.isExecutable ? ["executable"] : []
      let file = TreeFile(listing: listing, path: path)
      guard let content = try file.text() else {
        let (digest, count) = try file.digest()
        remarks += ["\(count) bytes", "sha256 \(digest)"]
        text += "-- \(name) (\(remarks.joined(separator: ", "))) --\n"
        return
      }
      if content.utf8.contains(UInt8(ascii: "\r")) { remarks.append("carriage returns") }
      if !content.isEmpty, content.utf8.last != UInt8(ascii: "\n") {
        remarks.append("no final newline")
      }
      let remark = remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
      text += "-- \(name)\(remark) --\n"
      guard !content.isEmpty else { return }
      var lines = TextLines.split(content)
      if lines.last?.isEmpty == true { lines.removeLast() }
      for line in lines {
        text += line.isEmpty ? "\n" : "  \(line)\n"
      }
    }
  }

  // MARK: - Headers

  /// A path as a header says it: no part of it looks like a remark, or like where a link leads.
  private static func name(of path: TreePath) -> String {
    let text = path.text.replacing(" ->", with: "\\x20->")
    return text.hasSuffix(")") ? text.replacing(" (", with: "\\x20(") : text
  }

  /// The path that a line is the header of; `nil` if it is none.
  static func path(ofHeader line: Substring) -> String? {
    guard line.hasPrefix("-- "), line.hasSuffix(" --"), line.utf8.count > 6 else { return nil }
    let header = line.dropFirst(3).dropLast(3)
    let end =
      header.firstRange(of: " -> ")?.lowerBound
      ?? (header.hasSuffix(")") ? header.ranges(of: " (").last?.lowerBound : nil)
    return String(header[..<(end ?? header.endIndex)])
  }
}
