/// The files in which instrumented programs record their coverage.
///
/// They are for the developer of the program and are outside of the case's folders, which are gone
/// with the case.
struct CoverageFiles {
  /// Folders that variables of targets name.
  private var folders: [String] = []
  /// Beginnings of paths that they name.
  private var beginnings: [String] = []

  /// Variables that name folders: those of gcov, Go and V8.
  private static let folderVariables = ["GCOV_PREFIX", "GOCOVERDIR", "NODE_V8_COVERAGE"]
  /// Variables that name files: those of clang, with what is built on it, and of Coverage.py.
  ///
  /// Both put more behind the name: clang a process's number, say, in the place of `%p`.
  private static let fileVariables = ["LLVM_PROFILE_FILE", "COVERAGE_FILE"]

  /// Records the files that an environment names.
  ///
  /// - Parameter environment: `NAME=VALUE` texts.
  mutating func add(environment: [String]) {
    for variable in environment {
      guard let equals = variable.firstIndex(of: "=") else { continue }
      let name = String(variable[..<equals])
      let value = String(variable[variable.index(after: equals)...])
      // A relative one counts from the case's folder.
      guard value.hasPrefix("/") else { continue }
      if Self.folderVariables.contains(name) {
        let folder = PlainPath.of(value)
        if folder.count > 1, !folders.contains(folder) { folders.append(folder) }
      } else if Self.fileVariables.contains(name) {
        let beginning = String(value.prefix { $0 != "%" })
        if beginning.count > 1, !beginnings.contains(beginning) { beginnings.append(beginning) }
      }
    }
  }

  /// Returns whether a file is one of them.
  ///
  /// - Parameter path: its absolute path.
  func contain(_ path: String) -> Bool {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    return Self.isCoverage(name) || folders.contains { path == $0 || path.hasPrefix($0 + "/") }
      || beginnings.contains { path.hasPrefix($0) }
  }

  /// Returns whether a folder is made for their sake: it leads to a place that a variable names.
  func contain(folder path: String) -> Bool {
    contain(path) || (folders + beginnings).contains { $0.hasPrefix(path + "/") }
  }

  /// Returns whether a name is one that gcov, clang, Coverage.py, Go and JaCoCo give by default.
  private static func isCoverage(_ name: Substring) -> Bool {
    if name.hasSuffix(".gcda") || name.hasSuffix(".profraw") { return true }
    if name == ".coverage" || name.hasPrefix(".coverage.") || name == ".coverage-journal" {
      return true
    }
    // Go writes to a file with another name first.
    let final = name.hasPrefix("tmp.") ? name.dropFirst(4) : name
    if final.hasPrefix("covmeta.") || final.hasPrefix("covcounters.") { return true }
    return name.hasPrefix("jacoco") && name.hasSuffix(".exec")
  }
}
