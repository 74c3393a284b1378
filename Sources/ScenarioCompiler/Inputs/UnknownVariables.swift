package import Foundations
package import ScenarioModel

extension VariableInputs {
  /// The variables that the command line gives and no file has.
  ///
  /// Files of values and environments may hold more than one run needs; who types a name means it.
  package func unknown(to files: [ScenarioFile]) -> [Diagnostic] {
    guard !commandLine.isEmpty else { return [] }
    var names: Set<String> = []
    for file in files {
      let own = file.defaults.variables + file.shared.variables
      names.formUnion((own + file.scenarios.flatMap(\.body.variables)).map(\.name.value))
    }
    return commandLine.keys.sorted().filter { !names.contains($0) }.map { name in
      Diagnostic(
        "no file has the variable \"\(name)\" that --var gives", code: .unknownInput, at: nil,
        help: names.isEmpty
          ? "add it to a file, as in vars: { \(name): its default }, or leave --var out"
          : Suggestion.help(for: name, in: names, label: "variables"))
    }
  }
}
