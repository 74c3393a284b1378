internal import Foundations
internal import ScenarioModel

internal import OrderedCollections

extension LanguageDescription {
  /// What a path into JSON begins with.
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
  /// The conditions on whatever can be compared.
  @FieldBuilder<Matcher.Condition?>
  private static func comparisons(_ kind: MatcherKind) -> [Field<Matcher.Condition?>] {
    let bound = kind == .duration ? "a duration" : "a number or duration"
    let bounds = kind == .duration ? "two durations" : "two bounds"
    Field("one_of", .operands(kind), "One of these values.") { $0 = .oneOf($1) }
    Field("less_than", .bound(kind), "Less than \(bound).") { $0 = .lessThan($1) }
    Field("greater_than", .bound(kind), "Greater than \(bound).") { $0 = .greaterThan($1) }
    Field("between", .between(kind), "Between \(bounds), both included.", \.self)
    Field("not", .matcher(kind), "The condition does not hold.") { $0 = .not($1) }
    Field("all_of", .matchers(kind), "Every one of these conditions.") { $0 = .allOf($1) }
    Field("any_of", .matchers(kind), "At least one of these conditions.") { $0 = .anyOf($1) }
  }

  /// The conditions on any text.
  @FieldBuilder<Matcher.Condition?>
  private static var textFields: [Field<Matcher.Condition?>] {
    Field("equals", .operand(.text), "Equal; for text, one final newline aside.") {
      $0 = .equals($1)
    }
    Field("contains", .text, "Text: a part of it. Data: a subset.", \.self) {
      $0.decodeContains($1, .text)
    }
    Field("matches", .text, "A regular expression that is found in the text.", \.self) {
      $0.decodePattern($1, .text)
    }
    Field("empty", .truth, "Whether nothing is there.") { $0 = .empty($1.value) }
    Field(
      "lines", .list(of: .textMatcher), "The text's lines, each with its own condition.", \.self
    ) {
      $0.decodeMatchers($1, .text, "lines").map { .lines($0) }
    }
    Field("json", .json, "The text, read as JSON.") { $0 = .json($1) }
    comparisons(.text)
    Field("schema", .schema, "A JSON Schema (draft 2020-12), or its file.") { $0 = .schema($1) }
    Field("line_count", .matcher(.number), "How many lines the text has.") { $0 = .lineCount($1) }
    Field(
      "yaml", .json,
      "The text, read as YAML; several documents are a list of those that hold anything."
    ) { $0 = .yaml($1) }
  }

  static let textConditions = MapGrammar<Matcher.Condition?>(
    "textConditions", "Conditions on text; all must hold.", rules: [.atLeastOneKey]
  ) {
    textFields
  }

  static let outputConditions = MapGrammar<Matcher.Condition?>(
    "outputConditions", "Conditions on the text of an output or a file; all must hold.",
    rules: [.atLeastOneKey]
  ) {
    textFields
    Field(
      "snapshot", .the("snapshotName"),
      "What `__snapshots__/FILE/NAME.snap` beside the scenario file holds; true names it itself.",
      \.self
    ) { $0.decodeSnapshot($1) }
  }

  static let numberConditions = MapGrammar<Matcher.Condition?>(
    "numberConditions", "Conditions on a number; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .operand(.number), "Equal; for text, one final newline aside.") {
      $0 = .equals($1)
    }
    comparisons(.number)
  }

  static let durationConditions = MapGrammar<Matcher.Condition?>(
    "durationConditions", "Conditions on a length of time; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .operand(.duration), "Equal.") { $0 = .equals($1) }
    comparisons(.duration)
  }

  static let dataConditions = MapGrammar<Matcher.Condition?>(
    "dataConditions", "Conditions on data; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .operand(.data), "Equal; for text, one final newline aside.") {
      $0 = .equals($1)
    }
    Field("contains", .data, "Text: a part of it. Data: a subset.", \.self) {
      $0.decodeContains($1, .data)
    }
    Field("matches", .text, "A regular expression that is found in the text.", \.self) {
      $0.decodePattern($1, .data)
    }
    Field("empty", .truth, "Whether nothing is there.") { $0 = .empty($1.value) }
    comparisons(.data)
    Field("schema", .schema, "A JSON Schema (draft 2020-12), or its file.") { $0 = .schema($1) }
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
