internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `trust:`.
  mutating func decodeTrust(_ node: YAMLNode) -> [TrustVariable]? {
    guard let reader = mapping(node, as: Grammar.trust, subject: "\"trust\""),
      let variables = required("variables", in: reader, example: "variables: none")
    else { return nil }
    switch variables.content {
    case .scalar(let scalar) where scalar.text == "none": return []
    case .sequence: return decodeWords(variables, "variables")
    default:
      reportType(
        variables, "variables", "must be none, or a list of variables",
        help: "write none, or the names, as in [SSL_CERT_FILE]")
      return nil
    }
  }

  mutating func decodeHosts(_ node: YAMLNode) -> [HostMode] {
    (decodeMembers(node, "hosts") ?? []).compactMap { member in
      let mode: Located<NetworkSettings.Mode>? = decodeWord(member.value, member.key.value)
      guard let pattern = decodeHostPattern(member.key), let mode else { return nil }
      return HostMode(pattern: pattern, mode: mode)
    }
  }

  /// Decodes a host name in which `*` matches any letters.
  private mutating func decodeHostPattern(_ key: Located<String>) -> Located<String>? {
    let named = key.value.replacing("*", with: "x")
    if let place = HostAddress(text: named), place.port == nil {
      return Located(key.value.lowercased(), at: key.range)
    }
    let hasPort = HostAddress(text: named)?.port != nil
    report(
      "\"\(key.value)\" is not a host", code: .badAddress, at: key.range,
      help: hasPort
        ? "leave out the port: a mode holds for the whole host"
        : "write a name such as api.example.com or *.internal.test, without scheme and path")
    return nil
  }

  mutating func decodeUpstreams(_ node: YAMLNode) -> [UpstreamRule] {
    (decodeMembers(node, "upstreams") ?? []).compactMap { member in
      guard let text = decodeText(member.value, member.key.value) else { return nil }
      guard let meant = HostAddress(text: member.key.value) else {
        report(
          "\"\(member.key.value)\" is not a host", code: .badAddress, at: member.key.range,
          help: "write HOST or HOST:PORT, as in \"api.example.com:443\"")
        return nil
      }
      guard let actual = HostAddress(text: text.value), actual.port != nil else {
        report(
          "\"\(text.value)\" is not a host with a port", code: .badAddress, at: text.range,
          help: "write HOST:PORT, as in \"127.0.0.1:8443\"")
        return nil
      }
      return UpstreamRule(meant: meant, actual: actual)
    }
  }
}
