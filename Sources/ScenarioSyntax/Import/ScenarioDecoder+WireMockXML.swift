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
    var condition = YAMLNode.map([("exists", .word("true", at: range))], at: range)
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
    // Of an expression that is a comparison WireMock wants that it holds.
    let isPath = path.value.hasPrefix("/") || path.value.hasPrefix("(")
    let isCondition = expression.range == member.value.range && !isPath
    let key = isCondition ? "boolean(\(path.value))" : path.value
    if isCondition { condition = .word("true", at: range) }
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
