package import Foundations

/// The condition of `xml:`.
package enum XMLCondition: Sendable {
  /// The whole document, written as XML.
  case document(DataNode)
  /// `//path: matcher` pairs, and what prefixes in the paths stand for.
  case paths([FieldMatcher], namespaces: [XMLNamespace])
}

/// An entry of `namespaces:`: a prefix, and the namespace that it stands for.
package struct XMLNamespace: Sendable {
  /// The prefix.
  package var prefix: Located<String>
  /// The namespace.
  package var namespace: Located<String>

  /// Creates an entry.
  package init(prefix: Located<String>, namespace: Located<String>) {
    self.prefix = prefix
    self.namespace = namespace
  }
}
