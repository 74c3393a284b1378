internal import ScenarioModel
internal import ScenarioPlan

/// All files of a folder as one text, which a snapshot holds.
///
/// Each begins with a line `-- path --`; the lines of a text are indented by two spaces.
enum TreeText {
  /// How many bytes the text may have.
  private static let limit = 16 << 20

  /// Why there is no text.
  enum Problem: Error {
    /// A file cannot be read.
    case unreadable(FileReadError, path: String)
    /// There is more than a snapshot may hold.
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
    switch entry.node.kind {
    case .folder: text += "-- \(path.text)/ --\n"
    case .other: text += "-- \(path.text) (no file) --\n"
    case .link: text += "-- \(path.text) -> \(TreePath(bytes: entry.destination).text) --\n"
    case .file:
      var remarks = modes && entry.node.isExecutable ? ["executable"] : []
      let file = TreeFile(listing: listing, path: path)
      guard let content = try file.text() else {
        let (digest, count) = try file.digest()
        remarks += ["\(count) bytes", "sha256 \(digest)"]
        text += "-- \(path.text) (\(remarks.joined(separator: ", "))) --\n"
        return
      }
      if content.utf8.contains(UInt8(ascii: "\r")) { remarks.append("carriage returns") }
      if !content.isEmpty, content.utf8.last != UInt8(ascii: "\n") {
        remarks.append("no final newline")
      }
      let remark = remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
      text += "-- \(path.text)\(remark) --\n"
      guard !content.isEmpty else { return }
      var lines = TextLines.split(content)
      if lines.last?.isEmpty == true { lines.removeLast() }
      for line in lines {
        text += line.isEmpty ? "\n" : "  \(line)\n"
      }
    }
  }

  // MARK: - What differs

  /// Which files differ between two texts of folders.
  static func differences(held: String, actual: String) -> [String] {
    let (old, new) = (sections(of: held), sections(of: actual))
    let bodies = Dictionary(old, uniquingKeysWith: { $1 })
    let others = Dictionary(new, uniquingKeysWith: { $1 })
    var lines: [(path: String, text: String)] = []
    for (path, body) in old {
      guard let found = others[path] else {
        lines.append((path, "missing: \(path)"))
        continue
      }
      if !SnapshotText(body).matches(found) { lines.append((path, "different: \(path)")) }
    }
    for (path, _) in new where bodies[path] == nil { lines.append((path, "unexpected: \(path)")) }
    let sorted = lines.sorted { $0.path < $1.path }.map(\.text)
    let shown = 40
    return sorted.count > shown
      ? sorted.prefix(shown) + ["… \(sorted.count - shown) more"] : sorted
  }

  /// The paths, each with its remarks and its lines.
  private static func sections(of text: String) -> [(String, String)] {
    var sections: [(String, String)] = []
    for line in TextLines.split(text) {
      guard line.hasPrefix("-- "), line.hasSuffix(" --"), line.utf8.count > 6 else {
        if !sections.isEmpty { sections[sections.count - 1].1 += "\n" + line }
        continue
      }
      let header = line.dropFirst(3).dropLast(3)
      let end =
        header.firstRange(of: " -> ")?.lowerBound
        ?? (header.hasSuffix(")") ? header.lastRange(of: " (")?.lowerBound : nil)
      sections.append((String(header[..<(end ?? header.endIndex)]), String(header)))
    }
    return sections
  }
}

extension Substring {
  /// Where a text stands last.
  fileprivate func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }
}
