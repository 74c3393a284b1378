internal import Foundations
internal import ScenarioModel

/// The files of replies.
extension ScenarioDecoder {
  /// `file:` of a reply or of a piece: a path, or a map.
  mutating func decodeFileContent(_ node: YAMLNode) -> FileContent? {
    guard case .mapping = node.content else {
      return decodeFilePath(node, "file").map { FileContent($0) }
    }
    return decode(
      node, as: Grammar.fileContent, subject: "\"file\"",
      from: FileContent(.fixed(Located("", at: node.range))))
  }

  /// A path that is written out, or has expressions.
  mutating func decodeFilePath(_ node: YAMLNode, _ subject: String) -> FileContent.Path? {
    if node.isTemplate { return decodeTemplate(node, subject).map { .computed($0) } }
    return decodeText(node, subject, example: "write a file's path").map { .fixed($0) }
  }
}
