package import Foundations

/// A map of data that makes a value: `{ $pick: [a, b] }`.
///
/// Objects and plain sequences have cases of their own in `DataNode.Content`.
package indirect enum DataGenerator: Hashable, Sendable {
  /// `$next: NAME` draws from a sequence of `sequences:`.
  case next(Located<String>)
  /// `$seq: […]`, `$iterate: […]`, `$cycle: […]`: one value after the other.
  case values([DataNode], isEndless: Bool)
  /// `$pick: […]`, `$pick: { value: weight }`
  case pick([WeightedData])
  /// `$pick: "${{ … }}"` from a list that an expression gives.
  case choice(DataNode)
  /// `$maybe: { p: 0.3, then: …, else: … }`
  case maybe(Double, then: DataNode, otherwise: DataNode?)
  /// `$list: { count: 3, of: … }`
  case list(count: DataNode, of: DataNode)
  /// `$int: [1, 6]`, `$int: { min: 0, max: 100, step: 5 }`
  case integer(ClosedRange<Int64>, step: Int64)
  /// `$float: [0, 1]`, `$float: { min: 0, max: 9, digits: 2 }`
  case number(Double, Double, digits: Int?)
  /// `$string: 8`, `$string: { length: [3, 8], of: abc }`
  case text(length: ClosedRange<Int>, alphabet: String)
  /// `$bool: true`, `$bool: 0.3`
  case bool(Double)
  /// `$uuid: true`
  case uuid
  /// `$time: +3d`, `$time: [-7d, +0s]`, both in the scenario's own time.
  case time(from: InstantExpression, to: InstantExpression?, step: Nanoseconds)
  /// `$match: REGEX`
  case match(Located<String>)
  /// `$fake: NAME`, `$fake: { name: NAME, locale: de }`
  case fake(FakeRequest)
  /// `$schema: FILE#/pointer`, `$schema: { … }`
  case schema(SchemaReference)
  /// `$file: PATH`
  case file(Located<String>, FileReading?)
  /// `$json: …`, and what files and input encode otherwise.
  case encoded(DataNode, DataFormat)
  /// `$merge: { … }` over what the field would be without it.
  case merge(DataNode, over: DataNode?)
  /// `$append: […]` to what the field would be without it.
  case append(DataNode, to: DataNode?)
  /// `$omit: true`
  case omit
  /// `$raw: …`
  case raw(Value)
  /// `$mutate: { of: … }`
  case mutate(MutationRule)
}

/// A rule by which numbers follow each other.
package struct SequenceRule: Hashable, Sendable {
  /// The scope of a sequence's numbers.
  package enum Scope: String, Hashable, Sendable, CaseIterable {
    /// The numbers begin anew in each scenario.
    case scenario
    /// The numbers are unique: each scenario has a thousand of its own.
    case suite
  }

  /// The first number.
  package var start: Int64
  /// The difference between one number and the next.
  package var step: Int64
  /// `value:` what is made of the number, which it calls `n`.
  package var value: DataNode?
  /// The scope of the numbers.
  package var scope: Scope

  /// Creates a rule.
  package init(
    start: Int64 = 1, step: Int64 = 1, value: DataNode? = nil, scope: Scope = .scenario
  ) {
    self.start = start
    self.step = step
    self.value = value
    self.scope = scope
  }
}

/// One entry of `sequences:`.
package struct SequenceDefinition: Hashable, Sendable {
  /// The name.
  package var name: Located<String>
  /// The rule by which its numbers follow each other.
  package var rule: SequenceRule

  /// Creates a definition.
  package init(name: Located<String>, rule: SequenceRule) {
    self.name = name
    self.rule = rule
  }
}

/// A value of a choice, with its weight among the others.
package struct WeightedData: Hashable, Sendable {
  /// The value.
  package var value: DataNode
  /// Its share; at least 0.
  package var weight: Double

  /// Creates a value.
  package init(_ value: DataNode, weight: Double) {
    self.value = value
    self.weight = weight
  }
}

/// The form in which `$file` reads a file's bytes.
package enum FileReading: String, Hashable, Sendable, CaseIterable {
  /// Data; of a YAML file if its name ends so.
  case json
  /// Text.
  case text
  /// Text in Base64.
  case base64
}

/// The format in which data is written as text.
package enum DataFormat: String, Hashable, Sendable, CaseIterable {
  /// JSON on one line.
  case json
  /// Block YAML.
  case yaml
  /// A line for each map of a list, the keys in front (RFC 4180).
  case csv
}
