internal import Foundations

/// A document some scalars of which get another text, while everything else stays as it is written.
struct EditableDocument: Sendable {
  /// Its tree.
  var root: YAMLNode
  /// Its text.
  var source: SourceText

  /// Each value of the document with the path of keys that leads to it; entries of lists are `*`.
  ///
  /// What an alias stands for is seen where its anchor is.
  func members() -> [(path: [String], member: YAMLMember)] {
    var found: [(path: [String], member: YAMLMember)] = []
    func walk(_ node: YAMLNode, _ path: [String]) {
      guard !isAlias(node) else { return }
      switch node.content {
      case .scalar: break
      case .sequence(let nodes): for node in nodes { walk(node, path + ["*"]) }
      case .mapping(let members):
        for member in members {
          let own = path + [member.key.value]
          found.append((own, member))
          walk(member.value, own)
        }
      }
    }
    walk(root, [])
    return found
  }

  /// The edit that gives a key another name.
  func rename(_ key: Located<String>, to name: String) -> TextEdit? {
    edit(key.range, name)
  }

  /// The edit that gives a scalar of one line another text.
  func replace(_ node: YAMLNode, with text: String) -> TextEdit? {
    guard case .scalar = node.content, !isAlias(node), !node.isAbsent else { return nil }
    return edit(node.range, text)
  }

  private func isAlias(_ node: YAMLNode) -> Bool {
    written(node.range).first == "*"
  }

  private func written(_ range: SourceRange) -> String.UnicodeScalarView.SubSequence {
    (source.line(range.line) ?? "").unicodeScalars.dropFirst(range.column - 1).prefix(range.length)
  }

  /// An anchor and a tag in front stay.
  private func edit(_ range: SourceRange, _ text: String) -> TextEdit? {
    var rest = written(range)
    var passed = 0
    while rest.first == "&" || rest.first == "!" {
      guard let space = rest.firstIndex(of: " ") else { return nil }
      let behind = rest[space...].drop { $0 == " " }
      passed += rest.count - behind.count
      rest = behind
    }
    guard !rest.isEmpty else { return nil }
    return TextEdit(
      range: SourceRange(
        file: range.file, line: range.line, column: range.column + passed, length: rest.count),
      replacement: text)
  }
}
