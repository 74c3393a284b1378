internal import Glibc

/// Finds the program that a command names.
struct ProgramSearch {
  /// The target's PATH.
  var searchPath: String
  /// The case's directory: a program that the scenario puts there has precedence.
  var workDirectory: String
  /// The folder of the scenario file: relative names are meant from there.
  var scenarioFolder: String

  /// The program's path; `nil` if there is none.
  func find(_ name: String) -> String? {
    guard name.contains("/") else {
      return searchPath.split(separator: ":").map { "\($0)/\(name)" }.first(where: isProgram)
    }
    guard !name.hasPrefix("/") else { return exists(name) ? name : nil }
    return ["\(workDirectory)/\(name)", Self.absolute("\(scenarioFolder)/\(name)")]
      .first(where: exists)
  }

  /// A path from the root.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }

  private func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  private func isProgram(_ path: String) -> Bool {
    access(path, X_OK) == 0 && !FileTree.isFolder(path)
  }
}
