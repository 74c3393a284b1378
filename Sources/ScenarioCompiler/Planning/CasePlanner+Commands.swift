internal import Foundations

extension CasePlanner {
  /// A program outside of the world, with its arguments; one that is named by a path counts from the scenario file's
  /// folder.
  mutating func planCommand(_ words: [Located<String>]) -> [String] {
    var command = words.map(\.value)
    if let program = words.first, program.value.contains("/") {
      command[0] = programPath(existingFile(program))
    }
    return command
  }

  /// The path of a program with a slash: without, it would be searched for in PATH (execvp(3)).
  func programPath(_ path: String) -> String { path.contains("/") ? path : "./\(path)" }
}
