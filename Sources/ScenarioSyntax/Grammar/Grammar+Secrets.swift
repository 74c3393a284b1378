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
    "secrets", "Values to mask in all reports and output: *** replaces them."
  ) {
    Field(
      "env", .textList,
      """
      Names of the runner's environment variables with secret values. The values are masked in \
      plain form and in Base64, URL, JSON and hexadecimal encoding.
      """, \.variables)
    Field(
      "matches", .textList, "Regular expressions; the text that they match is masked.",
      \.expressions)
  }
}
