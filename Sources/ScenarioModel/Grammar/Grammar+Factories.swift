extension LanguageDescription {
  /// The definitions of factories.
  static let factoryDefinitions: [LanguageDefinition] = [
    Grammar.factory.definition,
    Grammar.trait.definition,
    Grammar.construct.definition,
    Grammar.after.definition,
  ]
}

extension Grammar {
  static let factory = MapGrammar<Void>("factory", "How objects of one kind are built.") {
    Field("aliases", .list(of: .text), "Other names of the factory.")
    Field("extends", .text, "The factory whose definitions this one begins with.")
    Field("params", .fields, "Values that fields may name and objects do not hold.")
    Field("fields", .fields, "The fields of each object.")
    Field("traits", .map(of: .the("trait")), "Variants by name.")
    Field(
      "default_traits", .list(of: .text),
      "Traits of every object, below the factory's own fields.")
    Field(
      "enums", .map(of: .either(.list(of: .text, atLeast: 1), .map(of: .data, atLeast: 1))),
      "Fields with one trait for each of their values.")
    Field("construct", .the("construct"), "How an object that cannot change is made.")
    Field("readonly", .list(of: .text), "Fields that `with` must not set.")
    Field(
      "types",
      .map(
        of: .words([
          "bool", "f32", "f64", "i16", "i32", "i64", "i8", "string", "u16", "u32", "u64", "u8",
        ])), "What values a field may have.")
    Field(
      "schema", .either(.text, .anyMap),
      "A JSON Schema that every object must be valid against: FILE#/pointer, or the schema.")
    Field(
      "extra", .words(["allow", "forbid"]),
      "Whether `with` may bring in fields that nobody defined.")
    Field(
      "after", .list(of: .the("after")),
      "What is set and asserted when all fields are known, in order.")
  }

  static let trait = MapGrammar<Void>("trait", "A variant of a factory's objects.") {
    Field("fields", .fields, "Fields that win over the factory's own.")
    Field("params", .fields, "Params that win over the factory's own.")
    Field("traits", .list(of: .text), "Traits that apply first.")
    Field("construct", .the("construct"), "Instead of the factory's own.")
  }

  static let construct = MapGrammar<Void>(
    "construct", "How an object that cannot change is made.", rules: [.atLeastOneKey]
  ) {
    Field("args", .list(of: .text), "Fields in the order of the arguments.")
    Field("from", .data, "A map that the object begins with.")
  }

  static let after = MapGrammar<Void>(
    "after", "What is set or asserted when all fields are known.", rules: [.exactlyOneKey]
  ) {
    Field("set", .fields, "Fields and their values.")
    Field("assert", .text, "An expression that must be true.")
  }
}
