internal import ArgumentParser
internal import Glibc
internal import ScenarioCompiler

/// Names of cases, by which shells complete a word.
enum CaseCompletion {
  /// The largest number of names that are offered, so that the shell's list stays short.
  private static let limit = 500

  /// The names of the cases in the files among the words that were typed, or in those of the project.
  static func names(_ words: [String]) -> [String] {
    let files = words.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
      .filter { access($0, R_OK) == 0 }
    let input = ScenarioInput.read(files.isEmpty ? SelectionOptions.defaultPaths : files)
    let options = PlannerOptions(selections: input.selection, fileExists: { _ in true })
    let cases = Planner.list(files: input.files, options: options).cases
    var seen: Set<String> = []
    // A line each is all that scripts take.
    let names = cases.map(\.name).filter { name in
      seen.insert(name).inserted && !name.unicodeScalars.contains { $0.value < 0x20 }
    }
    return names.prefix(limit).map { word($0, for: CompletionShell.requesting) }
  }

  /// A name as a shell's script reads it.
  static func word(_ name: String, for shell: CompletionShell?) -> String {
    switch shell {
    // compgen(1) expands words as a command line does, commands within them, too.
    case .bash?: "'" + name.replacing("'", with: "'\\''") + "'"
    // _describe takes what follows a colon for an explanation.
    case .zsh?: name.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
    default: name
    }
  }
}
