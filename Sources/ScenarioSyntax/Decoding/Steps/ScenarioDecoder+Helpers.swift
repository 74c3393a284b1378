internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `exec: "text"`, `exec: [program, argument]`, `exec: { command: …, capture: { … } }`.
  mutating func decodeExec(_ node: YAMLNode) -> Step.Action? {
    guard case .mapping = node.content else {
      return decodeCommand(node, "exec").map {
        .exec(HelperCommand(command: $0, range: node.range))
      }
    }
    guard let reader = mapping(node, as: Grammar.exec, subject: "\"exec\""),
      let commandNode = required("command", in: reader, example: "command: [psql, -f, seed.sql]"),
      let command = decodeCommand(commandNode, "command")
    else { return nil }
    var helper = HelperCommand(command: command, range: commandNode.range)
    helper.standardInput = reader["stdin"].flatMap { decodeValueText($0, "stdin") }
    helper.workingDirectory = reader["working_directory"].flatMap {
      decodeArgument($0, "working_directory")
    }
    if let node = reader["env"] {
      let environment = decodeEnvironment(node)
      helper.environment = environment.variables
      if let name = environment.passed.first {
        report(
          "\"pass\" is not allowed in the \"env\" of \"exec\"", code: .misplaced, at: name.range,
          help: "write \"pass\" in the \"env\" of \"target\", whose variables the command inherits")
      }
    }
    if let place = reader["in"] {
      let example = "write \"in: world\", or the name of a target that has a \"host\""
      guard let word = decodeText(place, "in", example: example) else { return nil }
      helper.place = Located(
        word.value == "world" ? .world : .host(word.value), at: word.range)
    }
    if let captures = reader["capture"] {
      guard case .capture(let rules)? = decodeCapture(captures) else { return nil }
      helper.captures = rules
    }
    return .exec(helper)
  }

  /// `build: { order: { $build: order, with: { id: "${{ capture.id }}" } } }`.
  mutating func decodeBuild(_ node: YAMLNode) -> Step.Action? {
    let fields = decodeFields(node, "build")
    if case .mapping(let members) = node.content, members.isEmpty {
      report(
        "\"build\" is empty", code: .empty, at: node.range,
        help: "write names and values: build: { bob: { $build: user } }")
    }
    return fields.isEmpty ? nil : .build(fields)
  }

  /// `write: { path: config.toml, text: … }`.
  mutating func decodeWrite(_ node: YAMLNode) -> Step.Action? {
    let example = "write { path: data/users.json, json: … }, or text, yaml, csv or file"
    guard case .mapping = node.content else {
      reportType(node, "write", "must be a map", help: example)
      return nil
    }
    guard let reader = mapping(node, as: Grammar.write, subject: "\"write\""),
      let pathNode = required("path", in: reader, example: "path: data/users.json"),
      let path = decodeText(pathNode, "path"), checkFixturePath(path)
    else { return nil }
    return decodeFixture(path, reader).map { .write($0) }
  }

  /// `cleanup:` steps that run whatever happened.
  mutating func decodeCleanup(_ node: YAMLNode) -> [Step] {
    guard decodeNonEmptyList(node, "cleanup", help: "add a step, as in - exec: ./clean-up") != nil
    else { return [] }
    return decodeSteps(node, "cleanup") ?? []
  }
}
