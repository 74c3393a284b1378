internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `process:`, one or a list: a program's name or path, or a number in the order of births.
  mutating func decodeProcessVictim(_ node: YAMLNode, _ reader: MappingReader) -> FaultTarget? {
    for key in ["call", "except", "function", "in"] {
      guard let range = reader.keyRange(key) else { continue }
      report(
        "\"\(key)\" cannot be combined with \"process\"", code: .contradictory, at: range,
        help: key == "call" || key == "function"
          ? "for calls of one program, write \"where: { process: PROGRAM }\" next to \"\(key)\""
          : "remove it")
      return nil
    }
    let nodes: [YAMLNode]
    switch node.content {
    case .scalar: nodes = [node]
    default: nodes = decodeNonEmptyList(node, "process") ?? []
    }
    let victims = nodes.compactMap { decodeProcessName($0) }
    if let empty = victims.first(where: { $0.value == .program("") }) {
      report(
        "\"process\" is empty", code: .empty, at: empty.range,
        help: "write a program's name such as nginx, or 1 for the target's first process")
      return nil
    }
    return victims.isEmpty || victims.count < nodes.count ? nil : .processes(victims)
  }

  /// `restart:` a length of virtual time, alone or as `after`.
  mutating func decodeRestart(_ node: YAMLNode) -> Nanoseconds? {
    guard case .mapping = node.content else { return decodeDelay(node, "restart")?.value }
    return decode(node, as: Grammar.chaosRestart, subject: "\"restart\"", from: .zero)
  }
}

extension ProcessName {
  /// The name as the author wrote it.
  var text: String {
    switch self {
    case .program(let glob): glob
    case .ordinal(let number): "process \(number)"
    }
  }
}
