package import Foundations

/// The values that are given for `vars:`.
package struct VariableInputs: Sendable, Hashable, Codable {
  /// One given value.
  package struct Given: Sendable, Hashable, Codable {
    /// The value, as it was given.
    package var value: Value
    /// True if it is text that is read by the variable's type.
    package var isText: Bool
    /// The origin, for messages: `--var`, `staging.yaml`, the name of a variable of the
    /// environment.
    package var origin: String
    /// The place in a file.
    package var range: SourceRange?

    /// Creates a value.
    package init(_ value: Value, isText: Bool, origin: String, at range: SourceRange? = nil) {
      self.value = value
      self.isText = isText
      self.origin = origin
      self.range = range
    }
  }

  /// The prefix of variables of the environment that give a value.
  package static let environmentPrefix = "SCENARIO_VAR_"

  /// The values of the command line.
  package var commandLine: [String: Given] = [:]
  /// The values of files.
  package var files: [String: Given] = [:]
  /// The runner's environment, which is asked for names of variables alone.
  package var environment: [String: String] = [:]

  /// Creates inputs that give nothing.
  package init() {}

  /// Returns the value given for a variable: the command line wins over files, and these over the
  /// environment.
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

  /// Returns the values of some variables alone, for a file that is read again.
  package func only(_ definitions: [VariableDefinition]) -> VariableInputs {
    var inputs = VariableInputs()
    for definition in definitions {
      inputs.commandLine[definition.name.value] = given(for: definition)
    }
    return inputs
  }
}
