internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `stdout:` and `stderr:`: conditions on text, a snapshot among them.
  mutating func decodeOutputMatcher(_ node: YAMLNode, _ subject: String) -> Matcher? {
    decodeMatcher(node, .text, subject, moreKeys: ["snapshot"])
  }

  /// Refuses conditions that say all of a text beside a key that does so as well.
  mutating func refuseWhatSaysAll(beside key: String, in members: [YAMLMember]) {
    guard let own = members.first(where: { $0.key.value == key }) else { return }
    for member in members where ["empty", "equals", "lines", "in"].contains(member.key.value) {
      report(
        "\"\(member.key.value)\" cannot be combined with \"\(key)\"", code: .contradictory,
        at: member.key.range, help: "keep one of them: each compares the whole text",
        notes: [Diagnostic.Note("the other one is here", at: own.key.range)])
    }
  }

  /// `snapshot: true` or `snapshot: NAME`.
  mutating func decodeSnapshot(_ node: YAMLNode) -> Matcher.Condition? {
    if case .scalar(let scalar) = node.content, case .bool(let isTrue) = scalar.meaning {
      guard isTrue else {
        report(
          "\"snapshot\" can only be true or a name", code: .unknownValue, at: node.range,
          help: "write \"snapshot: true\", or remove it")
        return nil
      }
      return .snapshot(nil)
    }
    guard let name = decodeText(node, "snapshot") else { return nil }
    let allowed = name.value.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
    }
    guard allowed, !name.value.isEmpty, !name.value.hasPrefix("."), name.value.utf8.count <= 200
    else {
      report(
        "\"\(name.value)\" is not a snapshot name", code: .badPlace, at: name.range,
        help: "use letters, digits, \".\", \"_\" and \"-\", at most 200, as in report-of-march")
      return nil
    }
    return .snapshot(name)
  }
}
