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
      "A map with the author's own keys. A key that begins with `$` makes it a generator.",
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
    "buildGenerator", "An object built by a factory, or a list of objects with `count`."
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
      "Settings for each object of a list, in order.")
    Field("construct", .the("construct"), "Replaces the factory's `construct`.")
    Field("allow_readonly", .truth, "Whether `with` may set readonly fields.")
  }

  static let buildVariant = MapGrammar<Void>(
    "buildVariant", "Settings for one object of a list."
  ) {
    Field("traits", .oneOrMore(.text), "A trait, or several, applied after those of the list.")
      .formerly("trait")
    Field("with", .fields, "Fields that override those of the list.")
  }

  static let generator = MapGrammar<DataGenerator?>(
    "generator", "A generated value: exactly one key, which begins with `$`.",
    rules: [.exactlyOneKey]
  ) {
    Field(
      "$seq", .map(.the("sequence"), or: .either(.integer, .text, .list(of: .data, atLeast: 1))),
      """
      The first number; or start, step, value and scope; or the name of a sequence of \
      `sequences`; or values in order. Asking for more values than the list has is an error.
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
      "Values in order, starting over after the last one.", \.self
    ) { $0.decodeElements($1, "$cycle").map { .values($0, isEndless: true) } }
    Field(
      "$pick",
      .either(.list(of: .data, atLeast: 1), .map(of: .number(0...), atLeast: 1), .string),
      """
      One of several values at random. A map gives each text its weight; an expression gives a \
      list, as in `${{ build.users }}`.
      """, \.self
    ) { $0.decodePick($1) }
    Field("$maybe", .the("maybe"), "A value with some probability, another one otherwise.", \.self)
    {
      $0.decodeMaybe($1)
    }
    Field(
      "$mutate", .the("mutation"),
      "Data with random changes. When a case fails, it is retried with fewer changes.",
      \.self
    ) { $0.decodeMutation($1) }
    Field("$list", .the("list"), "A list of elements that are generated in the same way.", \.self) {
      $0.decodeListGenerator($1)
    }
    Field(
      "$int", .map(.the("integerRange"), or: .pair(of: .integer)),
      "A random integer between two bounds, inclusive.", \.self
    ) { $0.decodeIntegerGenerator($1) }
    Field(
      "$float", .map(.the("numberRange"), or: .pair(of: .number)), "A random number.", \.self
    ) { $0.decodeNumberGenerator($1) }
    Field(
      "$string", .map(.the("textShape"), or: .the("length")),
      "A random string: a length, two bounds, or a length and the letters to use.", \.self
    ) { $0.decodeTextGenerator($1) }
    Field(
      "$bool", .either(.constant(.bool(true)), .number(0...1)),
      "A random boolean: true for a probability of 0.5, or the probability of true.", \.self
    ) { $0.decodeBoolGenerator($1) }
    Field("$uuid", .constant(.bool(true)), "A random UUID, version 4.", \.self) {
      $0.decodeTrue($1, "$uuid") ? .uuid : nil
    }
    Field(
      "$time", .map(.the("timeRange"), or: .either(.moment, .pair(of: .moment))),
      "A timestamp of the scenario's clock, or a random one between two bounds.", \.self
    ) { $0.decodeTimeGenerator($1) }
    Field("$match", .text, "A string that matches the regular expression as a whole.", \.self) {
      $0.decodeText($1, "$match", example: "write a regular expression").map { .match($0) }
    }
    Field(
      "$fake", .map(.the("fake"), or: .words(LanguageDescription.fakes)),
      "A realistic fake value.", \.self
    ) { $0.decodeFake($1) }
    Field(
      "$schema", .either(.text, .anyMap),
      "A value that is valid against a JSON Schema: FILE#/pointer, or the schema.", \.self
    ) { $0.decodeSchemaReference($1, "$schema").map { .schema($0) } }
    Field(
      "$file", .map(.the("fileSource"), or: .text),
      """
      The content of a file: data for .json, .yaml, .yml and .csv (a list of its rows), \
      text for others.
      """,
      \.self
    ) { $0.decodeFileGenerator($1) }
    Field("$json", .data, "Data, serialized as JSON text.", \.self) {
      $0.decodeData($1).map { .encoded($0, .json) }
    }
    Field(
      "$merge", .anyMap, "Keys to merge into the field's original value, at any depth.",
      \.self
    ) { $0.decodeMerge($1) }
    Field(
      "$append", .list(of: .data), "Elements to append to the field's original value.", \.self
    ) { $0.decodeAppend($1) }
    Field("$omit", .constant(.bool(true)), "Omits the key or element.", \.self) {
      $0.decodeTrue($1, "$omit") ? .omit : nil
    }
    Field("$raw", .anything, "Literal data: generators and expressions are not evaluated.", \.self)
    {
      _, node in .raw(node.plainValue)
    }
  }
}
