internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definition of what no report shows.
  static let secretDefinitions: [LanguageDefinition] = [
    Grammar.secrets.definition
  ]
}

extension Grammar {
  static let secrets = MapGrammar<SecretSettings>(
    "secrets", "What no report shows, whatever prints it: *** stands in its place."
  ) {
    Field(
      "env", .textList,
      """
      Names of the runner's own variables whose values are secret, as they are and in Base64, \
      in URLs, in JSON or in hexadecimal.
      """, \.variables)
    Field(
      "matches", .textList, "Regular expressions; what they match is secret.", \.expressions)
  }
}
