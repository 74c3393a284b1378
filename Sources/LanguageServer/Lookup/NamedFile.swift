internal import Foundations

/// A file with its names.
struct NamedFile: Sendable {
  /// Its path as messages show it.
  var path: String
  /// Its names.
  var names: FileNames
  /// Its text, cut into lines as readers of YAML do.
  var source: SourceText
  /// Its text.
  var text: DocumentText

  /// The folder that paths in it count from.
  var folder: String {
    let own = PathText.folder(of: path)
    guard case .mapping(let members)? = names.tree?.content,
      let said = members.first(where: { $0.key.value == "folder" })?.value.scalarText
    else { return own }
    return PathText.join(own, said)
  }
}
