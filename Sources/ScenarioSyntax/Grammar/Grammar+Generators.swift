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
    "sequence", "Where a sequence starts and how it goes on."
  ) {
    Field("start", .integer, "The first number; 1 unless said.")
    Field("step", .integer, "What is added each time; 1 unless said.")
    Field("value", .data, "What is made of the number, which expressions call `n`.")
    Field(
      "scope", .words(of: SequenceRule.Scope.self),
      "How far the numbers reach: each scenario begins anew, or has a thousand of its own.")
  }

  static let maybe = MapGrammar<Void>("maybe", "A value by chance.") {
    Field("probability", .number(0...1), "The probability of `then`; 0.5 unless said.")
      .formerly("p")
    Field("then", .data, "The value.", isRequired: true)
    Field("else", .data, "The value otherwise; null unless said.")
  }

  static let list = MapGrammar<Void>("list", "A list whose elements are made alike.") {
    Field("count", .the("count"), "How many elements.", isRequired: true)
    Field(
      "of", .data, "Each element; expressions know `index` and `count`.", isRequired: true)
  }

  static let integerRange = MapGrammar<Void>("integerRange", "Whole numbers.") {
    Field("min", .integer, "The least; 0 unless said.")
    Field("max", .integer, "The greatest.")
    Field("step", .integer(1...), "From one to the next; 1 unless said.")
  }

  static let numberRange = MapGrammar<Void>("numberRange", "Numbers.") {
    Field("min", .number, "The least; 0 unless said.")
    Field("max", .number, "The greatest; 1 unless said.")
    Field("digits", .integer(0...15), "How many digits stand behind the point.")
  }

  static let textShape = MapGrammar<Void>("textShape", "Random text.") {
    Field("length", .the("length"), "How many letters.", isRequired: true)
    Field("of", .text, "The letters to choose from.")
  }

  static let timeRange = MapGrammar<Void>("timeRange", "Instants.") {
    Field("from", .moment, "The first.", isRequired: true)
    Field("to", .moment, "The last.", isRequired: true)
    Field("step", .duration, "From one to the next; 1s unless said.")
  }

  static let fileSource = MapGrammar<Void>("fileSource", "A file and how it is read.") {
    Field(
      "path", .text, "The path, seen from the scenario file's folder.", isRequired: true)
    Field("as", .words(of: FileReading.self), "What its bytes are.")
  }

  static let mutation = MapGrammar<Void>("mutation", "Data that is changed at random places.") {
    Field("of", .data, "What is changed.", isRequired: true)
    Field(
      "count", .integer(1...100), "At how many places; 1 unless said.")
    Field(
      "kinds", .oneOrMore(.words(of: MutationKind.self)), "In which ways; all unless said.")
    Field("only", .list(of: .text), "Paths that are changed, with all below them.")
    Field("except", .list(of: .text), "Paths that are left alone, with all below them.")
  }
}
