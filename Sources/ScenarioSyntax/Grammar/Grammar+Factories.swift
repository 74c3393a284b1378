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
    Field("extends", .text, "The factory whose definitions this one begins with.", \.parent)
    Field("params", .fields, "Values that fields may name and objects do not hold.", \.params)
    Field("fields", .fields, "The fields of each object.", \.fields)
    Field("traits", .map(of: .the("trait")), "Variants by name.", \.traits) { $0.decodeTraits($1) }
    Field(
      "default_traits", .textList, "Traits of every object, below the factory's own fields.",
      \.defaultTraits)
    Field(
      "enums", .map(of: .either(.list(of: .text, atLeast: 1), .map(of: .data, atLeast: 1))),
      "Fields with one trait for each of their values.", \.enums
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
        ])), "What values a field may have.", \.types
    ) { $0.decodeTypes($1) }
    Field(
      "schema", .either(.text, .anyMap),
      "A JSON Schema that every object must be valid against: FILE#/pointer, or the schema.",
      \.schema
    ) { $0.decodeSchemaReference($1, "schema") }
    Field(
      "extra", .words(["allow", "forbid"]),
      "Whether `with` may bring in fields that nobody defined.", \.allowsExtra
    ) { $0.decodeExtra($1) }
    Field(
      "after_build", .list(of: .the("after")),
      "What is set and asserted when all fields are known, in order.", \.after
    ) { $0.decodeAfter($1) }.formerly("after")
  }

  static let trait = MapGrammar<TraitDefinition>("trait", "A variant of a factory's objects.") {
    Field("fields", .fields, "Fields that win over the factory's own.", \.fields)
    Field("params", .fields, "Params that win over the factory's own.", \.params)
    Field("traits", .textList, "Traits that apply first.", \.traits)
    Field("construct", .the("construct"), "Instead of the factory's own.", \.construct) {
      $0.decodeConstruct($1)
    }
    Field(
      "after_build", .list(of: .the("after")),
      "What is set and asserted behind what the factory itself sets and asserts.", \.after
    ) { $0.decodeAfter($1) }.formerly("after")
  }

  static let construct = MapGrammar<Void>(
    "construct", "How an immutable object is constructed.", rules: [.atLeastOneKey]
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
