extension LanguageDescription {
  /// The definitions of patterns of requests.
  static let requestDefinitions: [LanguageDefinition] = [
    Grammar.request.definition,
    .shape(
      "fieldCondition",
      """
      What the values of a name must be: one that satisfies a condition, a list with a \
      condition for each, or whether there is any.
      """,
      .map(
        by: [
          (Grammar.fileState.keys, .the("fileState")),
          (Grammar.textConditions.keys, .the("textConditions")),
        ], or: .either(.text, .list(of: .textMatcher, atLeast: 1)))),
    Grammar.requestOrigin.definition,
    Grammar.exactBytes.definition,
    Grammar.part.definition,
  ]
}

extension Grammar {
  static let request = MapGrammar<Void>(
    "request", "Which requests an entry answers.", rules: [.someOf(["url", "host", "path"])]
  ) {
    Field("method", .pattern("^[A-Z-]+$"), "The method; any unless said.")
    Field(
      "url", .map(.the("textConditions"), or: .pattern(#"^(https?|\*)://"#)),
      """
      The URL; {name} stands for one segment of the path, * for a part of one, ** for any \
      number. A map holds conditions on the whole URL.
      """)
    Field("headers", .map(of: .the("fieldCondition")), "Conditions on headers, by name.")
    Field(
      "json", .map(.jsonOperatorOrData, or: .data),
      """
      The body as JSON: $.path keys, { contains: … } for a subset, { schema: … }, anything \
      else must be equal.
      """)
    Field(
      "body",
      .map(
        by: [
          (Grammar.exactBytes.keys, .the("exactBytes")),
          (Grammar.textConditions.keys, .the("textConditions")),
        ], or: .text), "The body as text, or byte for byte.")
    Field(
      "host", .map(.the("textConditions"), or: .string),
      "The host instead of a whole URL; may hold *. A map holds conditions.")
    Field(
      "path", .map(.the("textConditions"), or: .pattern("^/")),
      "The path instead of a whole URL, with templates as in url. A map holds conditions.")
    Field(
      "query", .map(of: .the("fieldCondition")),
      "Conditions on items of the query, by name, in any order.")
    Field("cookies", .map(of: .the("fieldCondition")), "Conditions on cookies, by name.")
    Field(
      "form", .map(of: .the("fieldCondition")),
      "Conditions on the fields of a form in the body, by name.")
    Field(
      "parts", .map(of: .either(.the("part"), .textMatcher)),
      "Conditions on the parts of a multipart body, by name.")
    Field("from", .the("requestOrigin"), "Who sends the request.")
  }

  static let requestOrigin = MapGrammar<Void>("requestOrigin", "Who sends a request.") {
    Field("process", .name, "The program's name; may hold *.", isRequired: true)
  }

  static let exactBytes = MapGrammar<Void>("exactBytes", "Bytes.", rules: [.exactlyOneKey]) {
    Field("base64", .string, "The bytes as Base64.")
    Field(
      "file", .string, "The file that holds the bytes, relative to the scenario file.")
  }

  static let part = MapGrammar<Void>("part", "Conditions on one part of a multipart body.") {
    Field("filename", .textMatcher, "The name of the file that it carries.")
    Field("content_type", .textMatcher, "Its content type.")
    Field("text", .textMatcher, "Its content as text.")
    Field("json", .map(.jsonOperatorOrData, or: .data), "Its content as JSON.")
    Field("base64", .string, "Its content, byte for byte, as Base64.")
    Field(
      "file", .string, "The file that its content equals, relative to the scenario file.")
  }
}
