extension ScenarioDecoder {
  /// `factories:`.
  mutating func decodeFactories(_ node: YAMLNode) -> [FactoryDefinition] {
    (decodeMembers(node, "factories") ?? []).compactMap { member in
      let subject = "the factory \"\(member.key.value)\""
      guard let reader = mapping(member.value, keys: Vocabulary.factory, subject: subject) else {
        return nil
      }
      return FactoryDefinition(
        name: member.key, fields: reader["fields"].map { decodeFields($0, "fields") } ?? [],
        traits: reader["traits"].map { decodeTraits($0) } ?? [])
    }
  }

  private mutating func decodeTraits(_ node: YAMLNode) -> [TraitDefinition] {
    (decodeMembers(node, "traits") ?? []).compactMap { member in
      let subject = "the trait \"\(member.key.value)\""
      guard let reader = mapping(member.value, keys: Vocabulary.trait, subject: subject) else {
        return nil
      }
      return TraitDefinition(
        name: member.key, fields: reader["fields"].map { decodeFields($0, "fields") } ?? [],
        traits: reader["traits"].map { decodeTextList($0, "traits") } ?? [])
    }
  }
}
