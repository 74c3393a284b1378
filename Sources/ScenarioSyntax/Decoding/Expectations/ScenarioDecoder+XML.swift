internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `xml:` of a request pattern.
  mutating func decodeXMLMatcher(_ node: YAMLNode) -> Matcher? {
    decodeXMLCondition(node).map { Matcher(.xml($0), at: node.range) }
  }

  /// `xml:` on text: XPath expressions as keys, `{ equals: … }`, or the whole document as text.
  mutating func decodeXMLCondition(_ node: YAMLNode) -> XMLCondition? {
    switch node.content {
    case .scalar(let scalar):
      guard !node.isNull else { break }
      guard scalar.style != .plain || !Self.isXPath(scalar.text) else {
        report(
          "\"\(scalar.text)\" is a path without a condition", code: .conditionOrDocument,
          at: node.range, help: "write \"xml: { \(scalar.text): { exists: true } }\"")
        return nil
      }
      return decodeXMLDocument(node, "xml")
    case .mapping(let members):
      if let member = members.first(where: { $0.key.value == "equals" }) {
        if let path = members.first(where: { Self.isXPath($0.key.value) }) {
          report(
            "\"\(path.key.value)\" cannot be combined with \"equals\" in \"xml\"",
            code: .contradictory, at: path.key.range,
            help: "keep one of them, or write all_of: [{ xml: … }, { xml: … }]",
            notes: [Diagnostic.Note("the other one is here", at: member.key.range)])
          return nil
        }
        guard mapping(node, as: Grammar.xmlDocument, subject: "\"xml\"") != nil else { return nil }
        return decodeXMLDocument(member.value, "equals")
      }
      return decodeXMLPaths(node, members)
    case .sequence: break
    }
    reportType(
      node, "xml", "must be a document of XML, or a map of XPath expressions",
      help: "write xml: { //order/@id: 7 }, or the document as text")
    return nil
  }

  /// A whole document; what is written in the file is read at once.
  private mutating func decodeXMLDocument(_ node: YAMLNode, _ subject: String) -> XMLCondition? {
    decodeTemplate(node, subject).map { .document($0) }
  }

  private mutating func decodeXMLPaths(
    _ node: YAMLNode, _ members: [YAMLMember]
  ) -> XMLCondition? {
    let paths = members.filter { Self.isXPath($0.key.value) }
    guard
      let reader = mapping(
        node, keys: ["equals", "namespaces"] + paths.map(\.key.value), subject: "\"xml\"",
        elsewhere: advice(onXML: members))
    else { return nil }
    guard !paths.isEmpty else {
      guard reader.unknownCount == 0 else { return nil }
      report(
        "\"xml\" has no condition", code: .empty, at: node.range,
        help: "write xml: { //order/@id: 7 }, or the document as text")
      return nil
    }
    let fields = paths.compactMap { member -> FieldMatcher? in
      guard checkFieldKey(member.key) else { return nil }
      guard !member.value.isNull else {
        reportType(
          member.value, member.key.value, "must be a value or conditions, as XML has no null",
          help: "write { empty: true } for a node without text, { absent: true } for none")
        return nil
      }
      return decodeMatcher(member.value, .data, member.key.value).map {
        FieldMatcher(name: member.key, matcher: $0)
      }
    }
    let namespaces = reader["namespaces"].flatMap { decodeXMLNamespaces($0) } ?? []
    guard fields.count == paths.count, reader.unknownCount == 0 else { return nil }
    return .paths(fields, namespaces: namespaces)
  }

  private mutating func decodeXMLNamespaces(_ node: YAMLNode) -> [XMLNamespace]? {
    decodeMembers(node, "namespaces")?.compactMap { member in
      decodeText(member.value, member.key.value).map {
        XMLNamespace(prefix: member.key, namespace: $0)
      }
    }
  }

  /// Returns the advice for keys that are conditions, or names of elements.
  private func advice(onXML members: [YAMLMember]) -> [String: String] {
    var advice: [String: String] = [:]
    for member in members where !Self.isXPath(member.key.value) {
      let key = member.key.value
      // What is near to a key of the map is asked for as everywhere.
      guard Suggestion.closest(to: key, in: ["equals", "namespaces"]) == nil else { continue }
      let operand = excerpt(member.value) ?? "…"
      if let meant = ConditionWord(key)?.meant {
        advice[key] =
          meant == "equals"
          ? "write { equals: … } for the whole document, or { //name: \(operand) }"
          : "a condition stands below a path: write { //name: { \(meant): \(operand) } }"
      } else {
        advice[key] = "write a path, as in { //\(key): \(operand) }"
      }
    }
    return advice
  }

  /// Returns whether a key is an XPath expression: each has a sign that no other key of its map has.
  private static func isXPath(_ key: String) -> Bool {
    key.contains { "/(@*.".contains($0) } && !key.hasPrefix("<") || key.contains("::")
  }
}
