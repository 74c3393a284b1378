internal import Foundations
internal import ScenarioModel
internal import ScenarioSyntax

/// The names of the scenarios of a file.
struct ScenarioNames {
  private let names: [String]

  /// Reads the names; `nil` if the file does not tell all of them.
  init?(of path: String) {
    guard let bytes = try? FileTree.read(path) else { return nil }
    self.init(bytes: bytes, path: path)
  }

  /// Reads the names in a file's bytes; `nil` if they do not tell all of them.
  init?(bytes: [UInt8], path: String) {
    guard let file = ScenarioFile.parse(bytes: bytes, path: path).file, !file.awaitsBlocks else {
      return nil
    }
    let top = file.name?.value ?? PathText.baseName(of: path)
    let names = file.scenarios.map(\.name.value) + [top]
    guard !names.contains(where: { $0.contains("${{") }) else { return nil }
    self.names = names.map { $0.filter { !$0.isNewline } }
  }

  /// Returns whether a title's scenario may be one of them.
  ///
  /// The row of a matrix stands behind the name. A secret in a name is not in the title.
  func mayHave(_ scenario: String) -> Bool {
    scenario.contains("REDACTED") || names.contains { scenario.hasPrefix($0) }
  }
}
