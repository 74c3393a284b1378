internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of the values that may be given for a run.
  static let inputDefinitions: [LanguageDefinition] = [
    Grammar.variable.definition,
    .shape(
      "variableEntry", "A variable's default, or a map with its settings.",
      .map(.the("variable"), or: .anything)),
  ]

  /// The definition of what no report shows.
  static let secretDefinitions: [LanguageDefinition] = [
    Grammar.secrets.definition
  ]
}

extension Grammar {
  /// `vars:` at the top of a file and in a scenario.
  static let variables = Field<ScenarioBody>(
    "vars", .map(keys: LanguageDescription.matrixName, of: .the("variableEntry")),
    """
    Values that can be set for a run, for `${{ vars.NAME }}`: a name and its default, or a map \
    of settings. The command line overrides files, files override the environment, and the \
    environment overrides the default.
    """, \.variables
  ) { $0.decodeVariables($1) }

  static let variable = MapGrammar<VariableDefinition>(
    "variable", "A value that can be set for a run."
  ) {
    Field(
      "type", .word(),
      "The value's type. Default: the type of `default`, or string without one.",
      \.type)
    Field("default", .anything, "The value when none is given.", \.defaultValue) {
      $0.decodeVariableDefault($1)
    }
    Field(
      "required", .truth, "Whether a value must be given (default: true without a `default`).",
      \.isRequired)
    Field(
      "env", .string,
      """
      A variable of the runner's environment that sets the value, in addition to \
      `SCENARIO_VAR_NAME`.
      """,
      \.environmentName)
    Field("description", .prose, "What the variable is for.", \.description)
  }

  /// `secrets:` at the top of a file.
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
