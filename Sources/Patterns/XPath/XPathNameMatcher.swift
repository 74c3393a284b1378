/// A test of nodes, whose name is looked up once among the document's names.
struct XPathNameMatcher {
  private enum Kind {
    case node
    case text
    case comment
    case instruction
    case named
  }

  private let kind: Kind
  private let principal: XMLDocument.Kind
  /// Whether each of the document's names is meant; `nil` for any.
  private let isMeant: [Bool]?

  init(_ step: XPathStep, _ document: XMLDocument, _ namespaces: [String: String]) {
    principal = step.axis == .attribute ? .attribute : .element
    let names = document.names
    func isOf(_ prefix: String, _ name: XMLDocument.Name) -> Bool {
      namespaces[prefix].map { $0 == name.namespace } ?? (prefix == name.prefix)
    }
    switch step.test {
    case .node: (kind, isMeant) = (.node, nil)
    case .text: (kind, isMeant) = (.text, nil)
    case .comment: (kind, isMeant) = (.comment, nil)
    case .instruction(nil): (kind, isMeant) = (.instruction, nil)
    case .instruction(let target?):
      (kind, isMeant) = (.instruction, names.map { $0.prefix.isEmpty && $0.local == target })
    case .anyName: (kind, isMeant) = (.named, nil)
    case .anyNameWith(let prefix): (kind, isMeant) = (.named, names.map { isOf(prefix, $0) })
    case .name("", let local): (kind, isMeant) = (.named, names.map { $0.local == local })
    case .name(let prefix, let local):
      (kind, isMeant) = (.named, names.map { $0.local == local && isOf(prefix, $0) })
    }
  }

  func matches(_ document: XMLDocument, _ index: Int) -> Bool {
    let node = document.nodes[index]
    switch kind {
    case .node: return true
    case .text: return node.kind == .text
    case .comment: return node.kind == .comment
    case .instruction: guard node.kind == .instruction else { return false }
    case .named: guard node.kind == principal else { return false }
    }
    return isMeant?[Int(node.name)] ?? true
  }
}
