extension LanguageDescription {
  /// The definitions of patterns of requests.
  static let requestDefinitions: [LanguageDefinition] = [
    .map(
      "request", "Which requests an entry answers.",
      [
        LanguageKey("method", .pattern("^[A-Z-]+$"), "The method; any unless said."),
        LanguageKey(
          "url", .map(.the("textConditions"), or: .pattern(#"^(https?|\*)://"#)),
          """
          The URL; {name} stands for one segment of the path, * for a part of one, ** for any \
          number. A map holds conditions on the whole URL.
          """),
        LanguageKey("headers", .map(of: .the("fieldCondition")), "Conditions on headers, by name."),
        LanguageKey(
          "json", .map(.jsonOperatorOrData, or: .data),
          """
          The body as JSON: $.path keys, { contains: … } for a subset, { schema: … }, anything \
          else must be equal.
          """),
        LanguageKey(
          "body",
          .map(
            by: [
              (Vocabulary.exactBytes, .the("exactBytes")),
              (Vocabulary.textMatcher, .the("textConditions")),
            ], or: .text), "The body as text, or byte for byte."),
        LanguageKey(
          "host", .map(.the("textConditions"), or: .string),
          "The host instead of a whole URL; may hold *. A map holds conditions."),
        LanguageKey(
          "path", .map(.the("textConditions"), or: .pattern("^/")),
          "The path instead of a whole URL, with templates as in url. A map holds conditions."),
        LanguageKey(
          "query", .map(of: .the("fieldCondition")),
          "Conditions on items of the query, by name, in any order."),
        LanguageKey("cookies", .map(of: .the("fieldCondition")), "Conditions on cookies, by name."),
        LanguageKey(
          "form", .map(of: .the("fieldCondition")),
          "Conditions on the fields of a form in the body, by name."),
        LanguageKey(
          "parts", .map(of: .either(.the("part"), .textMatcher)),
          "Conditions on the parts of a multipart body, by name."),
        LanguageKey("from", .the("requestOrigin"), "Who sends the request."),
      ], rules: [.someOf(["url", "host", "path"])]),
    .shape(
      "fieldCondition",
      """
      What the values of a name must be: one that satisfies a condition, a list with a \
      condition for each, or whether there is any.
      """,
      .map(
        by: [
          (Vocabulary.fileStates, .the("fileState")),
          (Vocabulary.textMatcher, .the("textConditions")),
        ], or: .either(.text, .list(of: .textMatcher, atLeast: 1)))),
    .map(
      "requestOrigin", "Who sends a request.",
      [
        LanguageKey("process", .name, "The program's name; may hold *.", isRequired: true)
      ]),
    .map(
      "exactBytes", "Bytes.",
      [
        LanguageKey("base64", .string, "The bytes as Base64."),
        LanguageKey(
          "file", .string, "The file that holds the bytes, relative to the scenario file."),
      ], rules: [.exactlyOneKey]),
    .map(
      "part", "Conditions on one part of a multipart body.",
      [
        LanguageKey("filename", .textMatcher, "The name of the file that it carries."),
        LanguageKey("content_type", .textMatcher, "Its content type."),
        LanguageKey("text", .textMatcher, "Its content as text."),
        LanguageKey("json", .map(.jsonOperatorOrData, or: .data), "Its content as JSON."),
        LanguageKey("base64", .string, "Its content, byte for byte, as Base64."),
        LanguageKey(
          "file", .string, "The file that its content equals, relative to the scenario file."),
      ]),
  ]
}
