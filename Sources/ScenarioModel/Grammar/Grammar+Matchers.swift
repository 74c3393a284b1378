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
  /// The conditions on any text.
  private static let textFields: [Field<Void>] = [
    Field("equals", .text, "Equal; for text, one final newline aside."),
    Field("contains", .text, "Text: a part of it. Data: a subset."),
    Field("matches", .text, "A regular expression that is found in the text."),
    Field("empty", .truth, "Whether nothing is there."),
    Field(
      "lines", .list(of: .textMatcher), "The text's lines, each with its own condition."),
    Field("json", .the("jsonCondition"), "The text, read as JSON."),
    Field("one_of", .list(of: .text, atLeast: 1), "One of these values."),
    Field("less_than", .the("bound"), "Less than a number or duration."),
    Field("greater_than", .the("bound"), "Greater than a number or duration."),
    Field("between", .pair(of: .the("bound")), "Between two bounds, both included."),
    Field("not", .textMatcher, "The condition does not hold."),
    Field(
      "all_of", .list(of: .textMatcher, atLeast: 1), "Every one of these conditions."),
    Field(
      "any_of", .list(of: .textMatcher, atLeast: 1), "At least one of these conditions."),
    Field(
      "schema", .either(.anyMap, .truth, .string), "A JSON Schema (draft 2020-12), or its file."
    ),
    Field("line_count", .numberMatcher, "How many lines the text has."),
    Field(
      "yaml", .the("jsonCondition"),
      "The text, read as YAML; several documents are a list of those that hold anything."),
  ]

  static let textConditions = MapGrammar<Void>(
    "textConditions", "Conditions on text; all must hold.", rules: [.atLeastOneKey]
  ) {
    textFields
  }

  static let outputConditions = MapGrammar<Void>(
    "outputConditions", "Conditions on the text of an output or a file; all must hold.",
    rules: [.atLeastOneKey]
  ) {
    textFields
    Field(
      "snapshot", .the("snapshotName"),
      "What `__snapshots__/FILE/NAME.snap` beside the scenario file holds; true names it itself.")
  }

  static let numberConditions = MapGrammar<Void>(
    "numberConditions", "Conditions on a number; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .the("number"), "Equal; for text, one final newline aside.")
    Field("one_of", .list(of: .the("number"), atLeast: 1), "One of these values.")
    Field("less_than", .the("bound"), "Less than a number or duration.")
    Field("greater_than", .the("bound"), "Greater than a number or duration.")
    Field("between", .pair(of: .the("bound")), "Between two bounds, both included.")
    Field("not", .numberMatcher, "The condition does not hold.")
    Field(
      "all_of", .list(of: .numberMatcher, atLeast: 1), "Every one of these conditions.")
    Field(
      "any_of", .list(of: .numberMatcher, atLeast: 1), "At least one of these conditions.")
  }

  static let durationConditions = MapGrammar<Void>(
    "durationConditions", "Conditions on a length of time; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .delay, "Equal.")
    Field("one_of", .list(of: .delay, atLeast: 1), "One of these values.")
    Field("less_than", .delay, "Less than a duration.")
    Field("greater_than", .delay, "Greater than a duration.")
    Field("between", .pair(of: .delay), "Between two durations, both included.")
    Field("not", .the("durationMatcher"), "The condition does not hold.")
    Field(
      "all_of", .list(of: .the("durationMatcher"), atLeast: 1), "Every one of these conditions."
    )
    Field(
      "any_of", .list(of: .the("durationMatcher"), atLeast: 1),
      "At least one of these conditions.")
  }

  static let dataConditions = MapGrammar<Void>(
    "dataConditions", "Conditions on data; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .data, "Equal; for text, one final newline aside.")
    Field("contains", .data, "Text: a part of it. Data: a subset.")
    Field("matches", .text, "A regular expression that is found in the text.")
    Field("empty", .truth, "Whether nothing is there.")
    Field("one_of", .list(of: .data, atLeast: 1), "One of these values.")
    Field("less_than", .the("bound"), "Less than a number or duration.")
    Field("greater_than", .the("bound"), "Greater than a number or duration.")
    Field("between", .pair(of: .the("bound")), "Between two bounds, both included.")
    Field("not", .the("dataMatcher"), "The condition does not hold.")
    Field(
      "all_of", .list(of: .the("dataMatcher"), atLeast: 1), "Every one of these conditions.")
    Field(
      "any_of", .list(of: .the("dataMatcher"), atLeast: 1), "At least one of these conditions.")
    Field(
      "schema", .either(.anyMap, .truth, .string), "A JSON Schema (draft 2020-12), or its file."
    )
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
