internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of the values that may be given for a run.
  static let inputDefinitions: [LanguageDefinition] = [
    Grammar.variable.definition,
    .shape(
      "variableEntry", "A variable's default, or a map that says more of it.",
      .map(.the("variable"), or: .anything)),
  ]
}

extension Grammar {
  /// `vars:` at the top of a file and in a scenario.
  static let variables = Field<ScenarioBody>(
    "vars", .map(keys: LanguageDescription.matrixName, of: .the("variableEntry")),
    """
    Values that whoever runs the scenario may give, for `${{ vars.NAME }}`: a name and its default, or a map that says \
    more of it. The command line wins over files, these over the environment, and this over the default.
    """, \.variables
  ) { $0.decodeVariables($1) }

  static let variable = MapGrammar<VariableDefinition>(
    "variable", "A value that whoever runs the scenario may give."
  ) {
    Field(
      "type", .word(),
      "What it must be; the type of the default unless said, and string without one.",
      \.type)
    Field("default", .anything, "What it is where nobody gives it.", \.defaultValue) {
      $0.decodeVariableDefault($1)
    }
    Field(
      "required", .truth, "Whether somebody must give it; true where there is no default.",
      \.isRequired)
    Field(
      "env", .string,
      "A variable of the runner's environment that gives it, beside `SCENARIO_VAR_NAME`.",
      \.environmentName)
    Field("description", .prose, "What it is for.", \.description)
  }
}
