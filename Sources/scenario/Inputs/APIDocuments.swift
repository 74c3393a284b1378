internal import Foundations
internal import ScenarioRunner

/// The documents of OpenAPI in a folder, which scenarios name, and which are none themselves.
enum APIDocuments {
  /// The number of bytes in which a document says that it is one.
  private static let beginning = 4_096
  /// The maximum number of files that documents are followed to.
  private static let partLimit = 1_000
  /// The keys with which documents begin.
  private static let keys = ["openapi", "swagger"]

  /// The files that documents among others consist of, themselves among them.
  static func files(among paths: [String]) -> Set<String> {
    let documents = paths.filter { path in
      PathText.yamlEnding(of: path) != nil || path.hasSuffix(".json")
    }.filter { path in
      let bytes = try? FileTree.readBeginning(of: path, count: beginning)
      return bytes.map { isDocument(String(decoding: $0, as: UTF8.self)) } ?? false
    }
    return documents.isEmpty ? [] : parts(of: documents)
  }

  private static func parts(of documents: [String]) -> Set<String> {
    var known = Set(documents)
    var open = documents
    while let path = open.popLast(), known.count < partLimit {
      guard let bytes = try? FileTree.read(path) else { continue }
      for file in references(in: String(decoding: bytes, as: UTF8.self)) {
        let part = PathText.join(PathText.folder(of: path), file)
        if known.insert(part).inserted { open.append(part) }
      }
    }
    return known
  }

  /// The files that a document's references name.
  private static func references(in text: String) -> Set<String> {
    var files: Set<String> = []
    for piece in text.split(separator: "$ref").dropFirst() {
      let rest = piece.drop { "\"': \t".contains($0) }
      let file = rest.prefix { !"#\"'}, \t\r\n".contains($0) }
      guard !file.isEmpty else { continue }
      // Some programs write "\/" for a slash into JSON.
      let path = PercentEncoding.decoded(file.replacing("\\/", with: "/"))
      if !path.contains("://") { files.insert(path) }
    }
    return files
  }

  // MARK: - Recognising

  /// Returns whether a text has a document's key at its top: at the beginning of a line, or among the keys of its first
  /// braces.
  ///
  /// The value is a version: a scenario that has the key at the top by mistake names a file.
  private static func isDocument(_ text: String) -> Bool {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.first == "{" { return hasKey(inBraces: start.dropFirst()) }
    return text.split(whereSeparator: \.isNewline).contains { beginsWithKey($0) }
  }

  /// Looks for the key among those of a map in braces, and not in what these hold.
  private static func hasKey(inBraces text: Substring) -> Bool {
    var rest = text
    var depth = 1
    var quote: Character?
    var isKeyNext = true
    while let letter = rest.first {
      if quote == nil, depth == 1, isKeyNext, !letter.isWhitespace {
        if beginsWithKey(rest) { return true }
        isKeyNext = false
      }
      rest = rest.dropFirst()
      switch letter {
      case "\\" where quote != nil: rest = rest.dropFirst()
      case _ where letter == quote: quote = nil
      case _ where quote != nil: continue
      case "\"", "'": quote = letter
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      case ",": isKeyNext = depth == 1
      default: continue
      }
    }
    return false
  }

  /// Whether a text begins with the key, quoted or not, and a version behind it.
  private static func beginsWithKey(_ text: Substring) -> Bool {
    let isQuoted = text.first == "\"" || text.first == "'"
    let name = isQuoted ? text.dropFirst() : text
    guard let key = keys.first(where: { name.hasPrefix($0) }) else { return false }
    var rest = name.dropFirst(key.count)
    if isQuoted {
      guard rest.first == text.first else { return false }
      rest = rest.dropFirst()
    }
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard rest.first == ":" else { return false }
    let value = rest.dropFirst().drop { $0 == " " || $0 == "\t" || $0 == "\"" || $0 == "'" }
    return value.first?.isNumber == true
  }
}
