package import Foundations
package import ScenarioModel

extension VariableInputs {
  /// The variables that the command line gives and no file has, and warnings of those that the environment gives.
  ///
  /// Files of values may hold more than one run needs; who types a name means it. The environment may be that of several
  /// runs, so that a name in it keeps nothing from running.
  package func unknown(to files: [ScenarioFile]) -> [Diagnostic] {
    let prefix = Self.environmentPrefix
    // The prefix alone names no variable.
    let given = environment.keys.filter {
      $0.hasPrefix(prefix) && $0 != prefix && $0 != prefix + "FILE"
    }
    guard !commandLine.isEmpty || !given.isEmpty else { return [] }
    var names: Set<String> = []
    for file in files {
      let own = file.defaults.variables + file.shared.variables
      names.formUnion((own + file.scenarios.flatMap(\.body.variables)).map(\.name.value))
    }
    let typed = commandLine.keys.sorted().filter { !names.contains($0) }.map { name in
      Diagnostic(
        "unknown variable \"\(name)\" in --var: no file defines it", code: .unknownInput, at: nil,
        help: Self.help(for: name, in: names, orElse: "remove --var"))
    }
    // What a file that could not be read has is not known.
    guard !files.isEmpty else { return typed }
    let set = given.sorted().filter { !names.contains(String($0.dropFirst(prefix.count))) }
    return typed
      + set.map { variable in
        let name = String(variable.dropFirst(prefix.count))
        return Diagnostic(
          "the variable \(variable) has no effect: no file defines \"\(name)\"",
          code: .noDifference,
          at: nil, help: Self.help(for: name, in: names, orElse: "unset \(variable)"))
      }
  }

  private static func help(
    for name: String, in names: Set<String>, orElse otherwise: String
  ) -> String {
    names.isEmpty
      ? "add it to a file, as in vars: { \(name): its default }, or \(otherwise)"
      : Suggestion.help(for: name, in: names, label: "variables") + "; or \(otherwise)"
  }
}
