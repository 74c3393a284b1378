internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `when:` and `set:` of an entry.
  mutating func decodeState(_ reader: MappingReader, into entry: inout ResponseEntry) {
    entry.conditions = reader["when"].map { decodeStateConditions($0, "when") } ?? []
    entry.changes = reader["set"].map { decodeStateValues($0, "set") } ?? []
    if case .mapping(let members)? = reader["when"]?.content, members.isEmpty {
      reportEmptyState("when", at: reader.keyRange("when") ?? reader.range)
    }
  }

  /// Names of state, and their values.
  mutating func decodeStateValues(_ node: YAMLNode, _ subject: String) -> [DataField] {
    let fields = decodeFields(node, subject)
    if case .mapping(let members) = node.content, members.isEmpty {
      reportEmptyState(subject, at: node.range)
    }
    return fields
  }

  private mutating func reportEmptyState(_ key: String, at range: SourceRange) {
    report(
      "\"\(key)\" is empty", code: .empty, at: range,
      help: "write a name and a value, as in \(key): { todo: added }, or remove it")
  }

  /// An entry of `responses:` with `store:`.
  mutating func decodeStoreResponse(_ node: YAMLNode) -> ResponseEntry? {
    let empty = Located("", at: node.range)
    let store = decode(
      node, as: Grammar.storeResponse, subject: "an entry of \"responses\" with \"store\"",
      from: StorePattern(name: empty, url: empty))
    return store.map {
      ResponseEntry(
        name: $0.name.value, match: .store($0), replies: [], repeats: true, range: node.range)
    }
  }

  /// Names of state, and conditions on their values.
  mutating func decodeStateConditions(_ node: YAMLNode, _ subject: String) -> [FieldMatcher] {
    (decodeMembers(node, subject) ?? []).compactMap { member in
      guard checkFieldKey(member.key) else { return nil }
      return decodeStateCondition(member.value, member.key.value).map {
        FieldMatcher(name: member.key, matcher: $0)
      }
    }
  }

  /// A value, conditions on it, or what `json` says of documents: `$.path` keys and `{ schema: … }`.
  private mutating func decodeStateCondition(_ node: YAMLNode, _ name: String) -> Matcher? {
    if case .mapping(let members) = node.content, let first = members.first?.key.value,
      first.hasPrefix("$") || first == "schema" && members.count == 1
    {
      return decodeJSONMatcher(node)
    }
    return decodeMatcher(node, .data, name)
  }

  /// `state:` of expectations.
  mutating func decodeStateExpectations(_ node: YAMLNode) -> [ExpectationBlock.Entry] {
    decodeStateConditions(node, "state").map {
      .init(.state($0.name, $0.matcher), at: $0.name.range)
    }
  }
}
