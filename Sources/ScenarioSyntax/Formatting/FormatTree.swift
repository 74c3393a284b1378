internal import Foundations

/// A document as its author wrote it: with comments, properties and styles.
struct FormatDocument {
  /// Comments in front of the document's marker.
  var prologue: [FormatLine] = []
  /// Lines that begin with "%".
  var directives: [String] = []
  /// True if "---" is in front.
  var hasStart = false
  /// The comment behind "---".
  var startComment: FormatComment?
  /// Comments in front of a root that is no block.
  var lead: [FormatLine] = []
  /// The document.
  var root: FormatNode
  /// Comments behind a root that is no block.
  var tail: [FormatLine] = []
  /// True if "..." is behind.
  var hasEnd = false
  /// Comments behind "...".
  var epilogue: [FormatLine] = []
}

/// A comment with a line of its own.
struct FormatLine {
  /// The comment.
  var text: String
  /// True if an empty line is in front.
  var hasBlankBefore: Bool
}

/// A node and the comments in front of it.
struct FormatNode {
  /// The content of a node.
  indirect enum Content {
    /// No content.
    case absent
    /// An anchor's name.
    case alias(String)
    /// A scalar.
    case scalar(FormatScalar)
    /// A list or map.
    case collection(FormatCollection)
  }

  /// Anchor and tag as written.
  var properties: String
  /// The content.
  var content: Content
  /// The comment in the line that opens the node.
  var header: FormatComment?
  /// The offset of the node's end.
  var end: Int
}

/// A scalar with its own lines.
struct FormatScalar {
  /// The text as read, without quotes and escapes.
  var text: String
  /// The style in which it is written.
  var style: YAMLScalar.Style
  /// True if a tag is in front.
  var hasTag: Bool
  /// The lines as written: of a block without their indentation, of others without white space
  /// around.
  var lines: [String]
  /// The chomping indicator of a block: `+`, `-` or nothing.
  var chomping = ""

  /// True if it is a block.
  var isBlock: Bool { style == .literal || style == .folded }
}

/// A list or map.
struct FormatCollection {
  /// True if it is a map.
  var isMapping: Bool
  /// True if it is in brackets or braces.
  var isFlow: Bool
  /// Its entries.
  var elements: [FormatElement] = []
  /// Comments behind the last entry.
  var tail: [FormatLine] = []
}

/// An entry of a list or map.
struct FormatElement {
  /// Comments in front.
  var lead: [FormatLine] = []
  /// True if an empty line is between them and the entry.
  var hasBlankBefore = false
  /// The key; `nil` in a list.
  var key: FormatNode?
  /// The value.
  var value: FormatNode
  /// The comment behind, in the same line.
  var trailing: FormatComment?
}
