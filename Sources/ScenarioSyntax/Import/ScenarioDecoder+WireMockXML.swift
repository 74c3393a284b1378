internal import Foundations
internal import ScenarioModel

/// WireMock's conditions on XML.
extension ScenarioDecoder {
  /// `equalToXml`, or `matchesXPath` with or without a condition on what it finds.
  mutating func translateXML(_ member: YAMLMember, _ members: [YAMLMember]) -> YAMLNode? {
    let range = member.value.range
    var isUnderstood = true
    for other in members where other.key.value != member.key.value {
      let isPlain = other.value.scalarText == "false"
      if member.key.value == "matchesXPath", other.key.value == "xPathNamespaces" { continue }
      guard !isPlain else { continue }
      report(
        "\"\(other.key.value)\" of WireMock is not supported", code: .unreadableImport,
        at: other.key.range,
        help: "write the request in this language: xml: { //order/@id: 7 }")
      isUnderstood = false
    }
    guard isUnderstood else { return nil }
    guard member.key.value == "matchesXPath" else {
      guard let text = decodeText(member.value, "equalToXml") else { return nil }
      return .map([("xml", .text(text.value, at: text.range))], at: range)
    }
    var expression = member.value
    var condition = YAMLNode.word("true", at: range)
    if case .mapping(let parts) = member.value.content {
      guard let path = member.value["expression"] else {
        report(
          "\"matchesXPath\" has no \"expression\"", code: .unreadableImport, at: range,
          help: "write { \"expression\": \"//order/@id\", \"equalTo\": \"7\" }")
        return nil
      }
      var rest = member.value
      rest.content = .mapping(parts.filter { $0.key.value != "expression" })
      guard let translated = translateValuePattern(rest) else { return nil }
      (expression, condition) = (path, translated)
    }
    guard let path = decodeText(expression, "matchesXPath") else { return nil }
    // Without a condition nodes must be there, and a comparison must hold: both are so if it is true.
    let isAlone = expression.range == member.value.range
    let key = isAlone ? "boolean(\(path.value))" : path.value
    let namespaces = members.first { $0.key.value == "xPathNamespaces" }?.value
    return .map(
      [
        (
          "xml",
          .map([("namespaces", namespaces), (key, condition)], at: range)
        )
      ], at: range)
  }
}
