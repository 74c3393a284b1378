internal import Foundations

// What an author has written, on one line and in braces, for helps that show it at another place.

extension YAMLNode {
  /// Beyond that a reader no longer finds the place that a help is about.
  private static let inlineLimit = 60

  /// The node as it may stand in braces on one line; `…` for what is long.
  var inlineText: String {
    guard size <= Self.inlineLimit else { return "…" }
    let text = flowText
    return text.count > Self.inlineLimit ? "…" : text
  }

  private var flowText: String {
    switch content {
    case .scalar(let scalar): Self.flowText(of: scalar)
    case .sequence(let nodes): "[\(nodes.map(\.flowText).joined(separator: ", "))]"
    case .mapping(let members): Self.flowText(of: members) { $0.flowText }
    }
  }

  private static func flowText(of scalar: YAMLScalar) -> String {
    let text = scalar.text
    guard text.utf8.count <= inlineLimit else { return "…" }
    guard scalar.style == .plain else {
      return YAMLQuoting.isPlain(text) ? text : YAMLQuoting.quoted(text)
    }
    return text.contains { ",[]{}\n".contains($0) } ? YAMLQuoting.quoted(text) : text
  }

  fileprivate static func flowText(
    of members: [YAMLMember], value: (YAMLNode) -> String
  ) -> String {
    guard !members.isEmpty else { return "{}" }
    let texts = members.map { member in
      let key = flowText(of: YAMLScalar(text: member.key.value, style: .plain))
      return member.value.isAbsent ? "\(key):" : "\(key): \(value(member.value))"
    }
    return "{ \(texts.joined(separator: ", ")) }"
  }
}

extension [YAMLMember] {
  /// The members as a map in braces on one line; `…` for values that are long.
  var inlineText: String {
    let whole = YAMLNode.flowText(of: self, value: \.inlineText)
    return whole.count <= 100
      ? whole : YAMLNode.flowText(of: self) { $0.size > 1 ? "…" : $0.inlineText }
  }
}
