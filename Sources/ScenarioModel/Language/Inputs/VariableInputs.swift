package import Foundations

/// What is given for `vars:` by whoever runs scenarios.
package struct VariableInputs: Sendable, Hashable, Codable {
  /// One given value.
  package struct Given: Sendable, Hashable, Codable {
    /// The value, as it was given.
    package var value: Value
    /// True if it is text that is read by the variable's type.
    package var isText: Bool
    /// Who gave it, for messages: `--var`, `staging.yaml`, the name of a variable of the environment.
    package var origin: String
    /// Where it stands in a file.
    package var range: SourceRange?

    /// Creates a value.
    package init(_ value: Value, isText: Bool, origin: String, at range: SourceRange? = nil) {
      self.value = value
      self.isText = isText
      self.origin = origin
      self.range = range
    }
  }

  /// What the name of a variable of the environment begins with that gives a value.
  package static let environmentPrefix = "SCENARIO_VAR_"

  /// By the command line.
  package var commandLine: [String: Given] = [:]
  /// By files.
  package var files: [String: Given] = [:]
  /// The runner's environment, which is asked for names of variables alone.
  package var environment: [String: String] = [:]

  /// Creates inputs that give nothing.
  package init() {}

  /// What is given for a variable: the command line wins over files, and these over the environment.
  package func given(for definition: VariableDefinition) -> Given? {
    let name = definition.name.value
    if let given = commandLine[name] ?? files[name] { return given }
    let variable = Self.environmentPrefix + name
    // That one names files of values.
    let names =
      (variable == Self.environmentPrefix + "FILE" ? [] : [variable])
      + (definition.environmentName.map { [$0.value] } ?? [])
    guard let found = names.first(where: { environment[$0] != nil }) else { return nil }
    return environment[found].map { Given(.string($0), isText: true, origin: found) }
  }

  /// What remains of them for a file that is read again: what some variables were given.
  package func only(_ definitions: [VariableDefinition]) -> VariableInputs {
    var inputs = VariableInputs()
    for definition in definitions {
      inputs.commandLine[definition.name.value] = given(for: definition)
    }
    return inputs
  }
}
