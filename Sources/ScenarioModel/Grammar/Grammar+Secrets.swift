extension LanguageDescription {
  /// The definition of what no report shows.
  static let secretDefinitions: [LanguageDefinition] = [
    Grammar.secrets.definition
  ]
}

extension Grammar {
  static let secrets = MapGrammar<Void>(
    "secrets", "What no report shows, whatever prints it: *** stands in its place."
  ) {
    Field(
      "env", .list(of: .text),
      """
      Names of the runner's own variables whose values are secret, as they are and in Base64, \
      in URLs, in JSON or in hexadecimal.
      """)
    Field(
      "matches", .list(of: .text), "Regular expressions; what they match is secret.")
  }
}
