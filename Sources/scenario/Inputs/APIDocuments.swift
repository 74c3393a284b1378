internal import Foundations
internal import Glibc
internal import ScenarioModel
internal import ScenarioRunner
internal import ScenarioSyntax

/// The documents of OpenAPI in a folder, which scenarios name, and which are none themselves.
enum APIDocuments {
  /// The maximum number of files that documents are followed to.
  private static let partLimit = 1_000
  /// The keys that documents have at their top.
  private static let keys = ["openapi", "swagger"]

  /// The files that documents among others consist of, themselves among them.
  static func files(among paths: [String]) -> Set<String> {
    let documents = paths.filter { path in
      PathText.yamlEnding(of: path) != nil || path.hasSuffix(".json")
    }.filter { path in
      // Few files have such a word, so that few are read as what they are.
      guard let bytes = try? FileTree.read(path), hasKey(bytes)
      else { return false }
      return ScenarioFile.openAPIVersion(in: SourceText(path: path, bytes: bytes)) != nil
    }
    return documents.isEmpty ? [] : parts(of: documents)
  }

  /// Returns whether a text has one of the keys with a colon behind it, be it quoted.
  private static func hasKey(_ bytes: [UInt8]) -> Bool {
    (bytes + [0]).withUnsafeBytes { buffer in
      guard let text = buffer.bindMemory(to: CChar.self).baseAddress else { return false }
      return keys.contains { key in
        var rest = text
        while let found = strstr(rest, key) {
          rest = UnsafePointer(found) + key.utf8.count
          let end = rest + strspn(rest, "\"' \t")
          if end.pointee == CChar(bitPattern: UInt8(ascii: ":")) { return true }
        }
        return false
      }
    }
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
}
