internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `$mutate: …`, data that is changed at random places.
  mutating func decodeMutation(_ node: YAMLNode) -> DataGenerator? {
    guard let reader = mapping(node, as: Grammar.mutation, subject: "\"$mutate\""),
      let source = required("of", in: reader, example: "of: { $build: user }"),
      let data = decodeData(source)
    else { return nil }
    var rule = MutationRule(source: data)
    if let count = reader["count"] {
      guard let number = decodeCount(count, "count", in: 1...MutationRule.countLimit) else {
        return nil
      }
      rule.count = number
    }
    if let kinds = reader["kinds"] {
      let words: [MutationKind] = decodeWords(kinds, "kinds")
      guard !words.isEmpty else { return nil }
      rule.kinds = MutationKind.allCases.filter { words.contains($0) }
    }
    rule.only = reader["only"].map { decodeTextList($0, "only") } ?? []
    rule.except = reader["except"].map { decodeTextList($0, "except") } ?? []
    return .mutate(rule)
  }
}
