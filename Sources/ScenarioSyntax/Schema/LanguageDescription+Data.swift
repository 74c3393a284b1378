internal import Foundations
internal import OrderedCollections

extension LanguageDescription {
  /// What `$fake` makes.
  static let fakes = [
    "city", "color", "color_hex", "company", "country", "country_code", "credit_card",
    "currency", "date", "domain", "email", "emoji", "file_name", "first_name", "house_number",
    "iban", "ipv4", "ipv6", "job", "language", "last_name", "latitude", "longitude", "mac",
    "mime_type", "month", "name", "paragraph", "password", "phone", "price", "product",
    "sentence", "slug", "state", "street", "time_zone", "title", "url", "user_agent",
    "user_name", "weekday", "word", "words", "zip",
  ]

  /// `$build` and its companions.
  private static let buildKeys = [
    LanguageKey("$build", .text, "The factory's name, or one of its aliases.", isRequired: true),
    LanguageKey("trait", .text, "One trait to apply."),
    LanguageKey("traits", .list(of: .text), "Traits, in the order in which they apply."),
    LanguageKey(
      "with", .fields,
      "Fields and params that win over everything else; a key may be a dotted path."),
    LanguageKey("count", .the("count"), "How many objects: the result is a list."),
    LanguageKey(
      "each", .list(of: .the("buildVariant"), atLeast: 1),
      "What the objects of a list have of their own, in order."),
    LanguageKey("construct", .the("construct"), "Instead of the factory's own."),
    LanguageKey("allow_readonly", .truth, "Whether `with` may set readonly fields."),
  ]

  /// Generators that are one key.
  private static let generatorKeys = [
    LanguageKey(
      "$seq", .map(.the("sequence"), or: .either(.integer, .list(of: .data, atLeast: 1))),
      "The first number, or start, step, value and scope; or values one after the other."),
    LanguageKey("$next", .text, "The next number of a sequence of `sequences`."),
    LanguageKey(
      "$cycle", .list(of: .data, atLeast: 1),
      "Values one after the other, then from the first again."),
    LanguageKey(
      "$iterate", .list(of: .data, atLeast: 1),
      "Values one after the other; asking for more than there are is an error."),
    LanguageKey(
      "$pick", .either(.list(of: .data, atLeast: 1), .map(of: .number(0...), atLeast: 1)),
      "One of several values by chance; a map gives each text its weight."),
    LanguageKey("$maybe", .the("maybe"), "A value by chance, another otherwise."),
    LanguageKey(
      "$mutate", .the("mutation"),
      "Data that is changed at random places; a case that fails is tried with fewer changes."),
    LanguageKey("$list", .the("list"), "A list whose elements are made alike."),
    LanguageKey(
      "$int", .map(.the("integerRange"), or: .pair(of: .integer)),
      "A whole number by chance, both bounds included."),
    LanguageKey("$float", .map(.the("numberRange"), or: .pair(of: .number)), "A number by chance."),
    LanguageKey(
      "$string", .map(.the("textShape"), or: .the("length")),
      "Text of random letters: a length, two bounds, or length and letters."),
    LanguageKey(
      "$bool", .either(.constant(.bool(true)), .number(0...1)),
      "True or false by chance: true for one in two, or the probability of true."),
    LanguageKey("$uuid", .constant(.bool(true)), "A random UUID, version 4."),
    LanguageKey(
      "$time", .map(.the("timeRange"), or: .either(.moment, .pair(of: .moment))),
      "An instant of the scenario's own time, or one by chance between two."),
    LanguageKey("$match", .text, "Text that this regular expression matches as a whole."),
    LanguageKey("$fake", .words(fakes), "A value that looks like those of real life."),
    LanguageKey(
      "$schema", .either(.text, .anyMap),
      "A value that a JSON Schema allows: FILE#/pointer, or the schema."),
    LanguageKey(
      "$file", .map(.the("fileSource"), or: .text),
      "What stands in a file: data of .json, .yaml and .yml, text of others."),
    LanguageKey("$json", .data, "Data as JSON in a text."),
    LanguageKey(
      "$merge", .anyMap, "Keys laid over those that the field has without them, at any depth."),
    LanguageKey(
      "$append", .list(of: .data), "Elements behind those that the field has without them."),
    LanguageKey("$omit", .constant(.bool(true)), "Leave the key or element out."),
    LanguageKey("$raw", .anything, "Data as it stands: no generators, no expressions."),
  ]

  /// The definitions of data and objects of factories.
  static let dataDefinitions: [LanguageDefinition] = [
    .shape(
      "data", "Data of any shape; a map with a key that begins with `$` is a generator.",
      .map(
        .map(
          by: [
            (["$build"], .the("buildGenerator")),
            (Vocabulary.generators.filter { $0 != "$build" }, .the("generator")),
          ], else: .the("plainMap")),
        or: SchemaShape(["items": SchemaShape.data.schema]))),
    .shape(
      "plainMap",
      "A map of the author's own keys; a key that begins with `$` makes it a generator.",
      SchemaShape([
        "additionalProperties": SchemaShape.data.schema,
        "properties": .map(
          OrderedDictionary(
            uniqueKeysWithValues: (buildKeys + generatorKeys).filter { $0.name.hasPrefix("$") }.map
            {
              ($0.name, .map(["description": .string($0.summary.replacing("`", with: "\""))]))
            })),
        "patternProperties": .map([#"^\$"#: .bool(false)]),
      ])),
    .shape(
      "fields", "Names and their data.",
      .map(of: .data)),
    .map(
      "buildGenerator", "An object of a factory, or with count a list of them.", buildKeys,
      rules: [.atMostOne(["trait", "traits"])]),
    .map(
      "buildVariant", "What one object of a list has of its own.",
      [
        LanguageKey("trait", .text, "One trait to apply."),
        LanguageKey("traits", .list(of: .text), "Traits behind those of the list."),
        LanguageKey("with", .fields, "Fields that win over those of the list."),
      ], rules: [.atMostOne(["trait", "traits"])]),
    .map(
      "generator", "A value to be made: exactly one key, which begins with `$`.", generatorKeys,
      rules: [.exactlyOneKey]),
  ]
}
