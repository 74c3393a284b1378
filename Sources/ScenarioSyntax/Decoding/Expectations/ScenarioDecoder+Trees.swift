internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// Reads the condition on a folder: the value of a path that ends with `/`.
  mutating func decodeFolderCondition(_ node: YAMLNode) -> FileCondition? {
    guard case .mapping(let members) = node.content else {
      reportType(
        node, "an entry of \"files\" that ends with \"/\"", "must be a map",
        help: "write { folder: expected }, { only: [a.txt, \"*.log\"] } or { snapshot: true }")
      return nil
    }
    if members.contains(where: { Grammar.fileState.knows($0.key.value) }) {
      return decodeFileState(members)
    }
    if members.contains(where: { Grammar.fileProperties.knows($0.key.value) }) {
      return decodeFolderProperties(node)
    }
    return decodeTree(node)
  }

  /// Refuses what only folders have where the path is that of a file; true if there is such a thing.
  mutating func refuseTree(_ node: YAMLNode, of members: [YAMLMember]) -> Bool {
    let keys = Grammar.treeCondition.keys.filter { $0 != "snapshot" }
    guard let member = members.first(where: { keys.contains($0.key.value) }) else { return false }
    report(
      "\"\(member.key.value)\" applies only to a folder", code: .misplaced, at: member.key.range,
      help: "end the path with \"/\", as in out/")
    // Other mistakes in it are reported with it.
    _ = decodeTree(node)
    return true
  }

  private mutating func decodeFolderProperties(_ node: YAMLNode) -> FileCondition? {
    guard case .properties(let properties)? = decodeFileProperties(node) else { return nil }
    let isFolder = [nil, .folder].contains(properties.kind?.value)
    guard isFolder, properties.link == nil, properties.digest == nil else {
      report(
        "a path that ends with \"/\" is the path of a folder", code: .contradictory, at: node.range,
        help: "remove the \"/\", or keep only \"mode\"")
      return nil
    }
    return .properties(properties)
  }

  private mutating func decodeTree(_ node: YAMLNode) -> FileCondition? {
    let known = Grammar.treeCondition.keys + Grammar.fileState.keys + ["kind", "mode"]
    guard let reader = mapping(node, keys: known.sorted(), subject: "a folder of \"files\"")
    else { return nil }
    let kinds = ["folder", "only", "snapshot"]
    let contents = reader.members.filter { kinds.contains($0.key.value) }
    guard let first = contents.first else {
      guard reader.unknownCount == 0 else { return nil }
      report(
        "the condition of the folder is empty", code: .empty, at: node.range,
        help: "add one of: \(kinds.joined(separator: ", "))")
      return nil
    }
    if let second = contents.dropFirst().first {
      report(
        "\"\(second.key.value)\" cannot be combined with \"\(first.key.value)\"",
        code: .contradictory,
        at: second.key.range,
        help: "keep one of them: each lists the expected files",
        notes: [Diagnostic.Note("the other one is here", at: first.key.range)])
      return nil
    }
    guard let content = decodeTreeContent(first) else { return nil }
    var condition = TreeCondition(content, at: first.value.range)
    if let ignored = reader["ignore"] {
      condition.ignored = (decodeNonEmptyList(ignored, "ignore") ?? []).compactMap {
        decodeText($0, "an entry of \"ignore\"")
      }
    }
    if let modes = reader["modes"] {
      condition.comparesModes = decodeBool(modes, "modes")?.value ?? false
      if case .only = content {
        report(
          "\"modes\" cannot be combined with \"only\", which compares only names",
          code: .contradictory, at: modes.range,
          help: "remove \"modes\", or compare with a \"folder\"")
      }
    }
    return .tree(condition)
  }

  private mutating func decodeTreeContent(_ member: YAMLMember) -> TreeCondition.Content? {
    switch member.key.value {
    case "folder": return decodeText(member.value, "folder").map { .folder($0) }
    case "only":
      guard let nodes = decodeList(member.value, "only") else { return nil }
      let texts = nodes.compactMap { decodeText($0, "an entry of \"only\"") }
      return texts.count == nodes.count ? .only(texts) : nil
    default:
      guard case .snapshot(let name)? = decodeSnapshot(member.value) else { return nil }
      return .snapshot(name)
    }
  }
}
