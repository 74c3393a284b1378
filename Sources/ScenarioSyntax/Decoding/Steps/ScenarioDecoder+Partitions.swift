internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `partition: [[n1], [n2, n3]]`: groups of targets.
  mutating func decodePartition(_ node: YAMLNode) -> Step.Action? {
    let example = "write the groups of targets: partition: [[n1], [n2, n3]]"
    guard case .sequence(let nodes) = node.content else {
      reportType(node, "partition", "must be a list of groups", help: example)
      return nil
    }
    guard nodes.count > 1 else {
      report(
        nodes.isEmpty
          ? "\"partition\" is empty" : "\"partition\" has only one group: nothing is separated",
        code: nodes.isEmpty ? .empty : .noEffect, at: node.range, help: example)
      return nil
    }
    let groups = nodes.map { decodeTexts($0, "partition") }
    return groups.contains { $0.isEmpty } ? nil : .partition(groups)
  }

  /// `heal: all`, `heal: NAME`.
  mutating func decodeHealing(_ node: YAMLNode) -> Step.Action? {
    decodeText(node, "heal", example: "write the name of a step with \"partition\", or all").map {
      .heal(Located($0.value == "all" ? .all : .named($0.value), at: $0.range))
    }
  }
}
