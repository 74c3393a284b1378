package import Foundations
package import OrderedCollections
package import Patterns
package import ScenarioModel

/// Data that is ready but for what only the run knows: `dir` and `request.…`.
package enum PlannedData: Sendable, Hashable, Codable {
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
package struct PlannedText: Sendable, Hashable, Codable {
  /// A part of the text.
  package enum Segment: Sendable, Hashable, Codable {
    /// Ready.
    case literal(String)
    /// Data that the run fills in.
    case run(RunExpression)
  }

  /// The parts in order.
  package var segments: [Segment]

  /// Creates a text.
  package init(segments: [Segment]) {
    self.segments = segments
  }

  /// Creates a text that is ready.
  package init(_ literal: String) {
    segments = [.literal(literal)]
  }
}

/// A path into what only the run knows.
package struct RunExpression: Sendable, Hashable, Codable {
  /// `dir` or `request`.
  package var root: String
  /// Steps into it.
  package var steps: [PathStep]
  /// The place in the scenario file.
  package var range: SourceRange
  /// The computation, where it is more than a path; `root` is then one of its names.
  package var computation: Expression?
  /// True where a map as the value is an error: it could be a document as well as conditions; `nil` elsewhere.
  package var refusesMaps: Bool?

  /// Creates an expression.
  package init(root: String, steps: [PathStep], range: SourceRange) {
    self.root = root
    self.steps = steps
    self.range = range
  }
}

/// The values that are known only in the run, and that a plan may use.
package protocol RunScope {
  /// The value of a root (`dir`, `request`); `nil` if it does not exist here.
  func value(of root: String) -> Value?
  /// Returns the mismatch of a text with a snapshot; `nil` if there is none.
  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch?
  /// After how many steps the search for a regular expression is given up, in each piece of a text.
  var searchLimit: Int { get }
  /// True where the verdict on a case is found, and false where requests are told apart, in which what is missing is
  /// empty.
  var isExpectation: Bool { get }
  /// True where the text that is judged was not UTF-8, and has U+FFFD in place of what is not.
  var isRepaired: Bool { get }
}

extension RunScope {
  /// The maximum number of steps of a search: enough for written data, and some seconds at most.
  package var searchLimit: Int { LinearExpression.stepLimit }
  /// Unless a scope says so, nothing is expected.
  package var isExpectation: Bool { false }
  /// Unless a scope says so, texts are what they were.
  package var isRepaired: Bool { false }
}

/// A name and the condition on its value.
package struct PlannedFieldMatcher: Sendable, Hashable, Codable {
  /// The name.
  package var name: String
  /// The condition.
  package var matcher: PlannedMatcher

  /// Creates a field matcher.
  package init(name: String, matcher: PlannedMatcher) {
    self.name = name
    self.matcher = matcher
  }
}

/// A prefix of paths into XML, and the namespace that it stands for.
package struct PlannedNamespace: Sendable, Hashable, Codable {
  /// The prefix.
  package var prefix: String
  /// The namespace.
  package var namespace: String

  /// Creates an entry.
  package init(prefix: String, namespace: String) {
    self.prefix = prefix
    self.namespace = namespace
  }
}

/// A condition on a value, ready to be checked.
package struct PlannedMatcher: Sendable, Hashable, Codable {
  /// The condition; see `Matcher.Condition` for the meanings.
  package indirect enum Condition: Sendable, Hashable, Codable {
    /// Equal.
    case equals(PlannedData)
    /// The matcher does not hold.
    case not(PlannedMatcher)
    /// Substring, or subset.
    case contains(PlannedData)
    /// The beginning of a text.
    case startsWith(PlannedData)
    /// The end of a text.
    case endsWith(PlannedData)
    /// A regular expression is found.
    case matches(RegularExpression)
    /// A regular expression is found that is known in the run alone.
    case matchesComputed(PlannedData)
    /// The presence, or absence, of a value.
    case exists(Bool)
    /// A kind of value.
    case type([DataType])
    /// A number of characters, elements or members.
    case length(PlannedMatcher)
    /// The emptiness of a value, or the opposite.
    case empty(Bool)
    /// Line by line.
    case lines([PlannedMatcher])
    /// JSON equal to a value.
    case json(PlannedData)
    /// JSON with a subset.
    case jsonSubset(PlannedData)
    /// JSON, at paths.
    case jsonPaths([PlannedFieldMatcher])
    /// The value is one of these.
    case oneOf([PlannedData])
    /// The value is less.
    case lessThan(PlannedData)
    /// Greater.
    case greaterThan(PlannedData)
    /// The value is not less.
    case atLeast(PlannedData)
    /// The value is not greater.
    case atMost(PlannedData)
    /// Both ends included.
    case between(PlannedData, PlannedData)
    /// Equal, or nearly so.
    case near(PlannedData, within: PlannedData)
    /// Every element satisfies the matcher.
    case each(PlannedMatcher)
    /// One element at least satisfies the matcher.
    case any(PlannedMatcher)
    /// All matchers hold.
    case allOf([PlannedMatcher])
    /// Any of the matchers holds.
    case anyOf([PlannedMatcher])
    /// JSON that is valid against a schema.
    case schema(JSONSchema)
    /// The number of lines.
    case lineCount(PlannedMatcher)
    /// The content of a snapshot file.
    case snapshot(PlannedSnapshot)
    /// The text, read as YAML: `json`, `jsonSubset`, `jsonPaths` or `schema` holds of it.
    case yaml(PlannedMatcher)
    /// XML that says the same as a document.
    case xml(PlannedData)
    /// XML, at paths.
    case xmlPaths([PlannedFieldMatcher], namespaces: [PlannedNamespace])
  }

  /// The condition.
  package var condition: Condition
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates a matcher.
  package init(_ condition: Condition, at range: SourceRange) {
    self.condition = condition
    self.range = range
  }
}
