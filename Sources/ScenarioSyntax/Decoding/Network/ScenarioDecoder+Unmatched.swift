internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `network.unmatched:` a word or a reply.
  mutating func decodeUnmatched(_ node: YAMLNode) -> Located<UnmatchedRule>? {
    if case .mapping = node.content {
      return decodeReply(node, as: Grammar.shortReply).map {
        Located(.reply($0), at: node.range)
      }
    }
    if case .scalar(let scalar) = node.content, case .integer = scalar.meaning {
      report(
        "unknown value \"\(scalar.text)\" for \"unmatched\"", code: .unknownValue, at: node.range,
        help: "write \"unmatched: { status: \(scalar.text) }\"")
      return nil
    }
    let word: Located<UnmatchedRule.Word>? = decodeWord(node, "unmatched")
    return word.map { Located(.word($0.value), at: $0.range) }
  }
}
