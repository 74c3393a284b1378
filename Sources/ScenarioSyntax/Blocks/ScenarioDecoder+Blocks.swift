internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// The file with what its blocks hold in the places where they are used.
  mutating func expandingBlocks(of root: YAMLNode) -> YAMLNode {
    guard mentionsBlocks else { return root }
    blockNodes =
      root["blocks"].flatMap { node in
        guard case .mapping(let members) = node.content else {
          reportType(
            node, "blocks", "must be a map",
            help: "write names and definitions: { login: { steps: … } }")
          return nil
        }
        return members
      } ?? []
    var blocks: [String: BlockDefinition] = [:]
    for member in outerBlocks + blockNodes {
      blocks[member.key.value] = decodeBlockDefinition(member.key, member.value)
    }
    let isPartial = !hasAllBlocks && root["include"] ?? root["use"] != nil
    var expansion = BlockExpansion(blocks, isPartial: isPartial)
    let expanded = expansion.expand(file: root)
    for diagnostic in expansion.diagnostics { report(diagnostic) }
    awaitsBlocks = expansion.awaitsOthers
    unfilled = expansion.unfilled
    for member in blockNodes {
      guard let block = blocks[member.key.value] else { continue }
      reportKinds(of: block, except: Set((expansion.used[member.key.value] ?? [:]).keys))
      warnOfUnreadParameters(of: block)
    }
    // A file without anything to run is there for others, and where a use is refused that block may have been meant.
    guard !expansion.diagnostics.contains(where: { $0.code == .badBlock }) else { return expanded }
    let unused = blockNodes.lazy.map(\.key).filter { expansion.used[$0.value] == nil }.map { name in
      Diagnostic(
        "the block \"\(name.value)\" is not used", code: .unused, at: name.range,
        help: "write { block: \(name.value) } to use it, or remove it")
    }
    guard
      root["scenarios"] ?? root["steps"] ?? root["expect"] ?? root["explore"] != nil
    else {
      unusedBlocks = Array(unused)
      return expanded
    }
    for diagnostic in unused { report(diagnostic) }
    for member in blockNodes {
      guard let block = blocks[member.key.value], let used = expansion.used[member.key.value]
      else { continue }
      reportParts(of: block, except: Set(used.keys))
    }
    for member in outerBlocks {
      guard let block = blocks[member.key.value], let used = expansion.used[member.key.value]
      else { continue }
      warnOfLostExpectations(of: block, used)
    }
    return expanded
  }

  /// Warns of the expectations of a block that another file brings, where only other parts of it are used: who else
  /// includes it may use them.
  private mutating func warnOfLostExpectations(
    of block: BlockDefinition, _ used: [BlockDefinition.Part: SourceRange]
  ) {
    guard block.parts[.expect] != nil, used[.expect] == nil,
      let place = BlockDefinition.Part.allCases.lazy.compactMap({ used[$0] }).first
    else { return }
    let name = block.name.value
    report(
      "\"expect\" of the block \"\(name)\" is not used", code: .unused, at: place,
      help: "write \(BlockDefinition.Part.expect.example(of: name)) to use it",
      notes: [.init("the block is defined here", at: block.name.range)])
  }

  /// Reports parts of a block that nothing inserts, though it is used: they would have no effect.
  private mutating func reportParts(
    of block: BlockDefinition, except used: Set<BlockDefinition.Part>
  ) {
    let name = block.name.value
    let place = used.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: " and ")
    for part in BlockDefinition.Part.allCases where !used.contains(part) {
      guard let node = block.parts[part] else { continue }
      report(
        "\"\(part.rawValue)\" of the block \"\(name)\" has no effect: the block is used only in \(place)",
        code: .badBlock, at: node.range,
        help: "write \(part.example(of: name)) as well, or move it to a block of its own",
        notes: [.init("the block is defined here", at: block.name.range)])
    }
  }

  /// Reports parts that are no list or no map, as the places that use a block do.
  private mutating func reportKinds(
    of block: BlockDefinition, except used: Set<BlockDefinition.Part>
  ) {
    for part in BlockDefinition.Part.allCases where !used.contains(part) {
      guard let node = block.parts[part] else { continue }
      let isList = part == .steps || part == .responses
      switch node.content {
      case .mapping where isList:
        reportType(
          node, "\"\(part.rawValue)\" of the block \"\(block.name.value)\"", "must be a list",
          help: "write \"- \" before each entry")
      case .sequence where !isList:
        reportType(
          node, "\"\(part.rawValue)\" of the block \"\(block.name.value)\"", "must be a map",
          help: "write \"key: value\" lines, indented")
      default: break
      }
    }
  }

  /// Warns of parameters that no expression of the block reads.
  private mutating func warnOfUnreadParameters(of block: BlockDefinition) {
    guard !block.parameters.isEmpty else { return }
    let names = block.parts.values.reduce(into: NamesRead()) {
      $0.formUnion(NameReview(of: $1).read)
    }
    for parameter in block.parameters where !names.reads(parameter.name.value, behind: "with") {
      report(
        "no expression of the block \"\(block.name.value)\" reads \"with.\(parameter.name.value)\"",
        code: .unused, at: parameter.name.range,
        help: "write ${{ with.\(parameter.name.value) }} to use its value, or remove it")
    }
  }

  private var mentionsBlocks: Bool {
    let word = Array("block".utf8)
    return source.bytes.firstRange(of: word) != nil
  }
}
