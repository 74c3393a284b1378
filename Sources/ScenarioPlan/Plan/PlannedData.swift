public import OrderedCollections
public import ScenarioModel

/// Data that is ready but for what only the run knows: `dir` and `request.…`.
public enum PlannedData: Sendable, Hashable, Codable {
  /// Ready.
  case value(Value)
  /// Text to be filled in; one lone expression keeps its type.
  case text(PlannedText)
  /// A list with at least one part to be filled in.
  case list([PlannedData])
  /// A map with at least one part to be filled in.
  case map(OrderedDictionary<String, PlannedData>)
}

/// Text that is ready but for what only the run knows.
public struct PlannedText: Sendable, Hashable, Codable {
  /// A part of the text.
  public enum Segment: Sendable, Hashable, Codable {
    /// Ready.
    case literal(String)
    /// To be filled in by the run.
    case run(RunExpression)
  }

  /// The parts in order.
  public var segments: [Segment]

  /// Creates a text.
  public init(segments: [Segment]) {
    self.segments = segments
  }

  /// Creates a text that is ready.
  public init(_ literal: String) {
    segments = [.literal(literal)]
  }
}

/// A path into what only the run knows.
public struct RunExpression: Sendable, Hashable, Codable {
  /// `dir` or `request`.
  public var root: String
  /// Steps into it.
  public var steps: [PathStep]
  /// Where the author wrote it.
  public var range: SourceRange
  /// What is computed, where it is more than a path; `root` is then one of its names.
  public var computation: Expression?

  /// Creates an expression.
  public init(root: String, steps: [PathStep], range: SourceRange) {
    self.root = root
    self.steps = steps
    self.range = range
  }
}

/// What the run knows and a plan may ask for.
public protocol RunScope {
  /// The value of a root (`dir`, `request`); `nil` if it does not exist here.
  func value(of root: String) -> Value?
  /// Why a text is not what a snapshot holds; `nil` if it is.
  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch?
  /// After how many steps the search for a regular expression is given up, in each piece of a text.
  var searchLimit: Int { get }
}

extension RunScope {
  /// Enough for what anybody writes, and some seconds at most.
  public var searchLimit: Int { LinearExpression.stepLimit }
}

/// A name and the condition on its value.
public struct PlannedFieldMatcher: Sendable, Hashable, Codable {
  /// The name.
  public var name: String
  /// The condition.
  public var matcher: PlannedMatcher

  /// Creates a field matcher.
  public init(name: String, matcher: PlannedMatcher) {
    self.name = name
    self.matcher = matcher
  }
}

/// A condition on a value, ready to be checked.
public struct PlannedMatcher: Sendable, Hashable, Codable {
  /// The condition; see `Matcher.Condition` for the meanings.
  public indirect enum Condition: Sendable, Hashable, Codable {
    /// Equal.
    case equals(PlannedData)
    /// Not so.
    case not(PlannedMatcher)
    /// Substring, or subset.
    case contains(PlannedData)
    /// A regular expression is found.
    case matches(RegularExpression)
    /// Nothing, or something, there.
    case empty(Bool)
    /// Line by line.
    case lines([PlannedMatcher])
    /// JSON equal to a value.
    case json(PlannedData)
    /// JSON with a subset.
    case jsonSubset(PlannedData)
    /// JSON, at paths.
    case jsonPaths([PlannedFieldMatcher])
    /// One of these.
    case oneOf([PlannedData])
    /// Less.
    case lessThan(PlannedData)
    /// Greater.
    case greaterThan(PlannedData)
    /// Both ends included.
    case between(PlannedData, PlannedData)
    /// All.
    case allOf([PlannedMatcher])
    /// Any.
    case anyOf([PlannedMatcher])
    /// JSON that is valid against a schema.
    case schema(JSONSchema)
    /// How many lines there are.
    case lineCount(PlannedMatcher)
    /// What a file holds.
    case snapshot(PlannedSnapshot)
    /// The text, read as YAML: `json`, `jsonSubset`, `jsonPaths` or `schema` holds of it.
    case yaml(PlannedMatcher)
  }

  /// The condition.
  public var condition: Condition
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a matcher.
  public init(_ condition: Condition, at range: SourceRange) {
    self.condition = condition
    self.range = range
  }
}
