/// A place as libyaml counts: line and column from 0, in Unicode scalars.
package struct YAMLMark: Hashable, Sendable {
  /// The line.
  package var line: Int
  /// The column.
  package var column: Int
  /// The number of Unicode scalars of the text in front of it.
  var index = 0
}

/// One step through a YAML stream.
package struct YAMLEvent: Sendable {
  /// The kind of a step.
  package enum Kind: Sendable {
    case streamStart
    case streamEnd
    case documentStart
    case documentEnd
    case alias(String)
    case scalar(text: String, style: YAMLScalar.Style, properties: NodeProperties)
    case sequenceStart(NodeProperties)
    case sequenceEnd
    case mappingStart(NodeProperties)
    case mappingEnd
  }

  /// The properties in front of a node.
  package struct NodeProperties: Sendable {
    var anchor: String?
    /// The tag, if the author wrote one.
    package var tag: String?
    /// True if a list or map is in brackets or braces.
    var isFlow = false
  }

  /// The kind of the step.
  package var kind: Kind
  /// The place where it begins.
  package var start: YAMLMark
  /// The place where it ends.
  package var end: YAMLMark
}

/// The reason why libyaml could not go on.
package struct YAMLStreamFailure: Error, Sendable {
  /// libyaml's words.
  var problem: String
  /// The place by line and column.
  var mark: YAMLMark?
  /// The byte offset, for bytes that libyaml's reader refused.
  var offset: Int?
  /// The context that libyaml was reading, in its words.
  var context: String
  /// The place where that began.
  var contextMark: YAMLMark?
}
