extension ScenarioDecoder {
  /// `secrets:` at the top of a file.
  mutating func decodeSecrets(_ node: YAMLNode) -> SecretSettings? {
    guard let reader = mapping(node, keys: Grammar.secrets.keys, subject: "\"secrets\"") else {
      return nil
    }
    var settings = SecretSettings()
    for name in reader["env"].map({ decodeTextList($0, "env") }) ?? [] where checkVariableName(name)
    {
      settings.variables.append(name)
    }
    settings.expressions = reader["matches"].map { decodeTextList($0, "matches") } ?? []
    return settings
  }
}
