internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `secrets:` at the top of a file.
  mutating func decodeSecrets(_ node: YAMLNode) -> SecretSettings? {
    guard
      var settings = decode(
        node, as: Grammar.secrets, subject: "\"secrets\"", from: SecretSettings())
    else { return nil }
    settings.variables = settings.variables.filter { checkVariableName($0) }
    return settings
  }
}
