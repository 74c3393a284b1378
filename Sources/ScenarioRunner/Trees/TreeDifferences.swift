internal import Foundations

/// The files that differ between two texts of folders, in the format of a snapshot.
struct TreeDifferences {
  /// The maximum number of files that are reported.
  private static let limit = 40

  /// A file, with its remarks and its lines.
  private struct Section {
    var path: String
    var text: String

    /// The bytes by which the kernel distinguishes paths.
    var key: [UInt8] { Array(path.utf8) }
  }

  /// The number of files that differ.
  let count: Int
  /// A line for each file, as far as they are reported.
  let lines: [String]

  /// Compares what a snapshot holds with what it says if it is to hold.
  init(held: String, updated: String) {
    let (old, new) = (Self.sections(of: held), Self.sections(of: updated))
    let known = Dictionary(old.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    let others = Dictionary(new.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    var found: [(key: [UInt8], text: String)] = []
    for section in old {
      guard let other = others[section.key] else {
        found.append((section.key, "missing: \(section.path)"))
        continue
      }
      if !section.text.utf8.elementsEqual(other.text.utf8) {
        found.append((section.key, "different: \(section.path)"))
      }
    }
    for section in new where known[section.key] == nil {
      found.append((section.key, "unexpected: \(section.path)"))
    }
    found.sort { $0.key.lexicographicallyPrecedes($1.key) }
    count = found.count
    let hidden = found.count - Self.limit
    lines = found.prefix(Self.limit).map(\.text) + (hidden > 0 ? ["… \(hidden) more"] : [])
  }

  /// The number of files that differ, in words.
  var summary: String { count == 1 ? "1 file differs" : "\(count) files differ" }

  private static func sections(of text: String) -> [Section] {
    var sections: [Section] = []
    for line in TextLines.split(text) {
      guard let path = TreeText.path(ofHeader: line) else {
        if !sections.isEmpty { sections[sections.count - 1].text += "\n" + line }
        continue
      }
      sections.append(Section(path: path, text: String(line)))
    }
    return sections
  }
}
