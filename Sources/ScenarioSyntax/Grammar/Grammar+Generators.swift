internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of what generators say.
  static let generatorDefinitions: [LanguageDefinition] = [
    Grammar.sequence.definition,
    Grammar.maybe.definition,
    Grammar.list.definition,
    Grammar.integerRange.definition,
    Grammar.numberRange.definition,
    Grammar.textShape.definition,
    Grammar.timeRange.definition,
    Grammar.fileSource.definition,
    Grammar.mutation.definition,
    Grammar.fake.definition,
  ]
}

extension Grammar {
  static let sequence = MapGrammar<Void>(
    "sequence", "The start of a sequence, and how it continues."
  ) {
    Field("start", .integer, "The first number (default: 1).")
    Field("step", .integer, "The increment (default: 1).")
    Field("value", .data, "The value to make from the number, which expressions call `n`.")
    Field(
      "scope", .words(of: SequenceRule.Scope.self),
      """
      The scope of the numbers: each scenario starts over, or each has its own range of a \
      thousand.
      """)
  }

  static let maybe = MapGrammar<Void>("maybe", "A value with some probability.") {
    Field("probability", .number(0...1), "The probability of `then` (default: 0.5).")
      .formerly("p")
    Field("then", .data, "The value.", isRequired: true)
    Field("else", .data, "The value otherwise (default: null).")
  }

  static let list = MapGrammar<Void>(
    "list",
    "A list of elements that are generated in the same way."
  ) {
    Field("count", .the("count"), "The number of elements.", isRequired: true)
    Field(
      "of", .data, "The value of each element; expressions can use `index` and `count`.",
      isRequired: true)
  }

  static let integerRange = MapGrammar<Void>("integerRange", "Whole numbers.") {
    Field("min", .integer, "The minimum (default: 0).")
    Field("max", .integer, "The maximum.")
    Field("step", .integer(1...), "The distance between possible values (default: 1).")
  }

  static let numberRange = MapGrammar<Void>("numberRange", "Numbers.") {
    Field("min", .number, "The minimum (default: 0).")
    Field("max", .number, "The maximum (default: 1).")
    Field("digits", .integer(0...15), "The number of digits after the decimal point.")
  }

  static let textShape = MapGrammar<Void>("textShape", "Random text.") {
    Field("length", .the("length"), "The number of letters.", isRequired: true)
    Field("of", .text, "The letters to choose from.")
  }

  static let timeRange = MapGrammar<Void>("timeRange", "Instants.") {
    Field("from", .moment, "The first.", isRequired: true)
    Field("to", .moment, "The last.", isRequired: true)
    Field("step", .duration, "The distance between possible values (default: 1s).")
  }

  static let fileSource = MapGrammar<Void>("fileSource", "A file, and how to read it.") {
    Field(
      "path", .text, "The path, relative to the scenario file's folder.", isRequired: true)
    Field("as", .words(of: FileReading.self), "How to interpret its bytes.")
  }

  static let mutation = MapGrammar<Void>("mutation", "Data with random changes.") {
    Field("of", .data, "The data to change.", isRequired: true)
    Field(
      "count", .integer(1...100), "The number of changes (default: 1).")
    Field(
      "kinds", .oneOrMore(.words(of: MutationKind.self)), "The kinds of changes (default: all).")
    Field("only", .list(of: .text), "Paths to change, including everything below them.")
    Field("except", .list(of: .text), "Paths to leave unchanged, including everything below them.")
  }
}
