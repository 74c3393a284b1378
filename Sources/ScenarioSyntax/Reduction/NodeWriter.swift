internal import Foundations

/// Writes the nodes of a YAML document as block YAML that reads back as the same nodes.
struct NodeWriter {
  var text = ""

  /// Writes the members of a map, each on a line of its own.
  mutating func write(_ members: [YAMLMember], indentation: Int) {
    for member in members {
      text += String(repeating: " ", count: indentation) + Self.key(member.key.value) + ":"
      writeValue(member.value, indentation: indentation)
    }
  }

  /// Writes the value behind a colon.
  private mutating func writeValue(_ node: YAMLNode, indentation: Int) {
    switch node.content {
    case .mapping(let members) where !members.isEmpty:
      text += "\n"
      write(members, indentation: indentation + 2)
    case .sequence(let nodes) where !nodes.isEmpty:
      text += "\n"
      write(nodes, indentation: indentation + 2)
    default: text += Self.small(node, indentation: indentation + 2) + "\n"
    }
  }

  private mutating func write(_ nodes: [YAMLNode], indentation: Int) {
    let margin = String(repeating: " ", count: indentation)
    for node in nodes {
      var inner = NodeWriter()
      switch node.content {
      case .mapping(let members) where !members.isEmpty:
        inner.write(members, indentation: indentation + 2)
        text += margin + "- " + inner.text.dropFirst(indentation + 2)
      case .sequence(let nodes) where !nodes.isEmpty:
        inner.write(nodes, indentation: indentation + 2)
        text += margin + "- " + inner.text.dropFirst(indentation + 2)
      default: text += margin + "-" + Self.small(node, indentation: indentation + 2) + "\n"
      }
    }
  }

  /// A scalar or something empty, with a space before it if there is anything.
  private static func small(_ node: YAMLNode, indentation: Int) -> String {
    switch node.content {
    case .mapping: return " {}"
    case .sequence: return " []"
    case .scalar(let scalar):
      let tag = scalar.tag.map { " !!\($0.rawValue)" } ?? ""
      if scalar.style == .plain, scalar.text.isEmpty { return tag }
      return tag + " " + self.scalar(scalar, indentation: indentation)
    }
  }

  private static func scalar(_ scalar: YAMLScalar, indentation: Int) -> String {
    if scalar.style == .plain, !scalar.text.contains("\n") { return scalar.text }
    return YAMLQuoting.block(scalar.text, indentation: indentation)
      ?? YAMLQuoting.quoted(scalar.text)
  }

  private static func key(_ text: String) -> String {
    YAMLQuoting.isPlainWord(text, isASCII: true) ? text : YAMLQuoting.quoted(text)
  }
}

extension YAMLNode {
  private static let nowhere = SourceRange(file: "", line: 1, column: 1)

  private init(_ content: Content) {
    self.init(content: content, range: Self.nowhere, lastLine: 1, size: 1, height: 1)
  }

  /// A list of nodes.
  static func list(_ nodes: [YAMLNode]) -> YAMLNode { YAMLNode(.sequence(nodes)) }

  /// A node for data.
  static func made(_ value: Value) -> YAMLNode {
    switch value {
    case .string(let text):
      YAMLNode(.scalar(YAMLScalar(text: text, style: .doubleQuoted, tag: nil)))
    case .list(let values): .list(values.map { .made($0) })
    case .map(let members):
      YAMLNode(.mapping(members.map { .made($0.key, .made($0.value)) }))
    case .null: YAMLNode(.scalar(YAMLScalar(text: "", style: .plain, tag: nil)))
    default: YAMLNode(.scalar(YAMLScalar(text: value.jsonText(), style: .plain, tag: nil)))
    }
  }
}

extension YAMLMember {
  /// A member with a place nowhere.
  static func made(_ key: String, _ value: YAMLNode) -> YAMLMember {
    YAMLMember(key: Located(key, at: value.range), value: value)
  }
}

extension [YAMLMember] {
  /// The value of a key.
  func node(of key: String) -> YAMLNode? { first { $0.key.value == key }?.value }

  /// The text of a key's scalar.
  func text(of key: String) -> String? { node(of: key)?.scalarText }

  /// Sets the value of a key, in its place or at the end.
  mutating func set(_ key: String, _ value: YAMLNode) {
    if let index = firstIndex(where: { $0.key.value == key }) {
      self[index].value = value
    } else {
      append(.made(key, value))
    }
  }
}
