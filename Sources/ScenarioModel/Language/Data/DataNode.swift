package import Foundations

/// Data as an author wrote it: literals, text with expressions in it, and generators (`$build`, …).
package struct DataNode: Hashable, Sendable {
  /// The content of a node.
  package indirect enum Content: Hashable, Sendable {
    /// A literal without any expression.
    case literal(Value)
    /// Text with at least one `${{ … }}`.
    case template(Template)
    /// A list.
    case list([DataNode])
    /// A map, in order.
    case map([DataField])
    /// `{ $seq: START }`, `{ $seq: { start: 1, step: 10 } }`
    case sequence(SequenceRule)
    /// Any other map with a `$key`.
    case generator(DataGenerator)
    /// `{ $build: FACTORY, traits: […], with: {…} }`
    case build(BuildRequest)
  }

  /// The content.
  package var content: Content
  /// The place in the source.
  package var range: SourceRange

  /// Creates a node.
  package init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }
}

/// One key of a map and what belongs to it.
package struct DataField: Hashable, Sendable {
  /// The key.
  package var key: Located<String>
  /// The value.
  package var value: DataNode

  /// Creates a field.
  package init(key: Located<String>, value: DataNode) {
    self.key = key
    self.value = value
  }
}

/// A request for one object of a factory, or for a list of them.
package struct BuildRequest: Hashable, Sendable {
  /// The traits and values that one object of a list has of its own.
  package struct Variant: Hashable, Sendable {
    /// Traits behind those of the whole list.
    package var traits: [Located<String>]
    /// Fields that win over those of the whole list.
    package var overrides: [DataField]

    /// Creates a variant.
    package init(traits: [Located<String>] = [], overrides: [DataField] = []) {
      self.traits = traits
      self.overrides = overrides
    }
  }

  /// The factory's name, or one of its aliases.
  package var factory: Located<String>
  /// Traits in the order in which they apply.
  package var traits: [Located<String>]
  /// Fields that win over everything else; a key may be a dotted path (`address.city`).
  package var overrides: [DataField]
  /// `count:` how many objects; `nil` is one object and no list.
  package var count: DataNode?
  /// `each:` what the objects of a list have of their own, in order.
  package var each: [Variant] = []
  /// `construct:` instead of the factory's own.
  package var construct: ConstructRule?
  /// True if readonly fields may be set: `allow_readonly: true`.
  package var allowsReadonly = false

  /// Creates a request.
  package init(
    factory: Located<String>, traits: [Located<String>] = [], overrides: [DataField] = []
  ) {
    self.factory = factory
    self.traits = traits
    self.overrides = overrides
  }
}

/// Text with expressions: `Hello ${{ user.name }}!`.
///
/// A template that is one expression and nothing else keeps the type of what it names.
package struct Template: Hashable, Sendable {
  /// A part of the text.
  package enum Segment: Hashable, Sendable {
    /// Text without expressions.
    case literal(String)
    /// `${{ … }}`
    case expression(Expression)
  }

  /// The parts in order; never empty, never two literals in a row.
  package var segments: [Segment]

  /// Creates a template.
  package init(segments: [Segment]) {
    self.segments = segments
  }
}
