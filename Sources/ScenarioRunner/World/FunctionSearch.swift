package import ScenarioPlan
internal import Supervisor

/// Finds the functions of chaos entries in files, before anything runs.
package enum FunctionSearch {
  /// Functions that cannot be met in a program, each with the file that would have it and the nearest name
  /// there.
  ///
  /// - Parameter program: a path, or a name that is looked for where targets look for it.
  package static func missing(
    _ functions: PlannedFunctions, in program: String
  ) -> [(name: String, file: String, near: String?)] {
    let search = ProgramSearch(
      searchPath: CaseEnvironment.searchPath, workDirectory: "/nonexistent", scenarioFolder: ".")
    guard let path = search.find(program) else { return [] }
    return ProgramFunctions(program: path).missing(functions)
  }
}
