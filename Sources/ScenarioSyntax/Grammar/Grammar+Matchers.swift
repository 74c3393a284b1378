internal import Foundations
internal import ScenarioModel

internal import OrderedCollections

extension LanguageDescription {
  /// The pattern of a path's beginning into JSON.
  static let jsonPath = #"^\$($|[.\[])"#

  /// The definitions of matchers.
  static let matcherDefinitions: [LanguageDefinition] = [
    .shape(
      "textMatcher", "Text that must be equal, or conditions.",
      .map(.the("textConditions"), or: .text)),
    .shape(
      "numberMatcher", "A number that must be equal, or conditions.",
      .map(.the("numberConditions"), or: .the("number"))),
    .shape(
      "durationMatcher", "A duration that must be equal, or conditions.",
      .map(.the("durationConditions"), or: .delay)),
    .shape(
      "dataMatcher",
      "Data that must be equal, or conditions; a map of one key says { equals: … } around it.",
      .map(
        .map(by: [(Grammar.dataConditions.keys, .the("dataConditions"))], else: .document),
        or: .data)),
    .shape(
      "outputMatcher", "Text that must be equal, or conditions, a snapshot among them.",
      .map(.the("outputConditions"), or: .text)),
    .shape(
      "snapshotName", "The name of a snapshot, or true.",
      .either(.constant(.bool(true)), .pattern("^[A-Za-z0-9_-][A-Za-z0-9._-]*$"))),
    Grammar.textConditions.definition,
    Grammar.outputConditions.definition,
    Grammar.numberConditions.definition,
    Grammar.durationConditions.definition,
    Grammar.dataConditions.definition,
    .shape(
      "jsonCondition", "Paths and their conditions, { contains: … }, or the whole document.",
      .map(
        .map(
          ofKeys: [
            "propertyNames": SchemaShape.pattern(jsonPath).schema, "minProperties": .integer(1),
          ],
          .map(keys: jsonPath, of: .the("dataMatcher")), else: .jsonOperatorOrData),
        or: .data)),
    Grammar.jsonOperator.definition,
  ]

}

extension Grammar {
  static let textConditions = conditions(.text, "Conditions on text; all must hold.")
  static let outputConditions = conditions(
    .output, "Conditions on the text of an output or a file; all must hold.")
  static let numberConditions = conditions(.number, "Conditions on a number; all must hold.")
  static let durationConditions = conditions(
    .duration, "Conditions on a length of time; all must hold.")
  static let dataConditions = conditions(.data, "Conditions on data; all must hold.")

  /// The conditions that there are on one kind of value.
  private static func conditions(
    _ kind: MatcherKind, _ summary: String
  ) -> MapGrammar<Matcher.Condition?> {
    let tolerance = kind.keys.contains(.within) ? [KeyRule.needs("within", "equals")] : []
    return MapGrammar("\(kind)Conditions", summary, rules: [.atLeastOneKey] + tolerance) {
      kind.keys.map { condition($0, on: kind) }
    }
  }

  /// A condition as it is written about one kind of value.
  private static func condition(
    _ key: ConditionKey, on kind: MatcherKind
  ) -> Field<Matcher.Condition?> {
    let name = key.rawValue
    switch key {
    case .equals:
      return Field(
        name, .operand(kind),
        kind == .duration ? "Equal." : "Equal; for text, one final newline aside."
      ) { $0 = .equals($1) }
    case .within:
      return Field(name, kind.bound, "Beside `equals`: how far away it may be.")
    case .isIn:
      return Field(name, .operands(kind), "One of these values.") { $0 = .oneOf($1) }
        .formerly("one_of")
    case .contains:
      return Field(
        name, kind == .data ? .data : .oneOrMore(.text),
        "Text: a part of it, or all of several. A list: an element, or several. A map: a subset.",
        \.self
      ) { $0.decodeContains($1, kind) }
    case .startsWith:
      return Field(name, .operand(.text), "How the text begins.") { $0 = .startsWith($1) }
    case .endsWith:
      return Field(name, .operand(.text), "How the text ends, one final newline aside.") {
        $0 = .endsWith($1)
      }
    case .matches:
      return Field(name, .text, "A regular expression that is found in the text.", \.self) {
        $0.decodePattern($1, kind)
      }
    case .exists:
      return Field(name, .truth, "Whether something is there, be it null.") {
        $0 = .exists($1.value)
      }
    case .absent:
      return Field(name, .truth, "Whether nothing is there.") { $0 = .exists(!$1.value) }
    case .type:
      return Field(
        name, .words(of: DataType.self),
        "What kind of value it is, as JSON has them; one of several."
      ) { $0 = .type($1) }
    case .length:
      return Field(
        name, .matcher(.number),
        "How many characters a text has, how many elements a list, how many members a map."
      ) { $0 = .length($1) }
    case .empty:
      return Field(name, .truth, "Whether nothing is there.") { $0 = .empty($1.value) }
    case .each:
      return Field(name, .matcher(kind), "Holds of every element of a list.") { $0 = .each($1) }
    case .any:
      return Field(name, .matcher(kind), "Holds of one element of a list at least.") {
        $0 = .any($1)
      }
    case .atLeast, .atMost, .greaterThan, .lessThan, .between: return order(key, on: kind)
    case .schema:
      return Field(name, .schema, "A JSON Schema (draft 2020-12), or its file.") {
        $0 = .schema($1)
      }
    case .lines:
      return Field(
        name, .list(of: .textMatcher), "The text's lines, each with its own condition.", \.self
      ) {
        $0.decodeMatchers($1, .text, "lines").map { .lines($0) }
      }
    case .lineCount:
      return Field(name, .matcher(.number), "How many lines the text has.") { $0 = .lineCount($1) }
    case .json: return Field(name, .json, "The text, read as JSON.") { $0 = .json($1) }
    case .yaml:
      return Field(
        name, .json,
        "The text, read as YAML; several documents are a list of those that hold anything."
      ) { $0 = .yaml($1) }
    case .snapshot:
      return Field(
        name, .the("snapshotName"),
        "What `__snapshots__/FILE/NAME.snap` beside the scenario file holds; true names it itself.",
        \.self
      ) { $0.decodeSnapshot($1) }
    case .not:
      return Field(name, .negatedMatcher(kind), "The condition does not hold.") { $0 = .not($1) }
    case .allOf:
      return Field(name, .matchers(kind), "Every one of these conditions.") { $0 = .allOf($1) }
    case .anyOf:
      return Field(name, .matchers(kind), "At least one of these conditions.") { $0 = .anyOf($1) }
    }
  }

  /// A condition on how much something is.
  private static func order(
    _ key: ConditionKey, on kind: MatcherKind
  ) -> Field<Matcher.Condition?> {
    let (bound, bounds) =
      kind == .duration
      ? ("a duration", "two durations") : ("a number or duration", "two bounds")
    let name = key.rawValue
    return switch key {
    case .atLeast: Field(name, .bound(kind), "Not less than \(bound).") { $0 = .atLeast($1) }
    case .atMost: Field(name, .bound(kind), "Not more than \(bound).") { $0 = .atMost($1) }
    case .greaterThan:
      Field(name, .bound(kind), "Greater than \(bound).") { $0 = .greaterThan($1) }
    case .lessThan: Field(name, .bound(kind), "Less than \(bound).") { $0 = .lessThan($1) }
    default: Field(name, .between(kind), "Between \(bounds), both included.", \.self)
    }
  }

  static let jsonOperator = MapGrammar<Void>(
    "jsonOperator", "How JSON is compared.", rules: [.exactlyOneKey]
  ) {
    Field("equals", .data, "Equal.")
    Field("contains", .data, "A subset.")
    Field(
      "schema", .either(.anyMap, .truth, .string), "A JSON Schema (draft 2020-12), or its file."
    )
  }
}

extension SchemaShape {
  /// `{ contains: … }` and its like, or a document.
  static var jsonOperatorOrData: SchemaShape {
    .map(
      ofKeys: [
        "propertyNames": words(Grammar.jsonOperator.keys).schema, "minProperties": .integer(1),
        "maxProperties": .integer(1),
      ], .the("jsonOperator"), else: .data)
  }
}
