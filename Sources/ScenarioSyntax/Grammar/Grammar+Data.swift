internal import Foundations
internal import ScenarioModel

internal import OrderedCollections

extension LanguageDescription {
  /// The values that `$fake` makes.
  static let fakes = [
    "city", "color", "color_hex", "company", "country", "country_code", "credit_card",
    "currency", "date", "domain", "email", "emoji", "file_name", "first_name", "house_number",
    "iban", "ipv4", "ipv6", "job", "language", "last_name", "latitude", "longitude", "mac",
    "mime_type", "month", "name", "paragraph", "password", "phone", "price", "product",
    "sentence", "slug", "state", "street", "time_zone", "title", "url", "user_agent",
    "user_name", "weekday", "word", "words", "zip",
  ]

  /// The definitions of data and objects of factories.
  static let dataDefinitions: [LanguageDefinition] = [
    .shape(
      "data", "Data of any shape; a map with a key that begins with `$` is a generator.",
      .map(
        .map(
          by: [
            (["$build"], .the("buildGenerator")),
            (Grammar.generator.keys, .the("generator")),
          ], else: .the("plainMap")),
        or: SchemaShape(["items": SchemaShape.data.schema]))),
    .shape(
      "plainMap",
      "A map of the author's own keys; a key that begins with `$` makes it a generator.",
      SchemaShape([
        "additionalProperties": SchemaShape.data.schema,
        "properties": .map(
          OrderedDictionary(
            uniqueKeysWithValues: (Grammar.buildGenerator.fields.map(\.key)
              + Grammar.generator.fields.map(\.key))
              .filter { $0.name.hasPrefix("$") }.map {
                ($0.name, .map(["description": .string($0.summary.replacing("`", with: "\""))]))
              })),
        "patternProperties": .map([#"^\$"#: .bool(false)]),
      ])),
    .shape(
      "fields", "Names and their data.",
      .map(of: .data)),
    Grammar.buildGenerator.definition,
    Grammar.buildVariant.definition,
    Grammar.generator.definition,
  ]
}

extension Grammar {
  static let generators = generator.keys + ["$build"]

  static let buildGenerator = MapGrammar<Void>(
    "buildGenerator", "An object of a factory, or with count a list of them."
  ) {
    Field("$build", .text, "The factory's name, or one of its aliases.", isRequired: true)
    Field("traits", .oneOrMore(.text), "A trait, or several in the order in which they apply.")
      .formerly("trait")
    Field(
      "with", .fields,
      "Fields and params that win over everything else; a key may be a dotted path.")
    Field("count", .the("count"), "How many objects: the result is a list.")
    Field(
      "each", .list(of: .the("buildVariant"), atLeast: 1),
      "What the objects of a list have of their own, in order.")
    Field("construct", .the("construct"), "Instead of the factory's own.")
    Field("allow_readonly", .truth, "Whether `with` may set readonly fields.")
  }

  static let buildVariant = MapGrammar<Void>(
    "buildVariant", "What one object of a list has of its own."
  ) {
    Field("traits", .oneOrMore(.text), "A trait, or several, behind those of the list.")
      .formerly("trait")
    Field("with", .fields, "Fields that win over those of the list.")
  }

  static let generator = MapGrammar<DataGenerator?>(
    "generator", "A value to be made: exactly one key, which begins with `$`.",
    rules: [.exactlyOneKey]
  ) {
    Field(
      "$seq", .map(.the("sequence"), or: .either(.integer, .text, .list(of: .data, atLeast: 1))),
      """
      The first number, or start, step, value and scope; the name of a sequence of `sequences`; or values one after \
      the other, where asking for more than there are is an error.
      """, \.self
    ) { decoder, node in
      guard case .scalar = node.content else {
        return decoder.decodeElements(node, "$seq").map { .values($0, isEndless: false) }
      }
      return decoder.decodeText(node, "$seq", example: "write the name of a sequence").map {
        .next($0)
      }
    }.formerly("$iterate").formerly("$next")
    Field(
      "$cycle", .list(of: .data, atLeast: 1),
      "Values one after the other, then from the first again.", \.self
    ) { $0.decodeElements($1, "$cycle").map { .values($0, isEndless: true) } }
    Field(
      "$pick",
      .either(.list(of: .data, atLeast: 1), .map(of: .number(0...), atLeast: 1), .string),
      """
      One of several values by chance; a map gives each text its weight, and an expression a list, as in \
      `${{ build.users }}`.
      """, \.self
    ) { $0.decodePick($1) }
    Field("$maybe", .the("maybe"), "A value by chance, another otherwise.", \.self) {
      $0.decodeMaybe($1)
    }
    Field(
      "$mutate", .the("mutation"),
      "Data that is changed at random places; a case that fails is tried with fewer changes.",
      \.self
    ) { $0.decodeMutation($1) }
    Field("$list", .the("list"), "A list whose elements are made alike.", \.self) {
      $0.decodeListGenerator($1)
    }
    Field(
      "$int", .map(.the("integerRange"), or: .pair(of: .integer)),
      "A whole number by chance, both bounds included.", \.self
    ) { $0.decodeIntegerGenerator($1) }
    Field(
      "$float", .map(.the("numberRange"), or: .pair(of: .number)), "A number by chance.", \.self
    ) { $0.decodeNumberGenerator($1) }
    Field(
      "$string", .map(.the("textShape"), or: .the("length")),
      "Text of random letters: a length, two bounds, or length and letters.", \.self
    ) { $0.decodeTextGenerator($1) }
    Field(
      "$bool", .either(.constant(.bool(true)), .number(0...1)),
      "True or false by chance: true for one in two, or the probability of true.", \.self
    ) { $0.decodeBoolGenerator($1) }
    Field("$uuid", .constant(.bool(true)), "A random UUID, version 4.", \.self) {
      $0.decodeTrue($1, "$uuid") ? .uuid : nil
    }
    Field(
      "$time", .map(.the("timeRange"), or: .either(.moment, .pair(of: .moment))),
      "An instant of the scenario's own time, or one by chance between two.", \.self
    ) { $0.decodeTimeGenerator($1) }
    Field("$match", .text, "Text that this regular expression matches as a whole.", \.self) {
      $0.decodeText($1, "$match", example: "write a regular expression").map { .match($0) }
    }
    Field(
      "$fake", .map(.the("fake"), or: .words(LanguageDescription.fakes)),
      "A value that looks like those of real life.", \.self
    ) { $0.decodeFake($1) }
    Field(
      "$schema", .either(.text, .anyMap),
      "A value that a JSON Schema allows: FILE#/pointer, or the schema.", \.self
    ) { $0.decodeSchemaReference($1, "$schema").map { .schema($0) } }
    Field(
      "$file", .map(.the("fileSource"), or: .text),
      "What stands in a file: data of .json, .yaml, .yml and .csv (a list of its rows), text of others.",
      \.self
    ) { $0.decodeFileGenerator($1) }
    Field("$json", .data, "Data as JSON in a text.", \.self) {
      $0.decodeData($1).map { .encoded($0, .json) }
    }
    Field(
      "$merge", .anyMap, "Keys laid over those that the field has without them, at any depth.",
      \.self
    ) { $0.decodeMerge($1) }
    Field(
      "$append", .list(of: .data), "Elements behind those that the field has without them.", \.self
    ) { $0.decodeAppend($1) }
    Field("$omit", .constant(.bool(true)), "Leave the key or element out.", \.self) {
      $0.decodeTrue($1, "$omit") ? .omit : nil
    }
    Field("$raw", .anything, "Data as it stands: no generators, no expressions.", \.self) {
      _, node in .raw(node.plainValue)
    }
  }
}
