/// Data as an author wrote it: literals, text with expressions in it, and generators (`$build`, …).
public struct DataNode: Hashable, Sendable {
  /// What stands there.
  public indirect enum Content: Hashable, Sendable {
    /// A literal without any expression.
    case literal(Value)
    /// Text with at least one `${{ … }}`.
    case template(Template)
    /// A list.
    case list([DataNode])
    /// A map, in order.
    case map([DataField])
    /// `{ $seq: START }`, `{ $seq: { start: 1, step: 10 } }`
    case sequence(start: Int64, step: Int64)
    /// `{ $build: FACTORY, traits: […], with: {…} }`
    case build(BuildRequest)
  }

  /// What stands there.
  public var content: Content
  /// Where it stands.
  public var range: SourceRange

  /// Creates a node.
  public init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }
}

/// One key of a map and what belongs to it.
public struct DataField: Hashable, Sendable {
  /// The key.
  public var key: Located<String>
  /// The value.
  public var value: DataNode

  /// Creates a field.
  public init(key: Located<String>, value: DataNode) {
    self.key = key
    self.value = value
  }
}

/// A wish for one object of a factory.
public struct BuildRequest: Hashable, Sendable {
  /// The factory's name.
  public var factory: Located<String>
  /// Traits in the order in which they apply.
  public var traits: [Located<String>]
  /// Fields that win over everything else; a key may be a dotted path (`address.city`).
  public var overrides: [DataField]

  /// Creates a request.
  public init(
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
public struct Template: Hashable, Sendable {
  /// A part of the text.
  public enum Segment: Hashable, Sendable {
    /// Text as it stands.
    case literal(String)
    /// `${{ … }}`
    case expression(Expression)
  }

  /// The parts in order; never empty, never two literals in a row.
  public var segments: [Segment]

  /// Creates a template.
  public init(segments: [Segment]) {
    self.segments = segments
  }
}

/// What may stand inside `${{ … }}`.
public indirect enum Expression: Hashable, Sendable {
  /// A value written out: text in single quotes, a number, true, false, null.
  case literal(Value)
  /// A path such as `build.user.tags[0]`: the root's name, then steps into it.
  case path(root: Located<String>, steps: [PathStep])
  /// A function of the language, such as `lower(name)`.
  case call(function: Located<String>, arguments: [Expression])
}

/// One step into a value.
public enum PathStep: Hashable, Sendable, Codable {
  /// A key of a map.
  case key(String)
  /// A place in a list, from 0.
  case index(Int)
}
