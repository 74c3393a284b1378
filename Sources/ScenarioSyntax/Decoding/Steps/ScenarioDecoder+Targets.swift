internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `targets: { api: { command: … }, worker: { command: … } }`.
  mutating func decodeTargets(_ node: YAMLNode) -> [NamedTarget] {
    let example = "write names and what they run: targets: { api: { command: [./api] } }"
    guard let members = decodeMembers(node, "targets") else { return [] }
    guard !members.isEmpty else {
      report("\"targets\" is empty", code: .empty, at: node.range, help: example)
      return []
    }
    return members.compactMap { member in
      let isNamed = checkTargetName(member.key)
      guard let settings = decodeTarget(member.value), isNamed else { return nil }
      return NamedTarget(name: member.key, settings: settings)
    }
  }

  /// The name of a target in a step.
  mutating func decodeTargetName(_ node: YAMLNode, _ key: String) -> Located<String>? {
    decodeText(node, key, example: "write the name of a target from \"targets\"")
  }

  private mutating func checkTargetName(_ name: Located<String>) -> Bool {
    if name.value == "target" {
      report(
        "\"target\" cannot be the name of a target in \"targets\"", code: .badName, at: name.range,
        help: "write it next to \"targets\": target: { command: … }")
      return false
    }
    if NetworkSettings.Mode(rawValue: name.value) != nil {
      report(
        "\"\(name.value)\" cannot be the name of a target: it is a mode of \"network\"",
        code: .badName,
        at: name.range,
        help: "write another name, so that \"hosts\" of \"network\" can tell targets from modes")
      return false
    }
    guard Self.isTargetName(name.value) else {
      report(
        "\"\(name.value)\" cannot be the name of a target", code: .badName, at: name.range,
        help: "write letters, digits, \"_\" and \"-\", a letter first")
      return false
    }
    return true
  }

  static func isTargetName(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    return text.utf8.first.map(isLetter) ?? false
      && text.utf8.allSatisfy {
        isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
  }

  // MARK: - Steps

  /// `start:`, `start: [--flag]`, `start: worker`, `start: { target: worker, args: [--flag] }`.
  mutating func decodeStart(
    _ node: YAMLNode, _ key: String
  ) -> (target: Located<String>?, arguments: [DataNode])? {
    switch node.content {
    case .scalar(let scalar) where !node.isNull && Self.isTargetName(scalar.text):
      return decodeTargetName(node, key).map { ($0, []) }
    case .mapping:
      guard let reader = mapping(node, as: Grammar.launch, subject: "\"\(key)\"") else {
        return nil
      }
      let target = reader["target"].map { decodeTargetName($0, "target") }
      let arguments = reader["args"].map { decodeArguments($0, "args") }
      guard (target != nil || arguments != nil), target ?? nil != nil || target == nil,
        let list = arguments ?? []
      else {
        if target == nil, arguments == nil, reader.unknownCount == 0 {
          report(
            "\"\(key)\" is empty", code: .empty, at: node.range,
            help: "write only \"\(key):\", or \"\(key): { target: NAME, args: [--flag] }\"")
        }
        return nil
      }
      return (target ?? nil, list)
    default:
      return decodeArguments(node, key).map { (nil, $0) }
    }
  }

  /// The target that a step is about: beside its action, or in it.
  mutating func theTarget(
    _ beside: Located<String>?, _ within: Located<String>?
  ) -> Located<String>? {
    if let beside, let within, beside.value != within.value {
      report(
        "the step names two targets", code: .contradictory, at: beside.range,
        help: "keep one of them, or write two steps",
        notes: [Diagnostic.Note("the other one is here", at: within.range)])
    }
    return within ?? beside
  }

  // MARK: - Expectations

  /// `targets: { worker: { exit: 0, stdout: … } }` below `expect:`.
  mutating func decodeTargetExpectations(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    (decodeMembers(node, "targets") ?? []).flatMap { member -> [ExpectationBlock.Entry] in
      let subject = "\"\(member.key.value)\" below \"targets\""
      guard mapping(member.value, as: Grammar.targetExpect, subject: subject) != nil,
        let block = decodeExpectations(member.value)
      else { return [] }
      return block.entries.map { entry in
        var entry = entry
        entry.target = member.key
        return entry
      }
    }
  }
}
