internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `target:`.
  mutating func decodeTarget(_ node: YAMLNode) -> TargetSettings? {
    if case .scalar(let scalar) = node.content, !node.isNull {
      reportType(
        node, "target", "must be a map",
        help: "write \"target: { command: \(Self.argumentList(scalar.text)) }\"")
      return nil
    }
    // Without a command of its own it is no target.
    var settings = TargetSettings(
      command: .arguments([]), commandRange: node.range, environment: [], passedEnvironment: [],
      files: [], standardInput: nil)
    guard
      let reader = decode(node, as: Grammar.target, subject: "\"target\"", into: &settings)
    else { return nil }
    if !targetNeedsCommand, reader["command"] == nil, reader.misspelledKeys.isEmpty {
      return settings
    }
    guard
      let commandNode = required(
        "command", in: reader, example: "command: [./program, --flag]"),
      let command = decodeCommand(commandNode, "command")
    else { return nil }
    settings.command = command
    settings.commandRange = commandNode.range
    return settings
  }

  /// A list for a program and its arguments, a text for a shell.
  mutating func decodeCommand(_ node: YAMLNode, _ key: String) -> TargetSettings.Command? {
    switch node.content {
    case .sequence(let nodes):
      guard !nodes.isEmpty else {
        report(
          "\"\(key)\" is empty", code: .badCommand, at: node.range,
          help: "write [PROGRAM, ARGUMENT, …]")
        return nil
      }
      return .arguments(decodeTemplateList(node, key))
    case .scalar(let scalar) where scalar.meaning != .null:
      return decodeArgument(node, key).map { .shell($0) }
    default:
      reportType(
        node, key, "must be a list or a text",
        help: "write a list for a program and its arguments, or a text for a shell command")
      return nil
    }
  }

  // MARK: - Environment

  mutating func decodeEnvironment(
    _ node: YAMLNode
  ) -> (variables: [DataField], passed: [Located<String>]) {
    var variables: [DataField] = []
    var passed: [Located<String>] = []
    for member in decodeMembers(node, "env") ?? [] {
      if member.key.value == "pass" {
        for name in decodeTextList(member.value, "pass") where checkVariableName(name) {
          passed.append(name)
        }
      } else if member.key.value.hasPrefix("$") {
        reportUnknownGenerator(
          member.key, help: "\"env\" is a map of names; write the generator as the value of a name")
      } else if checkVariableName(member.key), let field = decodeTextField(member) {
        variables.append(field)
      }
    }
    return (variables, passed)
  }

  /// Returns whether a name can be that of a variable; if not, reports that.
  mutating func checkVariableName(_ name: Located<String>) -> Bool {
    let isValid =
      !name.value.isEmpty && !name.value.unicodeScalars.contains { $0 == "=" || $0 == "\0" }
    if !isValid {
      report(
        "\"\(name.value)\" cannot name an environment variable", code: .badName, at: name.range,
        help: "a name has at least one character and no \"=\"")
    }
    return isValid
  }

  // MARK: - Files

  mutating func decodeFiles(_ node: YAMLNode) -> [FileFixture] {
    (decodeMembers(node, "files") ?? []).compactMap { member in
      guard checkFieldKey(member.key) else { return nil }
      guard checkFixturePath(member.key) else { return nil }
      return decodeFile(member)
    }
  }

  private mutating func decodeFile(_ member: YAMLMember) -> FileFixture? {
    guard case .mapping = member.value.content else {
      return decodeTemplate(member.value, member.key.value).map {
        FileFixture(path: member.key, content: .text($0))
      }
    }
    guard
      let reader = mapping(member.value, as: Grammar.fileFixture, subject: "an entry of \"files\"")
    else {
      return nil
    }
    return decodeFixture(member.key, reader)
  }

  /// The content and the mode of a file.
  mutating func decodeFixture(
    _ path: Located<String>, _ reader: MappingReader
  ) -> FileFixture? {
    let mode = reader["mode"].map { decodeMode($0) }
    guard let content = single(among: Grammar.fileFixture.keys(without: ["mode"]), in: reader)
    else {
      // What is not known may have been meant as the content.
      guard reader.unknownCount == 0 else { return nil }
      report(
        "the file \"\(path.value)\" has no content", code: .empty, at: reader.range,
        help: "write one of text, json, yaml, csv, file, symlink, kind, as in \"{ text: hello }\"")
      return nil
    }
    let decoded: FileFixture.Content? =
      switch content.key.value {
      case "json": decodeData(content.value).map { .json($0) }
      case "yaml", "csv": decodeEncoded(content).map { .text($0) }
      case "file": decodeText(content.value, "file").map { .copy($0) }
      case "symlink": decodeTemplate(content.value, "symlink").map { .link($0) }
      case "kind": decodeFolder(content.value)
      default: decodeTemplate(content.value, "text").map { .text($0) }
      }
    if case .link? = decoded, let mode = reader["mode"] {
      report(
        "a symbolic link has no mode", code: .contradictory, at: mode.range,
        help: "remove \"mode\", or set it on the file that the link points to")
      return nil
    }
    return decoded.map { FileFixture(path: path, content: $0, mode: mode ?? nil) }
  }

  /// `kind: folder`: files and links say what they are by what they hold.
  private mutating func decodeFolder(_ node: YAMLNode) -> FileFixture.Content? {
    guard let kind = decodeText(node, "kind") else { return nil }
    guard kind.value == FileKind.folder.rawValue else {
      report(
        "\"\(kind.value)\" is not a kind of file that a scenario can create", code: .badPlace,
        at: kind.range,
        help: "write `kind: folder`, `symlink: PATH`, or the content of the file")
      return nil
    }
    return .folder
  }

  /// A fixture stays below the case's directory.
  mutating func checkFixturePath(_ path: Located<String>) -> Bool {
    let parts = path.value.split(separator: "/", omittingEmptySubsequences: false)
    let isValid =
      !parts.contains("") && !parts.contains("..") && !parts.contains(".")
      && !path.value.unicodeScalars.contains("\0")
    if !isValid {
      let folder = parts.last == "" ? parts.dropLast().joined(separator: "/") : ""
      report(
        "\"\(path.value)\" is not a path in the scenario's directory", code: .badPlace,
        at: path.range,
        help: folder.isEmpty
          ? "write a relative path without \".\" and \"..\""
          : "for a folder write \"\(folder): { kind: folder }\", without a \"/\" at the end")
    }
    return isValid
  }

  /// Permission bits: digits are octal whether quoted or not, as chmod reads them.
  mutating func decodeMode(_ node: YAMLNode) -> Located<UInt32>? {
    guard let text = decodeText(node, "mode") else { return nil }
    let digits = text.value.hasPrefix("0o") ? text.value.dropFirst(2) : text.value[...]
    guard (3...4).contains(digits.utf8.count), let mode = UInt32(digits, radix: 8),
      digits.utf8.allSatisfy({ $0 < 0x3A && $0 >= 0x30 })
    else {
      report(
        "\"\(text.value)\" is not a file mode", code: .badMode, at: text.range,
        help: "write three or four octal digits, such as 0755")
      return nil
    }
    return Located(mode, at: text.range)
  }

  // MARK: - Data as text

  /// Reads the target's standard input: `stdin: "text"`, `stdin: { json: … }`.
  mutating func decodeStandardInput(_ node: YAMLNode) -> DataNode? {
    guard case .mapping(let members) = node.content,
      !members.contains(where: { $0.key.value.hasPrefix("$") })
    else {
      return decodeValueText(node, "stdin")
    }
    guard let reader = mapping(node, as: Grammar.encodedInput, subject: "\"stdin\"") else {
      return nil
    }
    guard let content = single(among: Grammar.encodedInput.keys, in: reader) else {
      if reader.unknownCount == 0 {
        report(
          "\"stdin\" is empty", code: .empty, at: node.range,
          help: "write a text, or { json: … }, yaml or csv")
      }
      return nil
    }
    return content.key.value == "text"
      ? decodeValueText(content.value, "text") : decodeEncoded(content)
  }

  /// Data under a key that names its form.
  private mutating func decodeEncoded(_ member: YAMLMember) -> DataNode? {
    guard let format = DataFormat(rawValue: member.key.value) else { return nil }
    return decodeData(member.value).map {
      DataNode(.generator(.encoded($0, format)), at: member.value.range)
    }
  }
}
