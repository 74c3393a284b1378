extension LanguageDescription {
  /// The definitions of factories.
  static let factoryDefinitions: [LanguageDefinition] = [
    .map(
      "factory", "How objects of one kind are built.",
      [
        LanguageKey("aliases", .list(of: .text), "Other names of the factory."),
        LanguageKey("extends", .text, "The factory whose definitions this one begins with."),
        LanguageKey("params", .fields, "Values that fields may name and objects do not hold."),
        LanguageKey("fields", .fields, "The fields of each object."),
        LanguageKey("traits", .map(of: .the("trait")), "Variants by name."),
        LanguageKey(
          "default_traits", .list(of: .text),
          "Traits of every object, below the factory's own fields."),
        LanguageKey(
          "enums", .map(of: .either(.list(of: .text, atLeast: 1), .map(of: .data, atLeast: 1))),
          "Fields with one trait for each of their values."),
        LanguageKey("construct", .the("construct"), "How an object that cannot change is made."),
        LanguageKey("readonly", .list(of: .text), "Fields that `with` must not set."),
        LanguageKey(
          "types",
          .map(
            of: .words([
              "bool", "f32", "f64", "i16", "i32", "i64", "i8", "string", "u16", "u32", "u64", "u8",
            ])), "What values a field may have."),
        LanguageKey(
          "schema", .either(.text, .anyMap),
          "A JSON Schema that every object must be valid against: FILE#/pointer, or the schema."),
        LanguageKey(
          "extra", .words(["allow", "forbid"]),
          "Whether `with` may bring in fields that nobody defined."),
        LanguageKey(
          "after", .list(of: .the("after")),
          "What is set and asserted when all fields are known, in order."),
      ]),
    .map(
      "trait", "A variant of a factory's objects.",
      [
        LanguageKey("fields", .fields, "Fields that win over the factory's own."),
        LanguageKey("params", .fields, "Params that win over the factory's own."),
        LanguageKey("traits", .list(of: .text), "Traits that apply first."),
        LanguageKey("construct", .the("construct"), "Instead of the factory's own."),
      ]),
    .map(
      "construct", "How an object that cannot change is made.",
      [
        LanguageKey("args", .list(of: .text), "Fields in the order of the arguments."),
        LanguageKey("from", .data, "A map that the object begins with."),
      ], rules: [.atLeastOneKey]),
    .map(
      "after", "What is set or asserted when all fields are known.",
      [
        LanguageKey("set", .fields, "Fields and their values."),
        LanguageKey("assert", .text, "An expression that must be true."),
      ], rules: [.exactlyOneKey]),
  ]
}
