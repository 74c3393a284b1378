internal import Foundations
internal import ScenarioModel

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
  static let factory = MapGrammar<FactoryDefinition>(
    "factory", "How objects of one kind are built."
  ) {
    Field("aliases", .textList, "Other names of the factory.", \.aliases)
    Field("extends", .text, "The factory whose definitions this one inherits.", \.parent)
    Field("params", .fields, "Values that fields can use but objects do not contain.", \.params)
    Field("fields", .fields, "The fields of each object.", \.fields)
    Field("traits", .map(of: .the("trait")), "Variants by name.", \.traits) { $0.decodeTraits($1) }
    Field(
      "default_traits", .textList,
      "Traits that apply to every object, overridden by the factory's own fields.",
      \.defaultTraits)
    Field(
      "enums", .map(of: .either(.list(of: .text, atLeast: 1), .map(of: .data, atLeast: 1))),
      "Enumerated fields: each value becomes a trait.", \.enums
    ) { $0.decodeEnums($1) }
    Field(
      "construct", .the("construct"), "How an immutable object is constructed.", \.construct
    ) { $0.decodeConstruct($1) }
    Field("readonly", .textList, "Fields that `with` must not set.", \.readonly)
    Field(
      "types",
      .map(
        of: .words([
          "bool", "f32", "f64", "i16", "i32", "i64", "i8", "string", "u16", "u32", "u64", "u8",
        ])), "Which values a field may have.", \.types
    ) { $0.decodeTypes($1) }
    Field(
      "schema", .either(.text, .anyMap),
      "A JSON Schema that every object must be valid against: FILE#/pointer, or the schema.",
      \.schema
    ) { $0.decodeSchemaReference($1, "schema") }
    Field(
      "extra", .words(["allow", "forbid"]),
      "Whether `with` may add undefined fields.", \.allowsExtra
    ) { $0.decodeExtra($1) }
    Field(
      "after_build", .list(of: .the("after")),
      "What to set and assert, in order, after all fields have values.", \.after
    ) { $0.decodeAfter($1) }.formerly("after")
  }

  static let trait = MapGrammar<TraitDefinition>("trait", "A variant of a factory's objects.") {
    Field("fields", .fields, "Fields that override those of the factory.", \.fields)
    Field("params", .fields, "Params that override those of the factory.", \.params)
    Field("traits", .textList, "Traits that apply first.", \.traits)
    Field("construct", .the("construct"), "Replaces the factory's `construct`.", \.construct) {
      $0.decodeConstruct($1)
    }
    Field(
      "after_build", .list(of: .the("after")),
      "What to set and assert after the factory's own `after_build`.", \.after
    ) { $0.decodeAfter($1) }.formerly("after")
  }

  static let construct = MapGrammar<Void>(
    "construct", "How an immutable object is constructed.", rules: [.atLeastOneKey]
  ) {
    Field("args", .list(of: .text), "The fields to pass as arguments, in order.")
    Field("from", .data, "The map that the object starts from.")
  }

  static let after = MapGrammar<Void>(
    "after", "What to set or assert after all fields have values.", rules: [.exactlyOneKey]
  ) {
    Field("set", .fields, "Fields and their values.")
    Field("assert", .text, "An expression that must be true.")
  }
}
