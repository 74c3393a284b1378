internal import Foundations
internal import ScenarioSyntax

/// The answers about a document: each follows from its text and a place in it.
struct DocumentFeatures: Sendable {
  /// The document.
  let document: Document
  /// The files around it.
  let workspace: Workspace
  /// The unit in which the client counts columns.
  let encoding: PositionEncoding
  /// True if the client fills in places of snippets.
  var takesSnippets = false

  /// The offset of a position.
  func offset(_ position: EditorPosition) -> Int { document.text.offset(of: position, encoding) }

  /// The name at a place.
  func occurrence(at position: EditorPosition) -> NameOccurrence? {
    document.names.occurrence(at: offset(position), in: document.text, document.source)
  }

  /// The place of a range of a message.
  func range(_ range: SourceRange) -> EditorRange? {
    document.text.offsets(of: range, in: document.source).map {
      document.text.range(of: $0, encoding)
    }
  }

  /// Returns the scenario that contains a line, both counted from 0.
  func scenario(atLine line: Int) -> Int? {
    guard case .mapping(let members)? = document.names.tree?.content,
      case .sequence(let nodes)? = members.first(where: { $0.key.value == "scenarios" })?.value
        .content
    else { return nil }
    // What is being written behind the last one belongs to it.
    return nodes.lastIndex { $0.range.line <= line + 1 }
  }

  /// The address and range of a name, as messages have it.
  func location(_ found: NameIndex.Found, _ index: NameIndex) -> Value? {
    index.range(of: found, encoding).map { location(found.path, $0) }
  }

  /// An address and a range.
  func location(_ path: String, _ range: EditorRange) -> Value {
    .object(["uri": .string(workspace.address(of: path)), "range": range.value])
  }
}
