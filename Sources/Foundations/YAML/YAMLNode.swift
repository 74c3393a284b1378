/// A node of a YAML document, with its place.
package struct YAMLNode: Sendable {
  /// The content.
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    case mapping([YAMLMember])
  }

  /// The content.
  package var content: Content
  /// The place on the node's first line; an alias has its own place, its content the anchor's.
  package var range: SourceRange
  // A file has millions of nodes, and none of these counts passes 2³¹.
  private var lastLineCount: Int32
  private var sizeCount: Int32
  private var heightCount: Int32

  /// Creates a node.
  package init(content: Content, range: SourceRange, lastLine: Int, size: Int, height: Int) {
    self.content = content
    self.range = range
    lastLineCount = Int32(clamping: lastLine)
    sizeCount = Int32(clamping: size)
    heightCount = Int32(clamping: height)
  }

  /// The last line that belongs to the node.
  package var lastLine: Int {
    get { Int(lastLineCount) }
    set { lastLineCount = Int32(clamping: newValue) }
  }
  /// The number of nodes that the tree below has, this one included.
  package var size: Int { Int(sizeCount) }
  /// The height of the tree below; 1 for a scalar.
  package var height: Int { Int(heightCount) }
}

/// One key of a mapping and its value.
package struct YAMLMember: Sendable {
  /// The key's text.
  package var key: Located<String>
  /// The value.
  package var value: YAMLNode

  /// Creates a member of a map.
  package init(key: Located<String>, value: YAMLNode) {
    self.key = key
    self.value = value
  }
}

/// A scalar as written.
package struct YAMLScalar: Sendable {
  /// The style of writing, which decides what its text means.
  package enum Style: Sendable {
    case plain
    case singleQuoted
    case doubleQuoted
    case literal
    case folded
  }

  /// The text, escapes resolved.
  package var text: String
  /// The style of writing.
  package var style: Style
  /// The core schema tag that the author wrote in front, if any.
  package var tag: CoreTag?

  /// Creates a scalar.
  package init(text: String, style: Style, tag: CoreTag? = nil) {
    self.text = text
    self.style = style
    self.tag = tag
  }
}

/// The tags of the YAML 1.2 core schema.
package enum CoreTag: String, Sendable, CaseIterable {
  case null
  case bool
  case int
  case float
  case str
  case seq
  case map

  private static let prefix = "tag:yaml.org,2002:"

  /// The tag by its full name.
  init?(fullName: String) {
    guard fullName.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(fullName.dropFirst(Self.prefix.count)))
  }
}

extension YAMLNode {
  /// True if there is no value: `key:` alone.
  package var isAbsent: Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.text.isEmpty && scalar.style == .plain && scalar.tag == nil
  }

  /// True if the node is null, written or left out.
  package var isNull: Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.meaning == .null
  }
}
