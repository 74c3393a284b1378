internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of what generators say.
  static let generatorDefinitions: [LanguageDefinition] = [
    .map(
      "sequence", "Where a sequence starts and how it goes on.",
      [
        LanguageKey("start", .integer, "The first number; 1 unless said."),
        LanguageKey("step", .integer, "What is added each time; 1 unless said."),
        LanguageKey("value", .data, "What is made of the number, which expressions call `n`."),
        LanguageKey(
          "scope", .words(of: SequenceRule.Scope.self),
          "How far the numbers reach: each scenario begins anew, or has a thousand of its own."),
      ]),
    .map(
      "maybe", "A value by chance.",
      [
        LanguageKey("p", .number(0...1), "The probability of `then`; 0.5 unless said."),
        LanguageKey("then", .data, "The value.", isRequired: true),
        LanguageKey("else", .data, "The value otherwise; null unless said."),
      ]),
    .map(
      "list", "A list whose elements are made alike.",
      [
        LanguageKey("count", .the("count"), "How many elements.", isRequired: true),
        LanguageKey(
          "of", .data, "Each element; expressions know `index` and `count`.", isRequired: true),
      ]),
    .map(
      "integerRange", "Whole numbers.",
      [
        LanguageKey("min", .integer, "The least; 0 unless said."),
        LanguageKey("max", .integer, "The greatest."),
        LanguageKey("step", .integer(1...), "From one to the next; 1 unless said."),
      ]),
    .map(
      "numberRange", "Numbers.",
      [
        LanguageKey("min", .number, "The least; 0 unless said."),
        LanguageKey("max", .number, "The greatest; 1 unless said."),
        LanguageKey("digits", .integer(0...15), "How many digits stand behind the point."),
      ]),
    .map(
      "textShape", "Random text.",
      [
        LanguageKey("length", .the("length"), "How many letters.", isRequired: true),
        LanguageKey("of", .text, "The letters to choose from."),
      ]),
    .map(
      "timeRange", "Instants.",
      [
        LanguageKey("from", .moment, "The first.", isRequired: true),
        LanguageKey("to", .moment, "The last.", isRequired: true),
        LanguageKey("step", .duration, "From one to the next; 1s unless said."),
      ]),
    .map(
      "fileSource", "A file and how it is read.",
      [
        LanguageKey(
          "path", .text, "The path, seen from the scenario file's folder.", isRequired: true),
        LanguageKey("as", .words(of: FileReading.self), "What its bytes are."),
      ]),
    .map(
      "mutation", "Data that is changed at random places.",
      [
        LanguageKey("of", .data, "What is changed.", isRequired: true),
        LanguageKey(
          "count", .integer(1...100), "At how many places; 1 unless said."),
        LanguageKey(
          "kinds", .oneOrMore(.words(of: MutationKind.self)), "In which ways; all unless said."),
        LanguageKey("only", .list(of: .text), "Paths that are changed, with all below them."),
        LanguageKey("except", .list(of: .text), "Paths that are left alone, with all below them."),
      ]),
  ]
}
