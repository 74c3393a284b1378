/// The kind of a matcher's subject, which decides what a bare value means and which conditions
/// there are.
package enum MatcherKind: CaseIterable, Sendable {
  /// Text: scalars are text as written.
  case text
  /// The text of an output or a file, which may be compared with a snapshot as well.
  case output
  /// A whole number.
  case number
  /// A length of time; operands are durations, kept in one way of writing.
  case duration
  /// Data of any shape.
  case data

  /// The keys of the conditions on values of the kind, in the order of the table.
  package var keys: [ConditionKey] { ConditionKey.allCases.filter { $0.kinds.contains(self) } }
}

/// The conditions of the language: one closed set, each with the kinds of values that it is about.
package enum ConditionKey: String, CaseIterable, Sendable {
  /// Equal.
  case equals
  /// The distance that a number or duration may have from `equals`.
  case within
  /// One of several values.
  case isIn = "in"
  /// A part of a text, some of a list's elements, a subset of a map.
  case contains
  /// The beginning of a text.
  case startsWith = "starts_with"
  /// The end of a text.
  case endsWith = "ends_with"
  /// A regular expression that is found in a text.
  case matches
  /// Whether something is there, be it null.
  case exists
  /// Whether nothing is there.
  case absent
  /// The type of a JSON value.
  case type
  /// The number of characters of a text, elements of a list, members of a map.
  case length
  /// Whether nothing is there, or something without content.
  case empty
  /// The value or more.
  case atLeast = "at_least"
  /// The value or less.
  case atMost = "at_most"
  /// The value is greater.
  case greaterThan = "greater_than"
  /// The value is less.
  case lessThan = "less_than"
  /// Between two bounds, both included.
  case between
  /// A condition on every element of a list.
  case each
  /// A condition on one element of a list at least.
  case any
  /// Valid against a JSON Schema.
  case schema
  /// The lines of a text, each with a condition.
  case lines
  /// The number of lines of a text.
  case lineCount = "line_count"
  /// A text, read as JSON.
  case json
  /// A text, read as YAML.
  case yaml
  /// A text, read as XML.
  case xml
  /// The text of a file beside the scenario file.
  case snapshot
  /// The opposite.
  case not
  /// Every one of several conditions holds.
  case allOf = "all_of"
  /// At least one of several conditions holds.
  case anyOf = "any_of"

  /// The kinds of values that the condition is about.
  package var kinds: Set<MatcherKind> {
    switch self {
    case .equals, .isIn, .atLeast, .atMost, .greaterThan, .lessThan, .between, .not, .allOf, .anyOf:
      Set(MatcherKind.allCases)
    case .within: [.number, .duration, .data]
    case .contains, .startsWith, .endsWith, .matches, .length, .empty, .schema:
      [.text, .output, .data]
    case .exists, .absent, .type, .each, .any: [.data]
    case .lines, .lineCount, .json, .yaml, .xml: [.text, .output]
    case .snapshot: [.output]
    }
  }
}

/// The kinds of JSON values, as JSON Schema names them.
package enum DataType: String, Hashable, Sendable, Codable, CaseIterable {
  /// `[ … ]`
  case array
  /// `{ … }`
  case object
  /// `"…"`
  case string
  /// Any number.
  case number
  /// A number without a fraction.
  case integer
  /// true or false.
  case boolean
  /// null.
  case null
}
