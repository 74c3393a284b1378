internal import Foundations
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
        .map(by: [(Vocabulary.dataMatcher, .the("dataConditions"))], else: .document), or: .data)),
    .shape(
      "outputMatcher", "Text that must be equal, or conditions, a snapshot among them.",
      .map(.the("outputConditions"), or: .text)),
    .shape(
      "snapshotName", "The name of a snapshot, or true.",
      .either(.constant(.bool(true)), .pattern("^[A-Za-z0-9_-][A-Za-z0-9._-]*$"))),
    .map(
      "textConditions", "Conditions on text; all must hold.", textConditionKeys,
      rules: [.atLeastOneKey]),
    .map(
      "outputConditions", "Conditions on the text of an output or a file; all must hold.",
      textConditionKeys + [
        LanguageKey(
          "snapshot", .the("snapshotName"),
          "What `__snapshots__/FILE/NAME.snap` beside the scenario file holds; true names it itself."
        )
      ], rules: [.atLeastOneKey]),
    .map(
      "numberConditions", "Conditions on a number; all must hold.",
      [
        LanguageKey("equals", .the("number"), "Equal; for text, one final newline aside."),
        LanguageKey("one_of", .list(of: .the("number"), atLeast: 1), "One of these values."),
        LanguageKey("less_than", .the("bound"), "Less than a number or duration."),
        LanguageKey("greater_than", .the("bound"), "Greater than a number or duration."),
        LanguageKey("between", .pair(of: .the("bound")), "Between two bounds, both included."),
        LanguageKey("not", .numberMatcher, "The condition does not hold."),
        LanguageKey(
          "all_of", .list(of: .numberMatcher, atLeast: 1), "Every one of these conditions."),
        LanguageKey(
          "any_of", .list(of: .numberMatcher, atLeast: 1), "At least one of these conditions."),
      ], rules: [.atLeastOneKey]),
    .map(
      "durationConditions", "Conditions on a length of time; all must hold.",
      [
        LanguageKey("equals", .delay, "Equal."),
        LanguageKey("one_of", .list(of: .delay, atLeast: 1), "One of these values."),
        LanguageKey("less_than", .delay, "Less than a duration."),
        LanguageKey("greater_than", .delay, "Greater than a duration."),
        LanguageKey("between", .pair(of: .delay), "Between two durations, both included."),
        LanguageKey("not", .the("durationMatcher"), "The condition does not hold."),
        LanguageKey(
          "all_of", .list(of: .the("durationMatcher"), atLeast: 1), "Every one of these conditions."
        ),
        LanguageKey(
          "any_of", .list(of: .the("durationMatcher"), atLeast: 1),
          "At least one of these conditions."),
      ], rules: [.atLeastOneKey]),
    .map(
      "dataConditions", "Conditions on data; all must hold.",
      [
        LanguageKey("equals", .data, "Equal; for text, one final newline aside."),
        LanguageKey("contains", .data, "Text: a part of it. Data: a subset."),
        LanguageKey("matches", .text, "A regular expression that is found in the text."),
        LanguageKey("empty", .truth, "Whether nothing is there."),
        LanguageKey("one_of", .list(of: .data, atLeast: 1), "One of these values."),
        LanguageKey("less_than", .the("bound"), "Less than a number or duration."),
        LanguageKey("greater_than", .the("bound"), "Greater than a number or duration."),
        LanguageKey("between", .pair(of: .the("bound")), "Between two bounds, both included."),
        LanguageKey("not", .the("dataMatcher"), "The condition does not hold."),
        LanguageKey(
          "all_of", .list(of: .the("dataMatcher"), atLeast: 1), "Every one of these conditions."),
        LanguageKey(
          "any_of", .list(of: .the("dataMatcher"), atLeast: 1), "At least one of these conditions."),
        LanguageKey(
          "schema", .either(.anyMap, .truth, .string), "A JSON Schema (draft 2020-12), or its file."
        ),
      ], rules: [.atLeastOneKey]),
    .shape(
      "jsonCondition", "Paths and their conditions, { contains: … }, or the whole document.",
      .map(
        .map(
          ofKeys: [
            "propertyNames": SchemaShape.pattern(jsonPath).schema, "minProperties": .integer(1),
          ],
          .map(keys: jsonPath, of: .the("dataMatcher")), else: .jsonOperatorOrData),
        or: .data)),
    .map(
      "jsonOperator", "How JSON is compared.",
      [
        LanguageKey("equals", .data, "Equal."),
        LanguageKey("contains", .data, "A subset."),
        LanguageKey(
          "schema", .either(.anyMap, .truth, .string), "A JSON Schema (draft 2020-12), or its file."
        ),
      ], rules: [.exactlyOneKey]),
  ]

  /// The conditions on any text.
  private static let textConditionKeys = [
    LanguageKey("equals", .text, "Equal; for text, one final newline aside."),
    LanguageKey("contains", .text, "Text: a part of it. Data: a subset."),
    LanguageKey("matches", .text, "A regular expression that is found in the text."),
    LanguageKey("empty", .truth, "Whether nothing is there."),
    LanguageKey(
      "lines", .list(of: .textMatcher), "The text's lines, each with its own condition."),
    LanguageKey("json", .the("jsonCondition"), "The text, read as JSON."),
    LanguageKey("one_of", .list(of: .text, atLeast: 1), "One of these values."),
    LanguageKey("less_than", .the("bound"), "Less than a number or duration."),
    LanguageKey("greater_than", .the("bound"), "Greater than a number or duration."),
    LanguageKey("between", .pair(of: .the("bound")), "Between two bounds, both included."),
    LanguageKey("not", .textMatcher, "The condition does not hold."),
    LanguageKey(
      "all_of", .list(of: .textMatcher, atLeast: 1), "Every one of these conditions."),
    LanguageKey(
      "any_of", .list(of: .textMatcher, atLeast: 1), "At least one of these conditions."),
    LanguageKey(
      "schema", .either(.anyMap, .truth, .string), "A JSON Schema (draft 2020-12), or its file."
    ),
    LanguageKey("line_count", .numberMatcher, "How many lines the text has."),
    LanguageKey(
      "yaml", .the("jsonCondition"),
      "The text, read as YAML; several documents are a list of those that hold anything."),
  ]
}
