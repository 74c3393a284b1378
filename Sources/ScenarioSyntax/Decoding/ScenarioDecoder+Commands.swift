internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// Reads a program outside of the scenario's world, and its arguments; none, and a report, if there is no program.
  mutating func decodeCommand(_ node: YAMLNode, _ key: String = "exec") -> [Located<String>] {
    let words = decodeTexts(node, key)
    guard let program = words.first else { return [] }
    if program.value.isEmpty {
      report(
        "the program's name is empty", code: .badCommand, at: program.range,
        help: "name a program, as in \(key): [./program]")
      return []
    }
    // Only a target's command is read as a shell reads it.
    if case .scalar = node.content, program.value.contains(" ") {
      // What only a shell understands stands for a command of one.
      let needsShell = program.value.contains { "|&;<>()$`\\\"'*?[#~".contains($0) }
      let list =
        needsShell
        ? "sh, -c, \(Value.string(program.value).jsonText())"
        : program.value.split(separator: " ").joined(separator: ", ")
      report(
        "a text is the name of a program here, and \"\(program.value)\" has spaces",
        code: .badCommand, at: program.range, help: "write a list: \(key): [\(list)]")
      return []
    }
    return words
  }
}
