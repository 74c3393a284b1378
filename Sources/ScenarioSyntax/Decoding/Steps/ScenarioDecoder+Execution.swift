internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// The largest number of times that a case may be tried again.
  static let retryLimit = 100

  mutating func decodeExclusivity(_ node: YAMLNode) -> Located<Exclusivity>? {
    if case .scalar(let scalar) = node.content, case .bool(let isAlone) = scalar.meaning {
      return Located(isAlone ? .alone : .names([]), at: node.range)
    }
    if case .mapping = node.content {
      reportType(
        node, "exclusive", "must be true, a name, or a list of names",
        help: "write what is shared, such as: exclusive: database")
      return nil
    }
    // YAML 1.1 spelled truth values in more ways.
    if case .scalar(let scalar) = node.content,
      ["yes", "no", "on", "off"].contains(scalar.text.lowercased())
    {
      report(
        "\"exclusive\" is the name \"\(scalar.text)\", which looks like a truth value",
        code: .wrongType, at: node.range,
        help: "write true or false, or another name")
      return nil
    }
    let before = diagnostics.count
    let names = decodeTexts(node, "exclusive")
    guard diagnostics.count == before else { return nil }
    for name in names where name.value.isEmpty {
      report(
        "a name in \"exclusive\" is empty", code: .empty, at: name.range,
        help: "write the name of what is shared, such as: exclusive: database")
      return nil
    }
    return Located(.names(names.map(\.value)), at: node.range)
  }
}
