extension LanguageDescription {
  /// The definition of what no report shows.
  static let secretDefinitions: [LanguageDefinition] = [
    .map(
      "secrets", "What no report shows, whatever prints it: *** stands in its place.",
      [
        LanguageKey(
          "env", .list(of: .text),
          """
          Names of the runner's own variables whose values are secret, as they are and in Base64, \
          in URLs, in JSON or in hexadecimal.
          """),
        LanguageKey(
          "matches", .list(of: .text), "Regular expressions; what they match is secret."),
      ])
  ]
}
