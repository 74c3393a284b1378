package import Foundations

/// One entry of `vars:`: a value that may be given for each run.
package struct VariableDefinition: Sendable {
  /// The name, behind `vars.`.
  package var name: Located<String>
  /// `type:`; `nil` is that of the default, and text where there is none.
  package var type: Located<VariableType>?
  /// `default:`, or the value behind the name.
  package var defaultValue: Located<Value>?
  /// `required:`; `nil` is yes where there is no default.
  package var isRequired: Located<Bool>?
  /// `env:` the variable of the runner's environment that gives the value.
  package var environmentName: Located<String>?
  /// `description:`.
  package var description: Located<String>?

  /// Creates a definition that says nothing but a name.
  package init(name: Located<String>) {
    self.name = name
  }
}

extension VariableDefinition {
  /// The type of its values.
  package var valueType: VariableType {
    type?.value ?? defaultValue.flatMap { VariableType(of: $0.value) } ?? .string
  }
}

extension [VariableDefinition] {
  /// These definitions, and those of others whose names are not among them.
  package func over(_ others: [VariableDefinition]) -> [VariableDefinition] {
    guard !others.isEmpty else { return self }
    let names = Set(map(\.name.value))
    return self + others.filter { !names.contains($0.name.value) }
  }
}
