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
            help: "write names and what they hold: { login: { steps: … } }")
          return nil
        }
        return members
      } ?? []
    var blocks: [String: BlockDefinition] = [:]
    for member in outerBlocks + blockNodes {
      blocks[member.key.value] = decodeBlockDefinition(member.key, member.value)
    }
    let isPartial = outerBlocks.isEmpty && !hasAllBlocks && root["include"] ?? root["use"] != nil
    var expansion = BlockExpansion(blocks, isPartial: isPartial)
    let expanded = expansion.expand(file: root)
    for diagnostic in expansion.diagnostics { report(diagnostic) }
    awaitsBlocks = expansion.awaitsOthers
    // A file without anything to run is there for others.
    guard root["scenarios"] ?? root["steps"] ?? root["expect"] != nil else { return expanded }
    for member in blockNodes where !expansion.used.contains(member.key.value) {
      report(
        "nothing uses the block \"\(member.key.value)\"", code: .unused, at: member.key.range,
        help: "write { block: \(member.key.value) } where it is meant, or take it out")
    }
    return expanded
  }

  private var mentionsBlocks: Bool {
    let word = Array("block".utf8)
    return source.bytes.firstRange(of: word) != nil
  }
}
